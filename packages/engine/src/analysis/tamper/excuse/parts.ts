/** A file of tests taken apart for a proof: its tests, and everything else. */
import { wordsOf } from '../compare/words.ts'

export interface ProvenTest {
  /** All of its declaration but its name and its body: suites around it, marks, parameters, further arguments. */
  readonly head: string
  /** Normalised source of each. */
  readonly statements: readonly string[]
}

export interface FramePart {
  readonly text: string
  /** Names that it declares without doing anything else: a file that mentions none of them can be without it. Null: it has to stay. */
  readonly declares: readonly string[] | null
}

export interface Parts {
  readonly tests: readonly ProvenTest[]
  readonly frame: readonly FramePart[]
}

/**
 * Texts that every reader splits into the same lines and characters: no lone carriage return, no other control character,
 * no coding that is not UTF-8.
 */
export function isPlain(text: string): boolean {
  return !/\r(?!\n)|[^\P{Cc}\t\r\n]|[\u2028\u2029\ufeff]|coding[:=]\s*(?!utf-?8\b)/iu.test(text)
}

/** Anything in a comment that a tool might read is a part of the file; prose is none. */
export function commentParts(comments: readonly string[]): readonly FramePart[] {
  return comments
    .filter((text) => !/^[\s\w.,;()!?/*#-]*$/u.test(text) || words.test(text))
    .map((text) => ({ text: `comment ${text.replaceAll(/\s+/gu, ' ').trim()}`, declares: null }))
}

const words =
  /ignore|disable|enable|noqa|pragma|nolint|nosec|nocheck|output|build|coverage|istanbul|c8|v8|fmt|prettier/iu

const constants = /^(?:true|false|null|undefined|True|False|None)$/u

/**
 * A row of a table put into the body of its test: what would stand there without the table. Undefined: the values are no literals,
 * or there are not as many as names.
 */
export function substituteNames(
  statements: readonly string[],
  names: readonly string[],
  values: readonly string[],
): readonly string[] | undefined {
  if (names.length !== values.length || !values.every(isLiteral)) return undefined
  const row = new Map(names.map((name, index) => [name, values[index] ?? '']))
  return statements.map((statement) => {
    const words = wordsOf(statement)
    const put = words.map((word, index) => {
      const previous = words[index - 1]?.text
      const isKey = words[index + 1]?.text === ':' && /^[{,]$/u.test(previous ?? '')
      const value = word.kind === 'name' && previous !== '.' && !isKey ? row.get(word.text) : undefined
      return value ?? word.text
    })
    return normaliseSpelling(put.join(' '))
  })
}

/** One spelling of a source, whatever put it together. */
export function normaliseSpelling(source: string): string {
  return wordsOf(source)
    .map(({ text }) => text)
    .join(' ')
}

function isLiteral(value: string): boolean {
  const words = wordsOf(value)
  return (
    words.length > 0 &&
    words.every(({ kind, text }, index) => {
      if (kind === 'string') return !text.includes('${')
      if (kind === 'number') return true
      if (kind === 'name') return constants.test(text) || words[index + 1]?.text === ':'
      return /^[[\]{}(),:-]$/u.test(text)
    })
  )
}
