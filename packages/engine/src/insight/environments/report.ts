/** What the tries say together, with how far it may be from the truth. */
import { bootstrapRatio, wilsonInterval, type Interval } from '../../base/index.ts'
import type { ItemResult } from './results.ts'

export interface ScoreSummary {
  readonly items: number
  readonly passed: number
  /** Null: there is no item. */
  readonly passRate: number | null
  /** 95 %, after Wilson. */
  readonly passInterval: Interval
  /** Null: there is no item. */
  readonly meanScore: number | null
  /** 95 %, by bootstrap over the items. */
  readonly meanInterval: Interval
}

export interface EvaluationReport {
  /** In the order of environments, drives and seeds. */
  readonly items: readonly ItemResult[]
  /** Items that were not done: somebody has broken it off. */
  readonly left: number
  readonly total: ScoreSummary
  readonly byDrive: Readonly<Record<string, ScoreSummary>>
  readonly byEnvironment: Readonly<Record<string, ScoreSummary>>
  /** Environment, then drive. */
  readonly byBoth: Readonly<Record<string, Readonly<Record<string, ScoreSummary>>>>
}

export function reportOf(items: readonly ItemResult[], left: number): EvaluationReport {
  return {
    items,
    left,
    total: summaryOf(items),
    byDrive: grouped(items, ({ drive }) => drive, summaryOf),
    byEnvironment: grouped(items, ({ environment }) => environment, summaryOf),
    byBoth: grouped(
      items,
      ({ environment }) => environment,
      (some) => grouped(some, ({ drive }) => drive, summaryOf),
    ),
  }
}

function grouped<Value>(
  items: readonly ItemResult[],
  nameOf: (item: ItemResult) => string,
  valueOf: (items: readonly ItemResult[]) => Value,
): Readonly<Record<string, Value>> {
  const groups = Map.groupBy(items, nameOf)
  return Object.fromEntries([...groups].map(([name, some]) => [name, valueOf(some)]))
}

function summaryOf(items: readonly ItemResult[]): ScoreSummary {
  const passed = items.filter((item) => item.passed).length
  const cases = items.map(({ score }) => ({ part: score, whole: 1 }))
  const sum = items.reduce((total, { score }) => total + score, 0)
  const isEmpty = items.length === 0
  return {
    items: items.length,
    passed,
    passRate: isEmpty ? null : passed / items.length,
    passInterval: wilsonInterval(passed, items.length),
    meanScore: isEmpty ? null : sum / items.length,
    meanInterval: bootstrapRatio(cases) ?? { low: 0, high: 1 },
  }
}
