import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '@donecheck/core/internal/events'
import type { z } from 'zod'
import { UsageError } from '../../../base/index.ts'
import type { Verifier, VerifierResult } from '../../../ports/checks.ts'
import { failedReport, listEvidence, passedReport, showValue } from '../reports/reports.ts'
import { readOptions } from '../reports/verifier-of.ts'
import { compileQuery, jsonOf, type QueriedPlace } from '../texts/json.ts'
import { boundsOf, findBrokenBound, showBounds, type Bounds } from '../texts/numbers.ts'
import { compilePattern, type CompiledPattern, type Pattern } from '../texts/patterns.ts'
import { sourceCheck, sourceCheckOptions, type TextSource } from '../texts/source.ts'

export type JsonExpectation =
  | { readonly exists: boolean }
  | { readonly equals: JsonValue }
  /** At least one match; each is a text that contains the pattern. */
  | { readonly matches: Pattern }
  /** Exact or bounded number of matches. */
  | { readonly count: number | Bounds }

const jsonPathOptions = sourceCheckOptions.omit({ source: true })
type JsonPathOptions = Readonly<z.infer<typeof jsonPathOptions>>

interface CompiledExpectation {
  readonly shown: string
  readonly problem: (places: readonly QueriedPlace[]) => string | undefined
}

/**
 * Compares what a JSONPath query (RFC 9535) finds. Non-JSON and a missing file: `failed`; a slow query:
 * `error`.
 * @param source path relative to the work folder, or any source
 * @throws {UsageError} for an invalid query or expectation
 */
export function jsonPath(
  source: string | TextSource,
  query: string,
  expectation: JsonExpectation,
  given: JsonPathOptions = {},
): Verifier {
  const options = readOptions(jsonPathOptions, given, 'jsonPath')
  const ask = compileQuery(query)
  const expected = compileExpectation(expectation)
  const where: TextSource = typeof source === 'string' ? { file: source } : source
  return sourceCheck({
    title: `${query} ${expected.shown}`,
    options: { ...options, source: where },
    judge: (value, label) => {
      const json = jsonOf(value, where)
      if (json.kind === 'no-json') return failedReport(`${label}: ${json.problem}`)
      return judge(ask(json.value), expected, query, label)
    },
  })
}

function judge(
  places: readonly QueriedPlace[],
  expected: CompiledExpectation,
  query: string,
  label: string,
): VerifierResult {
  const problem = expected.problem(places)
  const found = listEvidence(places.map(({ path, value }) => `${path}: ${showValue(value)}`))
  if (problem === undefined) return passedReport(`${query} ${expected.shown} in ${label}`, ...found)
  return failedReport(`${query} in ${label} ${problem}; wanted: ${expected.shown}`, ...found)
}

function compileExpectation(expectation: JsonExpectation): CompiledExpectation {
  const given: unknown = expectation
  if (typeof given === 'object' && given !== null && Object.keys(given).length === 1) {
    if ('exists' in expectation && typeof expectation.exists === 'boolean')
      return existence(expectation.exists)
    if ('equals' in expectation) return equality(expectation.equals)
    if ('matches' in expectation) return matching(compilePattern(expectation.matches))
    if ('count' in expectation) return counting(expectation.count)
  }
  throw new UsageError(
    `the expectation is ${showValue(given)}; give exactly one of { exists }, { equals }, { matches } and { count }`,
  )
}

function existence(exists: boolean): CompiledExpectation {
  return {
    shown: exists ? 'exists' : 'does not exist',
    problem: ({ length }) => {
      if (length > 0 === exists) return undefined
      return exists ? 'finds nothing' : `finds ${places(length)}`
    },
  }
}

function equality(equals: JsonValue): CompiledExpectation {
  const text: unknown = JSON.stringify(equals)
  if (typeof text !== 'string' || !isDeepStrictEqual(JSON.parse(text), equals))
    throw new UsageError(`equals is ${showValue(equals)}, which is no JSON; give a JSON value`)
  const wanted: unknown = JSON.parse(text)
  return {
    shown: `is ${showValue(wanted)}`,
    problem: ([first, ...more]) => {
      if (first === undefined) return 'finds nothing'
      if (more.length > 0) return `finds ${places(more.length + 1)}, not one`
      return isDeepStrictEqual(first.value, wanted) ? undefined : `is ${showValue(first.value)}`
    },
  }
}

function matching(pattern: CompiledPattern): CompiledExpectation {
  return {
    shown: `matches ${pattern.shown}`,
    problem: (found) => {
      if (found.length === 0) return 'finds nothing'
      const wrong = found.find(
        ({ value }) => typeof value !== 'string' || pattern.find(value, 1).length === 0,
      )
      return wrong === undefined ? undefined : `has ${showValue(wrong.value)} at ${wrong.path}`
    },
  }
}

function counting(count: number | Bounds): CompiledExpectation {
  const bounds = boundsOf('count', typeof count === 'number' ? { min: count, max: count } : count)
  const shown = typeof count === 'number' ? places(count) : `${showBounds(bounds)} places`
  return {
    shown: `finds ${shown}`,
    problem: ({ length }) =>
      findBrokenBound(length, bounds) === undefined ? undefined : `finds ${places(length)}`,
  }
}

function places(count: number): string {
  return count === 1 ? '1 place' : `${count} places`
}
