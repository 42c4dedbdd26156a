/** Projects with a check that is really red or really green. */
import { shellCall, type AgentName } from './agents.ts'
import type { Call } from './step.ts'

/** The check, as a line of shell. */
export const check = 'test -f done.txt'

/** `done.txt` is missing, so the check is red. */
export const redProject: Readonly<Record<string, string>> = { 'task.md': 'Create done.txt.\n' }

export const greenProject: Readonly<Record<string, string>> = { ...redProject, 'done.txt': 'done\n' }

/** What an agent has to do to mend the red project. */
export function mends(agent: AgentName): Call {
  return shellCall(agent, 'echo done > done.txt')
}

/** A step that does something, and nothing that the check sees. */
export function works(agent: AgentName): Call {
  return shellCall(agent, 'echo working')
}

/** A node test that is red: `node --test`. `mendsSum` mends it. */
export const redSum: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  'sum.js': 'export const sum = (left, right) => left - right\n',
  'sum.test.js': `import assert from 'node:assert'
import { test } from 'node:test'
import { sum } from './sum.js'
test('adds two numbers', () => assert.strictEqual(sum(2, 3), 5))
`,
}

export function mendsSum(agent: AgentName): Call {
  return shellCall(agent, "echo 'export const sum = (left, right) => left + right' > sum.js")
}
