import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import type { Gate } from '@donecheck/engine/internal/ports/gate'
import { verifierOf } from '@donecheck/engine/verify'
import { textIn } from '../../protocol/host/index.ts'
import { scriptedAgent, type Said } from './fixtures/scripted-agent.ts'
import { type VerifiedExecutionOptions, verifiedGenerate } from './verified-execution.ts'

const shell = (command: string): Said => [{ tool: 'shell', args: { command } }]

/** `ls` may run, `push` needs a yes, and nothing else may. */
const gate: Gate = {
  check: async ({ action }) => {
    const script = action?.kind === 'command' ? action.script : ''
    if (script === 'ls') return { kind: 'allow', reason: 'only looks' }
    return script === 'push'
      ? { kind: 'prompt', reason: 'others see it' }
      : { kind: 'forbidden', reason: 'it deletes' }
  },
}

function givenGeneration(script: readonly Said[], options: Partial<VerifiedExecutionOptions> = {}) {
  const { agent, ran, read } = scriptedAgent(script)
  const all: VerifiedExecutionOptions = {
    workFolder: null,
    hardVerifiers: [
      verifierOf('polite', ({ finalText }) => finalText.includes('please'), { reads: 'answer' }),
    ],
    acts: { shell: (input) => ({ kind: 'command', script: textIn(input, 'command') ?? '' }) },
    ...options,
  }
  return { ran, read, generate: (input: unknown = 'be polite') => verifiedGenerate(agent, input, all) }
}

describe('given an agent that says done while the check is red', () => {
  it('then it goes on with the evidence, and ends verified', async () => {
    const { generate, read } = givenGeneration(['Done.', 'Done, please.'])
    expect(await generate()).toMatchObject({
      verification: { isVerified: true, blockedStops: 1, stoppedBy: undefined },
    })
    expect(read).toEqual([expect.stringContaining('Check "polite" failed')])
  })
})

describe('given a call that must not run', () => {
  it('then the model reads why, and the execution goes on', async () => {
    const { generate, ran, read } = givenGeneration([shell('rm'), shell('ls'), 'please'], { gate })
    expect(await generate()).toMatchObject({ verification: { isVerified: true } })
    expect(ran).toEqual(['ls'])
    expect(read[0]).toContain('it deletes')
  })
})

describe('given a call for which somebody must be asked', () => {
  const script: readonly Said[] = [shell('push'), 'please']

  it('then an execution without an approver is suspended, and goes on with a yes', async () => {
    const { generate, ran } = givenGeneration(script, { gate })
    const { result, verification } = await generate()
    expect(verification).toMatchObject({ waitingFor: ['shell'], isVerified: false, transition: undefined })
    const resumed = await generate({ suspended: result, resumeData: { approved: true } })
    expect(resumed.verification).toMatchObject({ isVerified: true, waitingFor: [] })
    expect(ran).toEqual(['push'])
  })

  it('then what our approver has refused, somebody else may not be asked for', async () => {
    const approver = { ask: async () => ({ approved: false, by: 'Kim', reason: 'not today' }) }
    const { generate, ran, read } = givenGeneration(script, { gate, approver })
    expect(await generate()).toMatchObject({ verification: { isVerified: true } })
    expect(ran).toEqual([])
    expect(read[0]).toContain('not today')
  })
})

describe('given an end that is not the agent’s own', () => {
  it('then its bound of steps is named, and the checks are asked all the same', async () => {
    const { generate } = givenGeneration([shell('ls'), shell('ls')], {
      gate,
      executionOptions: { maxSteps: 1 },
    })
    const { verification } = await generate()
    expect(verification).toMatchObject({ stoppedBy: 'maxSteps (1)', isVerified: false })
    expect(verification.verdicts).toMatchObject([{ verifier: 'polite', status: 'failed' }])
  })
})

it('given scorers of the user’s own, then it says that they would decide beside the checks', async () => {
  const { generate } = givenGeneration([], {
    executionOptions: { isTaskComplete: { scorers: [{ id: 'x' }] } },
  })
  await expect(generate()).rejects.toThrow(UsageError)
})
