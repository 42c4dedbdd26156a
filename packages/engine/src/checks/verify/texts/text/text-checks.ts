/** What a text must hold, must not hold, must be, and how long it may be. Each reads one source: the answer by default. */
import type { MeasureEvidence } from '@donecheck/core/verdicts'
import {
  UsageError,
  assertKnownKeys,
  assertList,
  assertObject,
  type OptionKeys,
  given,
} from '../../../../base/index.ts'
import type { Verifier, VerifierReport } from '../../../../ports/checks.ts'
import { failedReport, listEvidence, passedReport, quoteText, showValue } from '../../reports/reports.ts'
import {
  boundsOf,
  countOf,
  findBrokenBound,
  showBounds,
  textUnits,
  type Bounds,
  type TextUnit,
} from './bounds.ts'
import { applyForm, compilePattern, formOf, type Pattern } from './pattern.ts'
import {
  formedCheckKeys,
  ofText,
  sourceCheck,
  sourceCheckKeys,
  type FormedCheckOptions,
  type SourceCheckOptions,
} from './source.ts'

export interface ContainsOptions extends FormedCheckOptions {
  /** Places that do not overlap. Default 1. */
  readonly atLeast?: number
}

const containsKeys: OptionKeys<ContainsOptions> = { ...formedCheckKeys, atLeast: true }

/**
 * The pattern stands in the text. A value that is no text, and a match that does not end in time, are `error`.
 * @throws {UsageError} for an empty pattern
 */
export function contains(pattern: Pattern, options: ContainsOptions = {}): Verifier {
  assertKnownKeys(options, containsKeys, 'contains')
  const { atLeast = 1 } = options
  if (!Number.isInteger(atLeast) || atLeast < 1)
    throw new UsageError(`atLeast is ${atLeast}; give a whole number of places, 1 or more`)
  const { shown, definition, find } = compilePattern(pattern, formOf(options))
  return sourceCheck({
    title: `contains ${shown}`,
    definition: { kind: 'contains', pattern: definition, atLeast },
    options,
    judge: ofText((text, label) => {
      const matches = find(text, atLeast)
      const places = listEvidence(matches.map((match) => `line ${match.line}: ${match.text}`))
      if (matches.length >= atLeast) return passedReport(`${label} contains ${shown}`, ...places)
      if (atLeast === 1) return failedReport(`${label} does not contain ${shown}`)
      return failedReport(
        `${label} contains ${shown} ${matches.length} times, not ${atLeast} times`,
        ...places,
      )
    }),
  })
}

/** Of one pattern, in the evidence. */
const maxPlaces = 20

/**
 * None of the patterns stands in the text; each one that does is named with its places. An empty text is `failed`: nothing was
 * checked. A value that is no text, and a match that does not end in time, are `error`.
 * @throws {UsageError} for an empty list or an empty pattern
 */
export function forbiddenPatterns(patterns: readonly Pattern[], options: FormedCheckOptions = {}): Verifier {
  assertKnownKeys(options, formedCheckKeys, 'forbiddenPatterns')
  assertList(patterns, 'forbiddenPatterns', 'a list of texts or regular expressions: [/TODO/]')
  if (patterns.length === 0)
    throw new UsageError('forbiddenPatterns has no pattern, and would forbid nothing; give at least one')
  const form = formOf(options)
  const compiled = patterns.map((pattern) => compilePattern(pattern, form))
  return sourceCheck({
    title: `free of ${cutList(compiled.map(({ shown }) => shown))}`,
    definition: { kind: 'forbiddenPatterns', patterns: compiled.map(({ definition }) => definition) },
    options,
    judge: ofText((text, label) => {
      if (text.trim() === '') return failedReport(`${label} is empty: there is nothing to check`)
      const found = compiled
        .map(({ shown, find }) => ({ shown, places: find(text, maxPlaces) }))
        .filter(({ places }) => places.length > 0)
      if (found.length === 0) return passedReport(`${label} is free of ${compiled.length} forbidden patterns`)
      const lines = found.flatMap(({ shown, places }) =>
        places.map((place) => `line ${place.line}: ${place.text} (${shown})`),
      )
      const names = found.map(({ shown }) => shown).join(', ')
      return failedReport(`${label} has what is forbidden: ${names}`, ...listEvidence(lines))
    }),
  })
}

/** The first three, and how many more there are. */
export function cutList(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}

/**
 * The whole text is the expected one: not a part of it, not more than it; what may differ all the same is said by
 * `caseSensitive` and `whitespace`. A value that is no text is `error`.
 * @throws {UsageError} for an expected text that is empty, since an answer that is missing would match it
 */
export function exactMatch(expected: string, options: FormedCheckOptions = {}): Verifier {
  assertKnownKeys(options, formedCheckKeys, 'exactMatch')
  const form = formOf(options)
  const given: unknown = expected
  if (typeof given !== 'string' || applyForm(given, form).trim() === '')
    throw new UsageError(`the expected text is ${showValue(given)}; give a text that is not empty`)
  return sourceCheck({
    title: `exactly ${quoteText(expected, 40)}`,
    definition: { kind: 'exactMatch', expected, ...form },
    options,
    judge: ofText((text, label) => compare(applyForm(text, form), applyForm(expected, form), label)),
  })
}

function compare(actual: string, expected: string, label: string): VerifierReport {
  if (actual === expected) return passedReport(`${label} is the expected text`)
  let at = 0
  while (at < actual.length && actual[at] === expected[at]) at++
  const ahead = (text: string) => (at >= text.length ? 'the end' : quoteText(text.slice(at), 40))
  const place = `character ${at + 1} (line ${actual.slice(0, at).split('\n').length})`
  return failedReport(
    `${label} is not the expected text: from ${place} on it is ${ahead(actual)}, expected is ${ahead(expected)}`,
  )
}

/** At least one of the three. */
export type LengthBounds = Readonly<Partial<Record<TextUnit, Bounds>>>

/**
 * The text is as long as wanted, in code points, words or lines: every bound holds. A value that is no text is `error`.
 * @throws {UsageError} for no bound, inverted bounds, or bounds that are no finite numbers
 */
export function responseLength(length: LengthBounds, options: SourceCheckOptions = {}): Verifier {
  assertKnownKeys(options, sourceCheckKeys, 'responseLength')
  assertObject(length, 'responseLength', 'characters, words or lines with min or max: { words: { max: 50 } }')
  const unknown = Object.keys(length).find((unit) => !textUnits.some((known) => known === unit))
  const wanted = textUnits.flatMap((unit) => {
    const bounds = length[unit]
    return bounds === undefined ? [] : [{ unit, bounds: boundsOf(unit, bounds) }]
  })
  if (unknown !== undefined || wanted.length === 0)
    throw new UsageError(
      `responseLength has ${showValue(length)}; give characters, words or lines with min or max`,
    )
  const words = (some: typeof wanted) =>
    some.map(({ unit, bounds }) => `${showBounds(bounds)} ${unit}`).join(', ')
  return sourceCheck({
    title: words(wanted),
    definition: { kind: 'responseLength', wanted: wanted.map(({ unit, bounds }) => [unit, { ...bounds }]) },
    options,
    judge: ofText((text, label) => {
      const measures = wanted.map(({ unit, bounds }): MeasureEvidence => {
        const value = countOf(unit, text)
        const bound = findBrokenBound(value, bounds)
        return { kind: 'measure', name: unit, value, ...given({ bound }) }
      })
      const shown = measures.map(({ value, name }) => `${value} ${name}`).join(', ')
      const wrong = wanted.filter((_, index) => measures[index]?.bound !== undefined)
      if (wrong.length === 0) return passedReport(`${label} has ${shown}`, ...measures)
      return failedReport(`${label} has ${shown}; wanted: ${words(wrong)}`, ...measures)
    }),
  })
}
