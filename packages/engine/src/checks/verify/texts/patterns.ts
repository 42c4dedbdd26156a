import { z } from 'zod'
import { UsageError } from '../../../base/index.ts'
import type { Verifier } from '../../../ports/checks.ts'
import { failedReport, listEvidence, passedReport, quoteText, showValue } from '../reports/reports.ts'
import { readOptions } from '../reports/verifier-of.ts'
import { ofText, sourceCheck, sourceCheckOptions } from './source.ts'

/** Literal text, or a regular expression (flags `g` and `y` are ignored). */
export type Pattern = string | RegExp

interface Match {
  readonly text: string
  /** From 1. */
  readonly line: number
}

export interface CompiledPattern {
  readonly shown: string
  /** The first `most` matches, not overlapping. Not time-limited. */
  readonly find: (text: string, most: number) => readonly Match[]
}

/** @throws {UsageError} for an empty pattern, which matches any text */
export function compilePattern(pattern: Pattern, caseSensitive = true): CompiledPattern {
  const given: unknown = pattern
  if (typeof given !== 'string' && !(given instanceof RegExp))
    throw new UsageError(`the pattern is ${showValue(given)}; give a text or a regular expression`)
  const source =
    typeof given === 'string' ? given.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`) : given.source
  if (source === '' || source === '(?:)')
    throw new UsageError(
      `the pattern ${typeof given === 'string' ? '""' : '//'} is empty, and stands in every text; give something to look for`,
    )
  const own = typeof given === 'string' ? '' : given.flags.replace(/[gy]/g, '')
  const flags = caseSensitive || own.includes('i') ? own : `${own}i`
  const global = new RegExp(source, `${flags}g`)
  return {
    shown: typeof given === 'string' ? quoteText(given, 40) : `/${source}/${flags}`,
    find(text, most) {
      const found: Match[] = []
      for (const match of text.matchAll(global)) {
        if (found.length >= most) break
        found.push({ text: match[0], line: lineAt(text, match.index) })
      }
      return found
    },
  }
}

function lineAt(text: string, index: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line++
  return line
}

const patternOptions = sourceCheckOptions.extend({
  /** Default true. */
  caseSensitive: z.boolean().optional(),
})
export type PatternOptions = Readonly<z.infer<typeof patternOptions>>

const containsOptions = patternOptions.extend({
  /** Minimum of non-overlapping matches. Default 1. */
  atLeast: z.number().int().min(1).optional(),
})
type ContainsOptions = Readonly<z.infer<typeof containsOptions>>

/** The pattern occurs. A non-text or a slow match is `error`. @throws {UsageError} for an empty pattern */
export function contains(pattern: Pattern, given: ContainsOptions = {}): Verifier {
  const options = readOptions(containsOptions, given, 'contains')
  const { atLeast = 1, caseSensitive } = options
  const { shown, find } = compilePattern(pattern, caseSensitive)
  return sourceCheck({
    title: `contains ${shown}`,
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

/** @throws {UsageError} for a missing or empty list, or an empty pattern */
function compileAll(
  name: string,
  patterns: readonly Pattern[],
  caseSensitive: boolean | undefined,
): readonly CompiledPattern[] {
  const given: unknown = patterns
  if (!Array.isArray(given) || given.length === 0)
    throw new UsageError(
      `${name} takes a list of texts or regular expressions that is not empty, such as [/TODO/], not ${showValue(given)}`,
    )
  return patterns.map((pattern) => compilePattern(pattern, caseSensitive))
}

function cutList(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}

const maxPlaces = 20

/**
 * No pattern occurs. An empty text fails, because it proves nothing; a non-text or slow match is `error`.
 * @throws {UsageError} for an empty list or pattern
 */
export function forbiddenPatterns(patterns: readonly Pattern[], given: PatternOptions = {}): Verifier {
  const options = readOptions(patternOptions, given, 'forbiddenPatterns')
  const compiled = compileAll('forbiddenPatterns', patterns, options.caseSensitive)
  return sourceCheck({
    title: `free of ${cutList(compiled.map(({ shown }) => shown))}`,
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

/** Every item occurs. A non-text is `error`. @throws {UsageError} for an empty list or item */
export function requiredItems(items: readonly Pattern[], given: PatternOptions = {}): Verifier {
  const options = readOptions(patternOptions, given, 'requiredItems')
  const compiled = compileAll('requiredItems', items, options.caseSensitive)
  return sourceCheck({
    title: `has ${cutList(compiled.map(({ shown }) => shown))}`,
    options,
    judge: ofText((text, label) => {
      const missing = compiled.flatMap(({ shown, find }) => (find(text, 1).length === 0 ? [shown] : []))
      if (missing.length === 0) return passedReport(`${label} has all ${items.length} required items`)
      return failedReport(
        `${label} lacks ${missing.length} of ${items.length} required items: ${cutList(missing)}`,
        ...listEvidence(missing.map((name) => `missing: ${name}`)),
      )
    }),
  })
}
