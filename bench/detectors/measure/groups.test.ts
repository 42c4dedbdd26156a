import { describe, expect, it } from 'vitest'
import { madeRun } from '@donecheck/engine/testing'
import { halfOf } from '../../halves.ts'
import { dataSetGroups, judgedGroup, wholeGroups } from './groups.ts'
import { measureRun } from './measured-run.ts'

const labels = ['oracle-stop']
const ids = Array.from({ length: 40 }, (_, index) => `made/${index}`)
const tuned = ids.filter((id) => halfOf(id) === 'tune')
const kept = ids.filter((id) => halfOf(id) === 'report')
const measured = (of: readonly string[], file = 'made', isOracle = false) =>
  of.map((id) =>
    measureRun(
      madeRun([], { id, file, outcome: { resolved: true, ...(isOracle ? { labels } : {}) } }),
      [],
      [],
    ),
  )

describe('given runs of one half', () => {
  it('has one sum, without the oracle-stopped runs', () => {
    const runs = [...measured(tuned), ...measured(tuned, 'other', true)]
    expect(wholeGroups(runs).map(({ name, runs: members }) => [name, members.length])).toEqual([
      ['tune half', tuned.length],
    ])
  })
})

describe('given runs of both halves', () => {
  it('has a sum for each and one for both, and judges by the report half', () => {
    const runs = measured(ids)
    expect(wholeGroups(runs).map(({ name }) => name)).toEqual(['report half', 'tune half', 'both halves'])
    expect(judgedGroup(runs).runs).toHaveLength(kept.length)
  })
})

describe('given several files', () => {
  it('keeps the oracle-stopped runs of a file apart from its others', () => {
    const runs = [...measured(ids, 'b'), ...measured(ids, 'a'), ...measured(ids, 'a', true)]
    expect(dataSetGroups(runs).map(({ name }) => name)).toEqual(['a', 'a (oracle-stopped)', 'b'])
  })
})

describe('given no runs', () => {
  it('judges by nothing', () => {
    expect(judgedGroup([]).runs).toEqual([])
  })
})
