/** What is left of a goal after each verification, and whether that becomes less. */

export interface LeftReading {
  readonly turn: number
  /** Of the required checks; one that does not pass and counts no tests is one. */
  readonly failingTests: number
  /** Leaves that are not closed; what the drive itself proposed does not count. */
  readonly openParts: number
}

/** Readings that are kept. */
export const keptReadings = 20
/** Readings before the latest that it is compared with. */
const comparedReadings = 3

export type Trend = 'falling' | 'stuck' | 'growing'

/** The latest against those just before it. Undefined: there is nothing to compare it with. */
export function trendOf(readings: readonly LeftReading[]): Trend | undefined {
  const latest = readings.at(-1)
  const before = readings.slice(-1 - comparedReadings, -1).map(totalLeft)
  if (latest === undefined || before.length === 0) return undefined
  if (totalLeft(latest) < Math.min(...before)) return 'falling'
  return totalLeft(latest) > Math.max(...before) ? 'growing' : 'stuck'
}

function totalLeft({ failingTests, openParts }: LeftReading): number {
  return failingTests + openParts
}

/** Such as `3 failing tests, 2 open parts (5 after turn 2, 5 after turn 4: stuck)`; undefined: nothing is known to be left. */
export function leftWords(readings: readonly LeftReading[]): string | undefined {
  const latest = readings.at(-1)
  if (latest === undefined || totalLeft(latest) === 0) return undefined
  const parts = [counted(latest.failingTests, 'failing test'), counted(latest.openParts, 'open part')].filter(
    (words) => words !== '',
  )
  const trend = trendOf(readings)
  const course = readings
    .slice(-1 - comparedReadings)
    .map((reading) => `${totalLeft(reading)} after turn ${reading.turn}`)
  return `${parts.join(', ')}${trend === undefined ? '' : ` (${course.join(', ')}: ${trend})`}`
}

function counted(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`
}
