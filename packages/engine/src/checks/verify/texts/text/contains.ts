import { UsageError, assertKnownKeys, type OptionKeys } from '../../../../base/index.ts'
import type { Verifier } from '../../../../ports/checks.ts'
import { showValue } from '../../reports/show-value.ts'
import { undecidedReport } from '../../reports/undecided.ts'
import { formOf, type TextForm } from './form.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import { failedReport, listEvidence, passedReport } from './report.ts'
import { sourceCheck, type SourceCheckOptions, sourceCheckKeys } from './source-check.ts'

export interface ContainsOptions extends SourceCheckOptions, TextForm {
  /** Places that do not overlap. Default 1. */
  readonly atLeast?: number
}

const containsKeys: OptionKeys<ContainsOptions> = {
  ...sourceCheckKeys,
  atLeast: true,
  caseSensitive: true,
  whitespace: true,
}

/**
 * The pattern stands in the text. Reads one source (the answer by default). A value that is no text, and a match that
 * does not end in time, are `error`.
 * @throws {UsageError} for an empty pattern
 */
export function contains(pattern: Pattern, options: ContainsOptions = {}): Verifier {
  assertKnownKeys(options, containsKeys, 'contains')
  const { atLeast = 1 } = options
  if (!Number.isInteger(atLeast) || atLeast < 1)
    throw new UsageError(`atLeast is ${atLeast}; give a whole number of places, 1 or more`)
  const compiled = compilePattern(pattern, formOf(options))
  return sourceCheck({
    title: `contains ${compiled.shown}`,
    definition: { kind: 'contains', pattern: compiled.definition, atLeast },
    options,
    judge: (value, label) => {
      if (typeof value !== 'string')
        return undecidedReport(`${label} is ${showValue(value)}, which is no text`)
      const matches = compiled.find(value, atLeast)
      const places = matches.map(({ text, line }) => `line ${line}: ${text}`)
      if (matches.length >= atLeast)
        return passedReport(`${label} contains ${compiled.shown}`, ...listEvidence(places))
      if (atLeast === 1) return failedReport(`${label} does not contain ${compiled.shown}`)
      return failedReport(
        `${label} contains ${compiled.shown} ${matches.length} times, not ${atLeast} times`,
        ...listEvidence(places),
      )
    },
  })
}
