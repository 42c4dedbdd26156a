import { UsageError } from '../../../../base/index.ts'
import { showValue } from '../../reports/reports.ts'

/** A status code, a range of them with both ends, or several of either. */
export type WantedStatus = number | StatusRange | readonly (number | StatusRange)[]

export interface StatusRange {
  readonly from: number
  readonly to: number
}

export interface StatusMatcher {
  /** For names and reasons, such as `200` or `200 to 299`. */
  readonly shown: string
  readonly ranges: readonly StatusRange[]
}

/** @throws {UsageError} for what no answer can have: a list of nothing, a code outside of 100 to 599, a range upside down */
export function statusMatcher(wanted: WantedStatus): StatusMatcher {
  const listed = Array.isArray(wanted) ? wanted : [wanted]
  const ranges = listed.map(rangeOf)
  if (ranges.length === 0)
    throw new UsageError('status is an empty list; give the status to wait for, such as 200')
  const shown = ranges.map(({ from, to }) => (from === to ? String(from) : `${from} to ${to}`))
  return { shown: shown.join(' or '), ranges }
}

export function isWanted({ ranges }: StatusMatcher, status: number): boolean {
  return ranges.some(({ from, to }) => from <= status && status <= to)
}

function rangeOf(given: unknown): StatusRange {
  const range = typeof given === 'number' ? { from: given, to: given } : given
  if (isRange(range) && isStatus(range.from) && isStatus(range.to) && range.from <= range.to)
    return { from: range.from, to: range.to }
  throw new UsageError(`status has ${showValue(given)}; give a code from 100 to 599, or { from, to }`)
}

function isRange(given: unknown): given is { readonly from: unknown; readonly to: unknown } & StatusRange {
  return typeof given === 'object' && given !== null && 'from' in given && 'to' in given
}

function isStatus(code: unknown): code is number {
  return typeof code === 'number' && Number.isInteger(code) && code >= 100 && code <= 599
}
