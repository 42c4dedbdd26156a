/** Tests that need a real agent: skipped where it is not installed, and the title says so. */
import { describe } from 'vitest'
import { realAgent, realSdk, type AgentName } from './agents.ts'

/** Every agent that is missing is named in the title of what is skipped. */
export function describeWith(
  agents: AgentName | readonly AgentName[],
  title: string,
  body: () => void,
): void {
  const named = typeof agents === 'string' ? [agents] : agents
  const problems = named.flatMap((name) => {
    const agent = realAgent(name)
    return agent.kind === 'missing' ? [agent.problem] : []
  })
  describeUnless(problems, title, body)
}

/** The same with packages of SDKs, such as `@openai/agents`. */
export function describeWithSdk(packages: string | readonly string[], title: string, body: () => void): void {
  const named = typeof packages === 'string' ? [packages] : packages
  const problems = named.flatMap((name) => {
    const sdk = realSdk(name)
    return 'problem' in sdk ? [sdk.problem] : []
  })
  describeUnless(problems, title, body)
}

function describeUnless(problems: readonly string[], title: string, body: () => void): void {
  const skipped = problems.length > 0
  describe.skipIf(skipped)(skipped ? `${title} (skipped: ${problems.join('; ')})` : title, body)
}
