/** What the tries say together, with how far it may be from the truth. */
import { bootstrapRatio, wilsonInterval } from '../../base/index.ts'
import type { ItemResult } from './results.ts'

/** @param left items that were not done: somebody has broken it off */
export function reportOf(items: readonly ItemResult[], left: number) {
  const driveOf = ({ drive }: ItemResult) => drive
  const environmentOf = ({ environment }: ItemResult) => environment
  return {
    /** In the order of environments, drives and seeds. */
    items,
    left,
    total: summaryOf(items),
    byDrive: grouped(items, driveOf, summaryOf),
    byEnvironment: grouped(items, environmentOf, summaryOf),
    /** Environment, then drive. */
    byBoth: grouped(items, environmentOf, (some) => grouped(some, driveOf, summaryOf)),
  }
}

export type EvaluationReport = ReturnType<typeof reportOf>
export type ScoreSummary = EvaluationReport['total']

function grouped<Value>(
  items: readonly ItemResult[],
  nameOf: (item: ItemResult) => string,
  valueOf: (items: readonly ItemResult[]) => Value,
): Readonly<Record<string, Value>> {
  const groups = Map.groupBy(items, nameOf)
  return Object.fromEntries([...groups].map(([name, some]) => [name, valueOf(some)]))
}

/** Null: there is no item. The intervals are of 95 %, after Wilson, and by bootstrap over the items. */
function summaryOf(items: readonly ItemResult[]) {
  const passed = items.filter((item) => item.passed).length
  const cases = items.map(({ score }) => ({ part: score, whole: 1 }))
  const sum = items.reduce((total, { score }) => total + score, 0)
  const share = (part: number) => (items.length === 0 ? null : part / items.length)
  return {
    items: items.length,
    passed,
    passRate: share(passed),
    passInterval: wilsonInterval(passed, items.length),
    meanScore: share(sum),
    meanInterval: bootstrapRatio(cases) ?? { low: 0, high: 1 },
  }
}
