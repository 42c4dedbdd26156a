/** What the parts of every rule must be like, whatever it was written in. */
import { gateKinds } from '@donecheck/core/gate'
import { quoteValue, RuleFault } from '../rule-fault.ts'
import type { PatternToken, RuleDecision } from '../rule.ts'
import { isBlank } from './white-space.ts'

export type Pattern = readonly [PatternToken, ...PatternToken[]]

/** Words, or lists of words that may stand in their place. @throws RuleFault */
export function patternOf(value: unknown, name = 'pattern'): Pattern {
  if (!Array.isArray(value)) throw new RuleFault(`${name} must be a list, not ${quoteValue(value)}`)
  const [first, ...rest] = value.map((element: unknown) => tokenOf(element, name))
  if (first === undefined) throw new RuleFault(`${name} must not be empty`)
  return [first, ...rest]
}

function tokenOf(element: unknown, name: string): PatternToken {
  if (typeof element === 'string') return [element]
  if (!Array.isArray(element))
    throw new RuleFault(`${name} must have strings and lists of strings in it, not ${quoteValue(element)}`)
  const words = element.map((word: unknown) => {
    if (typeof word !== 'string')
      throw new RuleFault(`alternatives in ${name} must be strings, not ${quoteValue(word)}`)
    return word
  })
  const [first, ...rest] = words
  if (first === undefined) throw new RuleFault(`a list of alternatives in ${name} must not be empty`)
  return [first, ...rest]
}

/** @throws RuleFault */
export function decisionFrom(value: unknown): RuleDecision {
  const known = gateKinds.find((decision) => decision === value)
  if (known === undefined)
    throw new RuleFault(`decision must be one of ${gateKinds.join(', ')}, not ${quoteValue(value)}`)
  return known
}

/** Undefined stays undefined. @throws RuleFault */
export function justificationOf(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string')
    throw new RuleFault(`justification must be a string, not ${quoteValue(value)}`)
  if (isBlank(value)) throw new RuleFault('justification must not be blank')
  return value
}

/** Examples as words: each a line that is split as a shell would, or a list of words. @throws RuleFault */
export function examplesOf(value: unknown, name: string): readonly (readonly string[])[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw new RuleFault(`${name} must be a list, not ${quoteValue(value)}`)
  return value.map((example: unknown) => exampleOf(example, name))
}

function exampleOf(example: unknown, name: string): readonly string[] {
  if (typeof example === 'string') {
    const words = splitWords(example)
    if (words === undefined)
      throw new RuleFault(`example ${quoteValue(example)} in ${name} has an open quote or escape`)
    if (words.length === 0) throw new RuleFault(`example ${quoteValue(example)} in ${name} has no words`)
    return words
  }
  if (!Array.isArray(example))
    throw new RuleFault(`examples in ${name} must be strings or lists of strings, not ${quoteValue(example)}`)
  if (example.length === 0) throw new RuleFault(`an example in ${name} must not be empty`)
  return example.map((word: unknown) => {
    if (typeof word !== 'string')
      throw new RuleFault(`words of examples in ${name} must be strings, not ${quoteValue(word)}`)
    return word
  })
}

/** Splits an example into words as a shell would, without any expansion. */

/** Blanks, a comment where a word could begin, or a word with all its quotes. */
const item = /[ \t\n]+|#[^\n]*|(?:'[^']*'|"(?:[^"\\]|\\[^])*"|\\[^]|[^'"\\ \t\n])+/gy
const quoted = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])/g

/** Undefined where a quote or an escape is not closed. `#` at the start of a word begins a comment. */
export function splitWords(text: string): readonly string[] | undefined {
  const items = text.match(item) ?? []
  if (items.join('').length < text.length) return undefined
  return items.filter((part) => !/^[ \t\n#]/.test(part)).map((word) => word.replace(quoted, withoutQuotes))
}

/** A backslash at a line end joins the lines; in double quotes it stands for itself before most characters. */
function withoutQuotes(_: string, single?: string, double?: string, escaped?: string): string {
  if (single !== undefined) return single
  if (double !== undefined) return double.replace(/\\([\n$`"\\])/g, (_whole, next: string) => joined(next))
  return joined(escaped ?? '')
}

function joined(character: string): string {
  return character === '\n' ? '' : character
}
