import { halves } from '../../halves.ts'
import type { MeasuredRun } from './measured-run.ts'

export interface Group {
  readonly name: string
  readonly runs: readonly MeasuredRun[]
}

/**
 * The runs of one half outside the oracle-stopped set: what is held against the aims. The report half where it was measured,
 * else the other.
 */
export function judgedGroup(runs: readonly MeasuredRun[]): Group {
  const [first = { name: 'no runs', runs: [] }] = wholeGroups(runs)
  return first
}

/** The report half, the tune half, and both together where both were measured; all without the oracle-stopped runs. */
export function wholeGroups(runs: readonly MeasuredRun[]): readonly Group[] {
  const fair = runs.filter(({ isOracleStopped }) => !isOracleStopped)
  const byHalf = halves
    .map((name) => ({ name, runs: name === 'all' ? fair : fair.filter(({ half }) => half === name) }))
    .filter((group) => group.runs.length > 0)
    .map((group) => ({ ...group, name: group.name === 'all' ? 'both halves' : `${group.name} half` }))
  return byHalf.length < halves.length ? byHalf.slice(0, 1) : byHalf
}

/** Each data set by itself, the oracle-stopped ones too. */
export function dataSetGroups(runs: readonly MeasuredRun[]): readonly Group[] {
  const names = [...new Set(runs.map(({ dataSet }) => dataSet))].sort()
  return names.map((name) => ({ name, runs: runs.filter(({ dataSet }) => dataSet === name) }))
}
