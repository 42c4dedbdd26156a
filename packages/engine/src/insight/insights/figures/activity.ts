/** When runs were begun. */
import type { RunRow } from '../row.ts'
import { dateOf, dayOf, hourOf, weekdayOf } from './calendar.ts'

export function activityOf(rows: readonly RunRow[]) {
  const byWeekday = Array.from({ length: 7 }, () => 0)
  const byHour = Array.from({ length: 24 }, () => 0)
  const seen = new Set<number>()
  for (const { startedAtMs } of rows) {
    const day = dayOf(startedAtMs)
    seen.add(day)
    increase(byWeekday, weekdayOf(day))
    increase(byHour, hourOf(startedAtMs))
  }
  const days = [...seen].sort((one, other) => one - other)
  const [first, last] = [days[0], days.at(-1)]
  return {
    /** Runs begun, Monday first, in UTC. */
    byWeekday,
    /** From midnight on, in UTC. */
    byHour,
    activeDays: days.length,
    /** Days in a row on which a run was begun: most of them. */
    longestStreakDays: longestStreak(days),
    firstDay: first === undefined ? null : dateOf(first),
    lastDay: last === undefined ? null : dateOf(last),
  }
}

/** @param days in their order, each once */
function longestStreak(days: readonly number[]): number {
  let [longest, streak] = [0, 0]
  for (const [index, day] of days.entries()) {
    streak = days[index - 1] === day - 1 ? streak + 1 : 1
    longest = Math.max(longest, streak)
  }
  return longest
}

function increase(counts: number[], index: number): void {
  counts[index] = (counts[index] ?? 0) + 1
}
