import { describe, expect, it } from 'vitest'
import { begun, claimed, stamp, type RunChoices } from '@donecheck/core/testing'
import { runStopped, turnEnded } from '@donecheck/core/testing/facts'
import { runRow, type RunRow } from '../insights/index.ts'
import { compareRuns } from './compare.ts'
import { sideOf } from './sides.ts'

const verified = runStopped('task_complete', { outcome: 'verified' })
const capped = runStopped('hard_cap', { outcome: 'exhausted', cap: 'tokens' })

function run(choices: RunChoices, isVerified: boolean, startMs = Date.UTC(2026, 10, 14)): RunRow {
  const row = runRow(
    stamp([begun(choices), claimed(1), turnEnded(1), isVerified ? verified : capped], { startMs }),
  )
  if (row === undefined) throw new TypeError('no row')
  return row
}

const times = (count: number, make: () => RunRow) => Array.from({ length: count }, make)

function belongs(name: string, rows: readonly RunRow[]) {
  const side = sideOf(name, rows)
  if (side.kind === 'unknown') throw new TypeError(side.problem)
  return side.has
}

describe('given an experiment that a coin has divided', () => {
  const on = { labels: ['memory=on'] }
  const off = { labels: ['memory=off'] }
  const rows = [
    ...[...times(52, () => run(on, true)), ...times(8, () => run(on, false))],
    ...[...times(41, () => run(off, true)), ...times(19, () => run(off, false))],
  ]
  const { runsA, runsB, rates, means } = compareRuns(
    rows,
    belongs('memory=off', rows),
    belongs('memory=on', rows),
  )
  const row = (name: string) => rates.find((one) => one.name === name)

  it('then the shares stand side by side, with their difference and how sure it is', () => {
    expect([runsA, runsB]).toEqual([60, 60])
    expect(row('verified')).toMatchObject({
      a: { part: 41, whole: 60 },
      b: { part: 52, whole: 60 },
      differs: true,
    })
    expect(row('verified')?.difference).toBeCloseTo(11 / 60, 9)
    expect(row('verified')?.p).toBeCloseTo(0.0276, 3)
    expect(row('ended at a cap')).toMatchObject({ a: { part: 19 }, b: { part: 8 } })
  })

  it('then what has no case on a side is no difference', () => {
    expect(row('first try')).toMatchObject({ difference: null, interval: null, p: 1, differs: false })
  })

  it('then means that are the same do not differ', () => {
    const turns = means.find(({ name }) => name === 'turns')
    expect(turns).toMatchObject({
      a: { runs: 60, mean: 1 },
      b: { runs: 60, mean: 1 },
      difference: 0,
      differs: false,
    })
  })
})

describe('given too few runs to tell', () => {
  it('then it says how many would', () => {
    const rows = [
      ...[run({ labels: ['x'] }, true), run({ labels: ['x'] }, false)],
      ...times(2, () => run({ labels: ['y'] }, true)),
    ]
    const { rates } = compareRuns(rows, belongs('x', rows), belongs('y', rows))
    expect(rates[0]).toMatchObject({ name: 'verified', differs: false, casesToDecide: 15 })
  })
})

describe('given runs on both sides', () => {
  it('then they are on neither, and counted', () => {
    const rows = [
      run({ labels: ['x', 'y'] }, true),
      run({ labels: ['x'] }, true),
      run({ labels: ['y'] }, false),
    ]
    expect(compareRuns(rows, belongs('x', rows), belongs('y', rows))).toMatchObject({
      runsA: 1,
      runsB: 1,
      inBoth: 1,
    })
  })
})

describe('given what a side is called', () => {
  const rows = [
    run({ labels: ['nightly', 'agent:x'], drive: { name: 'a/one' } }, true, Date.UTC(2026, 10, 14, 23, 59)),
    run({ labels: ['a/one'], drive: { kind: 'command', name: 'mytool' } }, true, Date.UTC(2026, 10, 15)),
  ]
  const had = (name: string) => rows.map(belongs(name, rows))

  it.each([
    ['nightly', [true, false]],
    ['mytool', [false, true]],
    ['donecheck', [true, false]],
    ['model:a/one', [true, false]],
    ['label:a/one', [false, true]],
    ['label:agent:x', [true, false]],
    ['deterministic-veto', [true, true]],
    ['2026-11-14..2026-11-14', [true, false]],
    ['2026-11-14..2026-11-15', [true, true]],
    ['period:2026-11-16..2026-12-01', [false, false]],
  ])('then %s has the runs %j', (name, expected) => {
    expect(had(name)).toEqual(expected)
  })

  it.each([
    ['weekly', /no run has it as a label, agent, model or policy/],
    ['a/one', /several: write label:a\/one or model:a\/one/],
    ['2026-11-15..2026-11-14', /two days in their order/],
    ['2026-02-30..2026-03-90', /two days in their order/],
    ['period:soon', /two days in their order/],
  ])('then %s is refused, with the way out', (name, problem) => {
    const side = sideOf(name, rows)
    expect(side.kind === 'unknown' ? side.problem : '').toMatch(problem)
  })
})
