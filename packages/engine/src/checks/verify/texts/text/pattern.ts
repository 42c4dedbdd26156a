import { UsageError } from '../../../../base/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import { showValue, quoteText } from '../../reports/reports.ts'

/** Text to be found as it stands, or a regular expression; of that the flags `g` and `y` do not count. */
export type Pattern = string | RegExp

interface Match {
  readonly text: string
  /** From 1, in the text as it was given or, for a text pattern, as it was formed. */
  readonly line: number
}

export interface CompiledPattern {
  /** For names and reasons. */
  readonly shown: string
  /** Equal for patterns that find the same. */
  readonly definition: JsonValue
  /** The first `most` places. Takes as long as the pattern makes it. */
  readonly find: (text: string, most: number) => readonly Match[]
}

/**
 * A text pattern is found under the form; a regular expression brings its own flags, and of the form only
 * `caseSensitive: false` counts for it.
 * @throws {UsageError} for an empty pattern, which stands in every text
 */
export function compilePattern(pattern: Pattern, form: Required<TextForm>): CompiledPattern {
  const given: unknown = pattern
  if (typeof given === 'string') return textPattern(given, form)
  if (given instanceof RegExp) return regExpPattern(given, form)
  throw new UsageError(`the pattern is ${showValue(given)}; give a text or a regular expression`)
}

function textPattern(text: string, form: Required<TextForm>): CompiledPattern {
  const wanted = applyForm(text, form)
  if (wanted === '')
    throw new UsageError(
      `the pattern ${quoteText(text)} is empty, and stands in every text; give a text to look for`,
    )
  return {
    shown: quoteText(text, 40),
    definition: { text, ...form },
    find(given, most) {
      const within = applyForm(given, form)
      const found: Match[] = []
      let at = within.indexOf(wanted)
      for (; at >= 0 && found.length < most; at = within.indexOf(wanted, at + wanted.length))
        found.push({ text: wanted, line: lineAt(within, at) })
      return found
    },
  }
}

function regExpPattern(pattern: RegExp, { caseSensitive }: Required<TextForm>): CompiledPattern {
  if (pattern.source === '(?:)')
    throw new UsageError('the pattern // is empty, and stands in every text; give something to look for')
  const own = pattern.flags.replace(/[gy]/g, '')
  const flags = caseSensitive || own.includes('i') ? own : `${own}i`
  const global = new RegExp(pattern.source, `${flags}g`)
  return {
    shown: `/${pattern.source}/${flags}`,
    definition: { source: pattern.source, flags },
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

/** Which differences between texts do not count. */
export interface TextForm {
  /** Default true: upper and lower case are different. */
  readonly caseSensitive?: boolean
  /**
   * Default `exact`. `trimmed`: white space at both ends does not count. `collapsed`: every run of white space is
   * like one space too, and composed and decomposed characters are equal.
   */
  readonly whitespace?: 'exact' | 'trimmed' | 'collapsed'
}

const kinds: readonly unknown[] = ['exact', 'trimmed', 'collapsed']

/** @throws {UsageError} for a word that is none of the three */
export function formOf({ caseSensitive = true, whitespace = 'exact' }: TextForm): Required<TextForm> {
  if (kinds.includes(whitespace)) return { caseSensitive, whitespace }
  throw new UsageError(`whitespace is "${whitespace}"; give "exact", "trimmed" or "collapsed"`)
}

/** Two texts are equal under a form where their formed texts are equal. */
export function applyForm(text: string, { caseSensitive, whitespace }: Required<TextForm>): string {
  const spaced = spacedAs(text, whitespace)
  return caseSensitive ? spaced : spaced.toLowerCase()
}

function spacedAs(text: string, whitespace: Required<TextForm>['whitespace']): string {
  switch (whitespace) {
    case 'exact':
      return text
    case 'trimmed':
      return text.trim()
    case 'collapsed':
      return text.trim().replace(/\s+/g, ' ').normalize('NFC')
  }
}
