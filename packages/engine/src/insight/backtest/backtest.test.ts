import { standardLoopDetection, standardStagnation } from '@donecheck/core/internal/events/settings'
import { it as property, fc } from '@fast-check/vitest'
import { noCaps } from '@donecheck/core/testing'
import type { Caps } from '@donecheck/core/internal/budgets'
import { describe, expect, it } from 'vitest'
import { madeRun, madeTurn } from '../../testing/index.ts'
import type { RecordedRun } from '../recordings/index.ts'
import { Backtest } from './backtest.ts'
import type { StopPolicy } from './replay.ts'

const off = { ...standardLoopDetection, mode: 'off' } as const
const never = policy('never')

function policy(name: string, caps: Partial<Caps> = {}, soft: Partial<StopPolicy['soft']> = {}): StopPolicy {
  const idle: StopPolicy['soft'] = {
    loopDetection: off,
    stagnation: { ...standardStagnation, mode: 'off' },
    tokenBudget: null,
  }
  return { name, caps: { ...noCaps, ...caps }, soft: { ...idle, ...soft } }
}

function reported(runs: readonly RecordedRun[], ...policies: readonly StopPolicy[]) {
  const backtest = new Backtest(policies)
  for (const run of runs) backtest.add(run)
  return backtest.report()
}

/** Two of four calls are equal, so that loops happen. */
const call = fc.constantFrom('bash ls a.ts', 'bash ls a.ts', 'bash cat text', 'read b.ts other')
const turn = fc
  .tuple(fc.array(call, { maxLength: 3 }), fc.option(fc.tuple(fc.nat(500), fc.nat(90))))
  .map(([calls, tokens]) =>
    madeTurn(calls, tokens === null ? {} : { tokens: { in: tokens[0], out: tokens[1] } }),
  )
const run = fc
  .tuple(fc.array(turn, { maxLength: 20 }), fc.constantFrom(true, false, null), fc.uuid())
  .map(([turns, resolved, id]) => madeRun([], { id, turns, outcome: { resolved } }))
const runs = fc.array(run, { maxLength: 8 })
const limit = fc.integer({ min: 1, max: 12 })

describe('given any recorded runs', () => {
  property.prop([runs])('a policy that never ends a run saves nothing, and loses nothing', (recorded) => {
    const { policies } = reported(recorded, never)
    const [{ calls, tokens, dollars, lost, ended } = fail()] = policies
    expect([calls.saved, tokens.saved, dollars.saved, lost.length, ended]).toEqual([0, 0, 0, 0, 0])
  })

  property.prop([
    runs,
    limit,
    fc.constantFrom('maxIterations', 'maxToolCalls', 'maxModelCalls', 'maxTokens'),
  ])('a stricter cap never saves less, and never loses fewer runs', (recorded, some, cap) => {
    const scale = cap === 'maxTokens' ? 300 : 1
    const [strict = fail(), lax = fail()] = reported(
      recorded,
      policy('strict', { [cap]: some * scale }),
      policy('lax', { [cap]: (some + 1) * scale }),
    ).policies
    expect(strict.calls.saved).toBeGreaterThanOrEqual(lax.calls.saved)
    expect(strict.tokens.saved).toBeGreaterThanOrEqual(lax.tokens.saved)
    expect(strict.lost.length).toBeGreaterThanOrEqual(lax.lost.length)
  })
})

describe('given runs that a bound ended', () => {
  const five = ['a 1 x', 'a 2 x', 'a 3 x', 'a 4 x', 'a 5 x']
  const cut = madeRun(five, { id: 'cut', stepLimit: 5, outcome: { resolved: false } })
  const whole = madeRun(five, { id: 'whole', outcome: { resolved: false } })
  const reached = madeRun(five, { id: 'reached', stepLimit: 5 })

  it('says of how many nobody knows what would have come', () => {
    const { counts, policies } = reported([cut, whole, reached], never, policy('three', { maxIterations: 3 }))
    expect(counts).toMatchObject({ runs: 3, cut: 2 })
    expect(policies.map(({ unknownAfterEnd }) => unknownAfterEnd)).toEqual([1, 0])
  })
})

describe('given a cap on what the record does not tell', () => {
  it('nobody is ended by it, and the report says so', () => {
    const recorded = [madeRun(['a 1 x', 'a 2 x'])]
    const { policies } = reported(
      recorded,
      policy('p', { maxTokens: 1, maxWallClockMs: 1, maxBlockedStops: 1 }),
    )
    expect(policies[0]).toMatchObject({
      lost: [],
      unheld: { tokens: 1, wall_clock: 1 },
      ignored: ['blocked_stops'],
    })
  })
})

it('given two policies of one name, then nobody could tell them apart', () => {
  expect(() => new Backtest([never, never])).toThrow('two policies are called "never"')
})

function fail(): never {
  throw new Error('there is no such policy')
}
