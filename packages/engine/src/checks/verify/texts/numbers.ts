import type { MeasureEvidence } from '@donecheck/core/internal/events/verdicts'
import { z } from 'zod'
import { UsageError, explainIssue, given } from '../../../base/index.ts'
import type { Verifier, VerifierResult } from '../../../ports/checks.ts'
import { failedReport, passedReport, quoteText, showValue } from '../reports/reports.ts'
import { readOptions } from '../reports/verifier-of.ts'
import { compileQuery, jsonOf } from './json.ts'
import {
  ofText,
  sourceCheck,
  sourceCheckOptions,
  type SourceCheckOptions,
  type TextSource,
} from './source.ts'

const boundsSchema = z
  .strictObject({ min: z.number().optional(), max: z.number().optional() })
  .refine(({ min, max }) => min !== undefined || max !== undefined, 'say nothing; give min, max or both')
  .refine(
    ({ min = -Infinity, max = Infinity }) => min <= max,
    'are inverted: min is more than max; give the lower one as min',
  )
/** Inclusive. At least one is given. */
export type Bounds = Readonly<z.infer<typeof boundsSchema>>

/** @throws {UsageError} for missing, contradicting or non-finite bounds */
export function boundsOf(of: string, bounds: unknown): { readonly min?: number; readonly max?: number } {
  const parsed = boundsSchema.safeParse(bounds)
  if (parsed.success) return given({ ...parsed.data })
  const [issue] = parsed.error.issues
  throw new UsageError(
    `the bounds of ${of}: ${issue === undefined ? 'invalid' : explainIssue(issue, bounds, boundsSchema)}`,
  )
}

export function findBrokenBound(value: number, { min, max }: Bounds): number | undefined {
  if (min !== undefined && !(value >= min)) return min
  if (max !== undefined && !(value <= max)) return max
  return undefined
}

export function showBounds({ min, max }: Bounds): string {
  if (min === undefined) return `at most ${max ?? ''}`
  return max === undefined ? `at least ${min}` : `${min} to ${max}`
}

const textUnits = ['characters', 'words', 'lines'] as const
type TextUnit = (typeof textUnits)[number]

/** Counts code points, words (runs with a letter or digit) or lines (none after a final line break). */
function countIn(unit: TextUnit, text: string): number {
  switch (unit) {
    case 'characters':
      return Array.from(text).length
    case 'words':
      return text.split(/\s+/).filter((run) => /[\p{L}\p{N}]/u.test(run)).length
    case 'lines':
      return text === '' ? 0 : text.replace(/\r?\n$/, '').split('\n').length
  }
}

type LengthBounds = Readonly<Partial<Record<TextUnit, Bounds>>>

/** The text has the expected length. Non-text is `error`. @throws {UsageError} for no or invalid bounds */
export function responseLength(length: LengthBounds, options: SourceCheckOptions = {}): Verifier {
  const read = readOptions(sourceCheckOptions, options, 'responseLength')
  const lengths: unknown = length
  const isObject = typeof lengths === 'object' && lengths !== null
  const units = isObject ? textUnits.filter((unit) => unit in lengths) : []
  if (!isObject || units.length === 0 || units.length < Object.keys(lengths).length)
    throw new UsageError(
      `responseLength has ${showValue(length)}; give characters, words or lines with min or max: { words: { max: 50 } }`,
    )
  const wanted = units.map((unit) => ({ unit, bounds: boundsOf(unit, length[unit]) }))
  const words = (some: typeof wanted) =>
    some.map(({ unit, bounds }) => `${showBounds(bounds)} ${unit}`).join(', ')
  return sourceCheck({
    title: words(wanted),
    options: read,
    judge: ofText((text, label) => {
      const measures = wanted.map(({ unit, bounds }): MeasureEvidence => {
        const value = countIn(unit, text)
        return { kind: 'measure', name: unit, value, ...given({ bound: findBrokenBound(value, bounds) }) }
      })
      const shown = measures.map(({ value, name }) => `${value} ${name}`).join(', ')
      const wrong = wanted.filter((_, index) => measures[index]?.bound !== undefined)
      if (wrong.length === 0) return passedReport(`${label} has ${shown}`, ...measures)
      return failedReport(`${label} has ${shown}; wanted: ${words(wrong)}`, ...measures)
    }),
  })
}

/** The text or value itself, a JSONPath with one match, or a function's result. */
export type NumberOf = 'number' | { readonly jsonPath: string } | ((value: unknown) => unknown)

type Reading =
  { readonly kind: 'read'; readonly number: unknown } | { readonly kind: 'none'; readonly why: string }

interface Reader {
  readonly shown: string
  readonly read: (value: unknown, source: TextSource) => Reading
}

/**
 * The number is within the inclusive bounds; non-numbers such as true and "5" fail.
 * @throws {UsageError} for invalid bounds or query
 */
export function numericRange(of: NumberOf, bounds: Bounds, options: SourceCheckOptions = {}): Verifier {
  const read = readOptions(sourceCheckOptions, options, 'numericRange')
  const reader = readerOf(of)
  const range = boundsOf(reader.shown, bounds)
  const source = read.source ?? { answer: true }
  return sourceCheck({
    title: `${reader.shown} ${showBounds(range)}`,
    options: read,
    judge: (value, label) => {
      const reading = reader.read(value, source)
      if (reading.kind === 'none') return failedReport(`${label} has no such number: ${reading.why}`)
      return judgeNumber(reading.number, range, `${reader.shown} of ${label}`)
    },
  })
}

function judgeNumber(number: unknown, range: Bounds, shown: string): VerifierResult {
  if (typeof number !== 'number' || !Number.isFinite(number))
    return failedReport(
      `${shown} is ${typeof number === 'number' ? number : showValue(number)}, which is no finite number`,
    )
  const broken = findBrokenBound(number, range)
  const measure = { kind: 'measure', name: shown, value: number } as const
  if (broken === undefined) return passedReport(`${shown} is ${number}`, measure)
  return failedReport(`${shown} is ${number}; wanted: ${showBounds(range)}`, { ...measure, bound: broken })
}

function readerOf(of: NumberOf): Reader {
  const wanted: unknown = of
  if (typeof of === 'function')
    return {
      shown: 'the number',
      read: (value) => ({ kind: 'read', number: of(value) }),
    }
  if (of === 'number') return { shown: 'the number', read: readNumber }
  if (typeof wanted === 'object' && wanted !== null && typeof of.jsonPath === 'string')
    return queryReader(of.jsonPath)
  throw new UsageError(`numericRange of ${showValue(wanted)}; give "number", { jsonPath } or a function`)
}

function readNumber(value: unknown): Reading {
  if (typeof value !== 'string') return { kind: 'read', number: value }
  if (/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value))
    return { kind: 'read', number: Number(value) }
  return { kind: 'none', why: `${quoteText(value)} is no number` }
}

function queryReader(jsonPath: string): Reader {
  const query = compileQuery(jsonPath)
  return {
    shown: jsonPath,
    read(value, source) {
      const json = jsonOf(value, source)
      if (json.kind === 'no-json') return { kind: 'none', why: json.problem }
      const [node, ...more] = query(json.value)
      if (node === undefined) return { kind: 'none', why: `${jsonPath} finds nothing` }
      if (more.length > 0)
        return { kind: 'none', why: `${jsonPath} finds ${more.length + 1} places, not one` }
      return { kind: 'read', number: node.value }
    },
  }
}
