import { UsageError } from '../../errors.ts'
import type { Verifier } from '../../ports.ts'
import { showValue } from '../show-value.ts'
import { undecided } from '../undecided.ts'
import { formOf, type TextForm } from './form.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import { failed, listed, passed } from './report.ts'
import { sourceCheck, type SourceCheckOptions, sourceCheckKeys } from './source-check.ts'
import { assertKnownKeys, type OptionKeys } from '../../option-keys.ts'

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
      if (typeof value !== 'string') return undecided(`${label} is ${showValue(value)}, which is no text`)
      const matches = compiled.find(value, atLeast)
      const places = matches.map(({ text, line }) => `line ${line}: ${text}`)
      if (matches.length >= atLeast) return passed(`${label} contains ${compiled.shown}`, ...listed(places))
      if (atLeast === 1) return failed(`${label} does not contain ${compiled.shown}`)
      return failed(
        `${label} contains ${compiled.shown} ${matches.length} times, not ${atLeast} times`,
        ...listed(places),
      )
    },
  })
}
