/** I11: the record alone reproduces the same decisions, byte for byte. */
import { test, fc } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { decide, type Decision } from '@donecheck/core/internal/decide'
import { evolve, type RunState } from '@donecheck/core/internal/state'
import { scriptedAgent, type ScriptedStep } from '../agents/index.ts'
import { perform } from './perform/perform.ts'
import { begin, stage, tool, verifier, type Scene } from '../../testing/index.ts'

/** The decision at that sequence number. */
type Decided = readonly [sequence: number, decision: Decision]

async function playAndWatch(scene: Scene) {
  const { session, world, events, parts } = stage(scene)
  const decided: Decided[] = []
  await begin(session, scene)
  while (session.state.phase.kind !== 'stopped') {
    const decision = session.decide()
    decided.push([session.state.sequence, decision])
    await perform(decision, session, world)
  }
  return { decided, events, judgement: parts.judgement }
}

const step: fc.Arbitrary<ScriptedStep> = fc.oneof(
  fc.constantFrom('Done!', ''),
  fc.array(fc.constantFrom('write', 'read', 'unheard'), { minLength: 1, maxLength: 3 }).map((names) => ({
    tools: names.map((name) => ({ tool: name, args: { text: 'sk-1234567890abcdefghij' } })),
  })),
  fc.constant({
    fails: [{ kind: 'server-error', message: 'HTTP 500', retryable: true }],
    then: 'Back.',
  } as const),
)

describe('given any run', () => {
  test.prop(
    [
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.array(fc.constantFrom('passed', 'failed', 'error'), { minLength: 1, maxLength: 6 }),
    ],
    { numRuns: 60 },
  )('then its record gives the same decisions as it took while it lived', async (steps, statuses) => {
    const scene: Scene = {
      agent: scriptedAgent(steps, { repeatLast: true }),
      tools: [
        tool('write', () => ({ status: 'ok', output: 'written' })),
        tool('read', () => ({ status: 'ok', output: 'text' }), 'read'),
      ],
      verifiers: [
        verifier('check', (call) => ({ status: statuses[(call - 1) % statuses.length] ?? 'error' })),
      ],
      caps: { maxIterations: 6, maxModelCalls: 9 },
    }
    const { decided, events, judgement } = await playAndWatch(scene)
    const stored = events.map((event) => JSON.parse(JSON.stringify(event)) as typeof event)
    const replayed: Decided[] = []
    let state: RunState | undefined
    for (const event of stored) {
      state = evolve(state, event)
      if (decided.some(([sequence]) => sequence === event.sequence))
        replayed.push([event.sequence, decide(state, judgement)])
    }
    expect(JSON.stringify(replayed)).toBe(JSON.stringify(decided))
  })
})
