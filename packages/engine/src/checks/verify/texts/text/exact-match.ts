import { UsageError, assertKnownKeys, type OptionKeys } from '../../../../base/index.ts'
import type { Verifier, VerifierReport } from '../../../../ports/checks.ts'
import { showValue } from '../../reports/show-value.ts'
import { undecidedReport } from '../../reports/undecided.ts'
import { applyForm, formOf, type TextForm } from './form.ts'
import { failedReport, passedReport, quoteText } from './report.ts'
import { sourceCheck, type SourceCheckOptions, sourceCheckKeys } from './source-check.ts'

export interface ExactMatchOptions extends SourceCheckOptions, TextForm {}

const exactMatchKeys: OptionKeys<ExactMatchOptions> = {
  ...sourceCheckKeys,
  caseSensitive: true,
  whitespace: true,
}

/**
 * The whole text is the expected one: not a part of it, not more than it. Reads one source (the answer by default);
 * what may differ all the same is said by `caseSensitive` and `whitespace`. A value that is no text is `error`.
 * @throws {UsageError} for an expected text that is empty, since an answer that is missing would match it
 */
export function exactMatch(expected: string, options: ExactMatchOptions = {}): Verifier {
  assertKnownKeys(options, exactMatchKeys, 'exactMatch')
  const form = formOf(options)
  const given: unknown = expected
  if (typeof given !== 'string' || applyForm(given, form).trim() === '')
    throw new UsageError(`the expected text is ${showValue(given)}; give a text that is not empty`)
  return sourceCheck({
    title: `exactly ${quoteText(expected, 40)}`,
    definition: { kind: 'exactMatch', expected, ...form },
    options,
    judge: (value, label) => {
      if (typeof value !== 'string')
        return undecidedReport(`${label} is ${showValue(value)}, which is no text`)
      return compare(applyForm(value, form), applyForm(expected, form), label)
    },
  })
}

function compare(actual: string, expected: string, label: string): VerifierReport {
  if (actual === expected) return passedReport(`${label} is the expected text`)
  const at = firstDifference(actual, expected)
  const place = `character ${at + 1} (line ${actual.slice(0, at).split('\n').length})`
  return failedReport(
    `${label} is not the expected text: from ${place} on it is ${ahead(actual, at)}, expected is ${ahead(expected, at)}`,
  )
}

function firstDifference(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return at
}

function ahead(text: string, at: number): string {
  return at >= text.length ? 'the end' : quoteText(text.slice(at), 40)
}
