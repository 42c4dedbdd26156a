import { UsageError, assertKnownKeys, type OptionKeys } from '../../../../base/index.ts'
import type { Verifier } from '../../../../ports/checks.ts'
import { showValue } from '../../reports/show-value.ts'
import { undecidedReport } from '../../reports/undecided.ts'
import { formOf, type TextForm } from './form.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import { failedReport, listEvidence, passedReport } from './report.ts'
import { sourceCheck, type SourceCheckOptions, sourceCheckKeys } from './source-check.ts'

export interface ForbiddenPatternsOptions extends SourceCheckOptions, TextForm {}

const forbiddenPatternsKeys: OptionKeys<ForbiddenPatternsOptions> = {
  ...sourceCheckKeys,
  caseSensitive: true,
  whitespace: true,
}

/** Of one pattern, in the evidence. */
const maxPlaces = 20

/**
 * None of the patterns stands in the text; each one that does is named with its places. Reads one source (the answer by
 * default). An empty text is `failed`: nothing was checked. A value that is no text, and a match that does not end in
 * time, are `error`.
 * @throws {UsageError} for an empty list or an empty pattern
 */
export function forbiddenPatterns(
  patterns: readonly Pattern[],
  options: ForbiddenPatternsOptions = {},
): Verifier {
  assertKnownKeys(options, forbiddenPatternsKeys, 'forbiddenPatterns')
  if (patterns.length === 0)
    throw new UsageError('forbiddenPatterns has no pattern, and would forbid nothing; give at least one')
  const form = formOf(options)
  const compiled = patterns.map((pattern) => compilePattern(pattern, form))
  const shown = compiled.map((pattern) => pattern.shown)
  return sourceCheck({
    title: `free of ${shown.slice(0, 3).join(', ')}${shown.length > 3 ? ` and ${shown.length - 3} more` : ''}`,
    definition: { kind: 'forbiddenPatterns', patterns: compiled.map(({ definition }) => definition) },
    options,
    judge: (value, label) => {
      if (typeof value !== 'string')
        return undecidedReport(`${label} is ${showValue(value)}, which is no text`)
      if (value.trim() === '') return failedReport(`${label} is empty: there is nothing to check`)
      const found = compiled
        .map((pattern) => ({ ...pattern, places: pattern.find(value, maxPlaces) }))
        .filter(({ places }) => places.length > 0)
      if (found.length === 0) return passedReport(`${label} is free of ${compiled.length} forbidden patterns`)
      const lines = found.flatMap((pattern) =>
        pattern.places.map(({ line, text }) => `line ${line}: ${text} (${pattern.shown})`),
      )
      const names = found.map((pattern) => pattern.shown).join(', ')
      return failedReport(`${label} has what is forbidden: ${names}`, ...listEvidence(lines))
    },
  })
}
