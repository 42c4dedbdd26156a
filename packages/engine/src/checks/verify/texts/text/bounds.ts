import { UsageError, given } from '../../../../base/index.ts'
import { showValue } from '../../reports/reports.ts'

/** Both ends belong to it. At least one is given. */
export interface Bounds {
  readonly min?: number
  readonly max?: number
}

/** @throws {UsageError} for bounds that say nothing, contradict each other, or are no finite numbers */
export function boundsOf(of: string, { min, max }: Bounds): Bounds {
  if (min === undefined && max === undefined)
    throw new UsageError(`the bounds of ${of} say nothing; give min, max or both`)
  for (const [name, bound] of Object.entries({ min, max }))
    if (bound !== undefined && !Number.isFinite(bound))
      throw new UsageError(
        `${name} of ${of} is ${showValue(bound)}; give a finite number, or leave it out for no bound`,
      )
  if (min !== undefined && max !== undefined && min > max)
    throw new UsageError(`the bounds of ${of} are inverted: min ${min} is more than max ${max}`)
  return given({ min, max })
}

/** The bound that a number breaks; NaN breaks every one. */
export function findBrokenBound(value: number, { min, max }: Bounds): number | undefined {
  if (min !== undefined && !(value >= min)) return min
  if (max !== undefined && !(value <= max)) return max
  return undefined
}

export function showBounds({ min, max }: Bounds): string {
  if (min === undefined) return `at most ${max ?? ''}`
  return max === undefined ? `at least ${min}` : `${min} to ${max}`
}

/** What can be counted in a text. */
export const textUnits = ['characters', 'words', 'lines'] as const

export type TextUnit = (typeof textUnits)[number]

/**
 * Characters are Unicode code points. A word is a run without white space that has a letter or a digit in it: dashes and
 * invisible characters fill no quota. A line break at the end begins no line.
 */
export function countOf(unit: TextUnit, text: string): number {
  switch (unit) {
    case 'characters':
      return Array.from(text).length
    case 'words':
      return text.split(/\s+/).filter((run) => /[\p{L}\p{N}]/u.test(run)).length
    case 'lines':
      return text === '' ? 0 : text.replace(/\r?\n$/, '').split('\n').length
  }
}
