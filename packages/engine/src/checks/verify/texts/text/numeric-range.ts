import { UsageError, assertKnownKeys, assertObject, type OptionKeys } from '../../../../base/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import type { Verifier, VerifierReport } from '../../../../ports/checks.ts'
import { compileQuery } from '../../work-tree/files/query.ts'
import { jsonOf } from '../schema/json-in-text.ts'
import { showValue, failedReport, passedReport, quoteText } from '../../reports/reports.ts'
import {
  boundsOf,
  findBrokenBound,
  showBounds,
  type Bounds,
  countOf,
  textUnits,
  type TextUnit,
} from './bounds.ts'
import { sourceCheck, sourceCheckKeys, type SourceCheckOptions, type TextSource } from './source.ts'

/**
 * The number that is meant: a count of the text, `number` (the text is the number, or the value is), the one place of a
 * JSONPath, or what a function makes of the text or value.
 */
export type NumberOf = TextUnit | 'number' | { readonly jsonPath: string } | ((value: unknown) => unknown)

export interface NumericRangeOptions extends SourceCheckOptions {
  /** Default false: an infinite number fails, however far a bound goes. */
  readonly allowInfinite?: boolean
}

const numericRangeKeys: OptionKeys<NumericRangeOptions> = { ...sourceCheckKeys, allowInfinite: true }

type Reading =
  { readonly kind: 'read'; readonly number: unknown } | { readonly kind: 'none'; readonly why: string }

interface Reader {
  readonly shown: string
  readonly definition: JsonValue | undefined
  readonly read: (value: unknown, source: TextSource) => Reading
}

/**
 * The number lies within the bounds, ends included. Reads one source (the answer by default). What is no number fails,
 * and so do NaN, true and "5" where a number is asked for.
 * @throws {UsageError} for no bound, inverted bounds, bounds that are no finite numbers, or a query that is none
 */
export function numericRange(of: NumberOf, bounds: Bounds, options: NumericRangeOptions = {}): Verifier {
  assertKnownKeys(options, numericRangeKeys, 'numericRange')
  const reader = readerOf(of)
  assertObject(bounds, 'the bounds of numericRange', 'min, max or both: { max: 3 }')
  const range = boundsOf(reader.shown, bounds)
  const { allowInfinite = false } = options
  const source = options.source ?? { answer: true }
  const { definition } = reader
  return sourceCheck({
    title: `${reader.shown} ${showBounds(range)}`,
    definition:
      definition === undefined
        ? undefined
        : { kind: 'numericRange', of: definition, bounds: { ...range }, allowInfinite },
    options,
    judge: (value, label) => {
      const reading = reader.read(value, source)
      if (reading.kind === 'none') return failedReport(`${label} has no such number: ${reading.why}`)
      return judge(reading.number, range, allowInfinite, `${reader.shown} of ${label}`)
    },
  })
}

function judge(number: unknown, range: Bounds, allowInfinite: boolean, shown: string): VerifierReport {
  if (typeof number !== 'number') return failedReport(`${shown} is ${showValue(number)}, which is no number`)
  if (Number.isNaN(number)) return failedReport(`${shown} is NaN, which lies in no range`)
  if (!Number.isFinite(number)) {
    const isIn = allowInfinite && findBrokenBound(number, range) === undefined
    return (isIn ? passedReport : failedReport)(
      `${shown} is ${number}${isIn ? '' : `; wanted: ${showBounds(range)}, finite`}`,
    )
  }
  const broken = findBrokenBound(number, range)
  const measure = { kind: 'measure', name: shown, value: number } as const
  if (broken === undefined) return passedReport(`${shown} is ${number}`, measure)
  return failedReport(`${shown} is ${number}; wanted: ${showBounds(range)}`, { ...measure, bound: broken })
}

function readerOf(of: NumberOf): Reader {
  if (typeof of === 'function')
    return {
      shown: 'the number',
      definition: undefined,
      read: (value) => ({ kind: 'read', number: of(value) }),
    }
  if (of === 'number') return { shown: 'the number', definition: of, read: theNumberItself }
  const unit = textUnits.find((known) => known === of)
  if (unit !== undefined) return { shown: unit, definition: unit, read: (value) => readCount(unit, value) }
  const given: unknown = of
  const query =
    typeof given === 'object' && given !== null && 'jsonPath' in given ? given.jsonPath : undefined
  if (typeof query === 'string') return queryReader(query)
  throw new UsageError(
    `numericRange of ${showValue(given)}; give "characters", "words", "lines", "number", { jsonPath } or a function`,
  )
}

function readCount(unit: TextUnit, value: unknown): Reading {
  if (typeof value === 'string') return { kind: 'read', number: countOf(unit, value) }
  return { kind: 'none', why: `${showValue(value)} is no text` }
}

function theNumberItself(value: unknown): Reading {
  if (typeof value !== 'string') return { kind: 'read', number: value }
  if (/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i.test(value))
    return { kind: 'read', number: Number(value) }
  return { kind: 'none', why: `${quoteText(value)} is no number` }
}

function queryReader(jsonPath: string): Reader {
  const query = compileQuery(jsonPath)
  return {
    shown: jsonPath,
    definition: { jsonPath },
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
