import { describe, expect, it } from 'vitest'
import type { RunState } from '../../state/index.ts'
import type { Caps } from '../../budgets/index.ts'
import { begun, given } from '../../testing/index.ts'
import { hardCaps } from './hard-caps.ts'

/** A state in the middle of a call, where no cap is reached and every one may warn. */
function used(part: Partial<RunState['consumption']>, caps: Partial<Caps>): RunState {
  const { state } = given(begun())
  const settings = { ...state.settings, caps: { ...state.settings.caps, ...caps } }
  return {
    ...state,
    settings,
    phase: { kind: 'calling', attempt: 1, refusedSinceMs: undefined },
    consumption: { ...state.consumption, ...part },
  }
}

const cases: readonly (readonly [string, (share: number) => RunState])[] = [
  ['iterations', (n) => used({ iterations: n * 100 }, { maxIterations: 100 })],
  ['model_calls', (n) => used({ modelCalls: n * 100 }, { maxModelCalls: 100 })],
  ['tool_calls', (n) => used({ toolCalls: n * 100 }, { maxToolCalls: 100 })],
  ['tokens', (n) => used({ inputTokens: n * 10_000 }, { maxTokens: 10_000 })],
  ['cost', (n) => used({ costUsd: n * 10 }, { maxCostUsd: 10 })],
  ['wall_clock', (n) => used({ activeMs: n * 1000 }, { maxWallClockMs: 1000 })],
]

describe('given any cap', () => {
  it.each(cases)('%s warns at 80 %%, and not just below', (cap, at) => {
    const reported = (state: RunState) =>
      hardCaps.flatMap((rule) => rule(state) ?? []).filter(({ rule }) => rule === `cap:${cap}`)
    expect(reported(at(0.8))).toMatchObject([{ level: 'warn' }])
    expect(reported(at(0.79))).toEqual([])
    expect(reported(at(0.7999))).toEqual([])
  })
})
