import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import type { Gate } from '@donecheck/engine/internal/ports/gate'
import { verifierOf } from '@donecheck/engine/verify'
import { textIn } from '../../protocol/host/index.ts'
import { scriptedGraph, type Said } from './fixtures/scripted-graph.ts'
import { verifiedMiddleware, type VerifiedMiddlewareOptions } from './middleware.ts'
import type { RuntimeLike } from './session.ts'

const shell = (command: string): Said => [{ tool: 'shell', args: { command } }]

/** `ls` and `fail` may run, `push` needs a yes, and nothing else may. */
const gate: Gate = {
  check: async ({ action }) => {
    const script = action?.kind === 'command' ? action.script : ''
    if (['ls', 'fail'].includes(script)) return { kind: 'allow', reason: 'only looks' }
    return script === 'push'
      ? { kind: 'prompt', reason: 'others see it' }
      : { kind: 'forbidden', reason: 'it deletes' }
  },
}

function givenAgent(
  script: readonly Said[],
  options: Partial<VerifiedMiddlewareOptions> = {},
  runtime: RuntimeLike = {},
) {
  const middleware = verifiedMiddleware({
    workFolder: null,
    hardVerifiers: [
      verifierOf('polite', ({ finalText }) => finalText.includes('please'), { reads: 'answer' }),
    ],
    acts: { shell: (input) => ({ kind: 'command', script: textIn(input, 'command') ?? '' }) },
    ...options,
  })
  const { invoke, ...graph } = scriptedGraph(script, middleware, runtime)
  return { ...graph, middleware, run: async () => middleware.verification(await invoke()) }
}

describe('given an agent that says done while the check is red', () => {
  it('then it jumps back to its model with the evidence, and ends verified', async () => {
    const { run, texts } = givenAgent(['Done.', 'Done, please.'])
    expect(await run()).toMatchObject({ isVerified: true, blockedStops: 1, stoppedBy: undefined })
    expect(texts()).toEqual([
      'be polite',
      'Done.',
      expect.stringContaining('Check "polite" failed'),
      'Done, please.',
    ])
  })
})

describe('given a call that must not run', () => {
  it('then another tool in its place says why', async () => {
    const { run, ran, texts } = givenAgent([shell('rm'), shell('ls'), 'please'], { gate })
    expect(await run()).toMatchObject({ isVerified: true })
    expect(ran).toEqual(['ls'])
    expect(texts()[2]).toContain('it deletes')
  })
})

describe('given a call that fails', () => {
  it('then the model reads why, and goes on', async () => {
    const { run, texts } = givenAgent([shell('fail'), 'please'], { gate })
    expect(await run()).toMatchObject({ isVerified: true })
    expect(texts()[2]).toBe('no such file\nPlease fix your mistakes.')
  })
})

describe('given a call for which somebody must be asked', () => {
  const answering = (decision: object): RuntimeLike => ({
    interrupt: async () => ({ decisions: [decision] }),
  })
  const script: readonly Said[] = [shell('push'), 'please']

  it.each([
    [{ type: 'approve' }, ['push'], 'ran 1'],
    [{ type: 'reject', message: 'not today' }, [], 'not today'],
    [{ type: 'reject' }, [], 'not approved: others see it'],
  ])('then the graph asks, and does as %j says', async (decision, commands, read) => {
    const { run, ran, texts } = givenAgent(script, { gate }, answering(decision))
    await run()
    expect(ran).toEqual(commands)
    expect(texts()[2]).toBe(read)
  })

  it('then the run waits while the graph is interrupted', async () => {
    class GraphInterrupt extends Error {
      override readonly name = 'GraphInterrupt'
    }
    const runtime: RuntimeLike = {
      interrupt: () => {
        throw new GraphInterrupt()
      },
    }
    const { run, middleware, state } = givenAgent(script, { gate }, runtime)
    await expect(run()).rejects.toThrow(GraphInterrupt)
    expect(await middleware.verification(state())).toMatchObject({
      waitingFor: ['shell'],
      transition: undefined,
    })
  })
})

describe('given an end that is not the agent’s own', () => {
  it('then a cap ends it with the reason as its last word', async () => {
    const { run, ran, texts } = givenAgent([shell('ls'), shell('ls'), shell('ls')], {
      gate,
      hardCap: { toolCalls: 1 },
    })
    const { transition } = await run()
    expect(transition).toMatchObject({ reason: 'hard_cap' })
    expect(ran).toEqual(['ls'])
    expect(texts().at(-1)).toContain(transition?.message ?? 'no end')
  })
})

it('given a result without the name of its run, then it says what to give', () => {
  const { middleware } = givenAgent([])
  expect(() => middleware.verification({ messages: [] })).toThrow(UsageError)
})
