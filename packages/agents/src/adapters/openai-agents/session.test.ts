import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import type { Gate } from '@donecheck/engine/internal/ports/gate'
import { verifierOf } from '@donecheck/engine/verify'
import { textIn } from '../../protocol/host/index.ts'
import { scriptedRunner, shellAgent, type Said } from './fixtures/scripted-runner.ts'
import { verifiedRun, type VerifiedRunOptions } from './session.ts'

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

interface Given {
  readonly options?: Partial<VerifiedRunOptions>
  readonly maxTurns?: number
}

function givenRun(script: readonly Said[], { options = {}, maxTurns }: Given = {}) {
  const ran: string[] = []
  const { runner, asked } = scriptedRunner(script, maxTurns)
  const all: VerifiedRunOptions = {
    workFolder: null,
    hardVerifiers: [
      verifierOf('polite', ({ finalText }) => finalText.includes('please'), { reads: 'answer' }),
    ],
    acts: { shell: (input) => ({ kind: 'command', script: textIn(input, 'command') ?? '' }) },
    ...options,
  }
  const agent = shellAgent(ran)
  return { ran, asked, run: (input: string | object = 'be polite') => verifiedRun(runner, agent, input, all) }
}

describe('given an agent that says done while the check is red', () => {
  it('then it goes on with the evidence behind all that was said', async () => {
    const { run, asked } = givenRun(['Done.', 'Done, please.'])
    const { verification, history } = await run()
    expect(verification).toMatchObject({ isVerified: true, blockedStops: 1, stoppedBy: undefined })
    expect(asked[1]).toMatchObject([
      { content: 'be polite' },
      { content: 'Done.' },
      { role: 'user', content: expect.stringContaining('polite') as string },
    ])
    expect(history).toHaveLength(4)
  })
})

describe('given a call that must not run', () => {
  it('then the model reads why, and the run goes on', async () => {
    const { run, ran, asked } = givenRun([shell('rm'), shell('ls'), 'please'], { options: { gate } })
    expect(await run()).toMatchObject({ verification: { isVerified: true } })
    expect(ran).toEqual(['ls'])
    expect(asked[1]).toContainEqual(
      expect.objectContaining({ output: expect.stringContaining('it deletes') as string }),
    )
  })
})

describe('given a call for which somebody must be asked', () => {
  const script: readonly Said[] = [shell('push'), 'please']

  it('then a run without an approver waits, and goes on from its state with a yes', async () => {
    const { run, ran } = givenRun(script, { options: { gate, onGatePrompt: 'ask' } })
    const first = await run()
    expect(first.verification).toMatchObject({
      waitingFor: ['shell'],
      isVerified: false,
      transition: undefined,
    })
    const { state, interruptions } = first.result as {
      state: { approve(item: object): void }
      interruptions: object[]
    }
    for (const item of interruptions) state.approve(item)
    expect(await run(state)).toMatchObject({ verification: { isVerified: true, waitingFor: [] } })
    expect(ran).toEqual(['push'])
  })

  it('then an approver that says yes lets it run, and one that says no is quoted', async () => {
    const ask = (isApproved: boolean) =>
      givenRun(script, {
        options: {
          gate,
          approver: {
            ask: async () => ({ approved: isApproved, by: 'Kim', reason: 'not today' }),
          },
        },
      })
    const yes = ask(true)
    await yes.run()
    expect(yes.ran).toEqual(['push'])
    const no = ask(false)
    await no.run()
    expect(no.ran).toEqual([])
    expect(JSON.stringify(no.asked[1])).toContain('not today')
  })
})

describe('given an end that is not the agent’s own', () => {
  it('then a cap ends the run before the next call of the model', async () => {
    const { run, ran } = givenRun([shell('ls'), shell('ls'), shell('ls')], {
      options: { gate, hardCap: { toolCalls: 1 } },
    })
    const { result, verification } = await run()
    expect(result).toBeUndefined()
    expect(verification).toMatchObject({ isVerified: false, transition: { reason: 'hard_cap' } })
    expect(ran).toEqual(['ls'])
  })
})

it('given options of a stream, then it says that it does not stream', async () => {
  const { run } = givenRun([], { options: { runOptions: { stream: true } } })
  await expect(run()).rejects.toThrow(UsageError)
})
