import { forEachChild, parse, type ParsedScript, type SyntaxNode, type Word, type WordPart } from 'unbash'
import type { FoundWord, Span } from '../decomposition.ts'

/** The parser reads each nesting level again. */
const maxNesting = 100
/** The parser searches the whole rest for the end of each. */
const maxHeredocs = 2_000

/** @returns undefined if nesting or heredocs exceed the limits */
export function parseScript(text: string): ParsedScript | undefined {
  let depth = 0
  for (const letter of text) {
    if (letter === '(' || letter === '{') depth += 1
    if ((letter === ')' || letter === '}') && depth > 0) depth -= 1
    if (depth > maxNesting) return undefined
  }
  if ((text.match(/<</g)?.length ?? 0) > maxHeredocs) return undefined
  try {
    return parse(text)
  } catch (problem) {
    if (problem instanceof RangeError) return undefined
    throw problem
  }
}

export interface ReadWord extends FoundWord {
  /** Like `text`; if that is null, with unknown parts as written. */
  readonly guess: string
}

export function readWord(word: Word, span: Span): ReadWord {
  const text = literalText(word)
  return { text, written: word.text, span, guess: text ?? guessOf(word) }
}

export function literalWord(text: string, written: string = text, span: Span = null): ReadWord {
  return { text, written, span, guess: text }
}

/** Replaces the text of a word, unless the word is unknown. */
export function withText(word: ReadWord, text: string): ReadWord {
  return { ...word, text: word.text === null ? null : text, guess: text }
}

export function joinWords(words: readonly ReadWord[]): ReadWord {
  return {
    text: words.every(({ text }) => text !== null) ? words.map(({ text }) => text).join(' ') : null,
    written: words.map(({ written }) => written).join(' '),
    span: spanOfWords(words),
    guess: words.map(({ guess }) => guess).join(' '),
  }
}

export function spanOfWords(words: readonly ReadWord[]): Span {
  const [first, last] = [words[0]?.span, words.at(-1)?.span]
  return first && last ? [first[0], last[1]] : null
}

/** @returns null if it is only known when it runs */
export function literalText({ text, value, parts }: Word): string | null {
  if (text.startsWith('~') || /^[A-Za-z_]\w*\+?=(?:[^'"\\]*:)?~/.test(text)) return null
  return parts === undefined ? value : literalParts(parts)
}

function literalParts(parts: readonly WordPart[]): string | null {
  const texts = parts.map(literalPart)
  return texts.every((text) => text !== null) ? texts.join('') : null
}

function literalPart(part: WordPart): string | null {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return part.value
    case 'AnsiCQuoted':
      // A shell ends such a text at a zero byte.
      return part.value.split('\0', 1)[0] ?? ''
    case 'DoubleQuoted':
    case 'LocaleString':
      return literalParts(part.parts)
    default:
      return null
  }
}

function guessOf({ text, parts }: Word): string {
  return parts === undefined ? text : parts.map(guessedPart).join('')
}

function guessedPart(part: WordPart): string {
  if (part.type === 'DoubleQuoted' || part.type === 'LocaleString')
    return part.parts.map(guessedPart).join('')
  return literalPart(part) ?? part.text
}

export interface Variables {
  /** Names set exactly once in the line, to a literal. */
  readonly texts: ReadonlyMap<string, string>
  /** Names that are numeric wherever the line reads them. */
  readonly numbers: ReadonlySet<string>
}

export const noVariables: Variables = { texts: new Map(), numbers: new Set() }

/** Words that set variables in ways we do not follow. */
const setsOtherwise =
  /\b(?:read|mapfile|readarray|declare|typeset|local|export|getopts|eval|source|let)\b|-v\b|:?=\}|(?:^|[;&|\s])\.\s/u

export function variablesIn(script: ParsedScript, text: string): Variables {
  if (!text.includes('=') && !/\bfor\b/.test(text)) return noVariables
  const texts = new Map<string, string | null>()
  const numbers = new Map<string, boolean>()
  const set = (name: string, value: string | null, isNumeric: boolean) => {
    texts.set(name, texts.has(name) ? null : value)
    numbers.set(name, isNumeric && numbers.get(name) !== false)
  }
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Assignment') {
      const isPlain = node.value.type === 'Word' && !/^\w+\+=/.test(node.text) && node.index === undefined
      const value = node.value.type === 'Word' ? node.value : undefined
      set(
        node.name,
        isPlain && value ? literalText(value) : null,
        value !== undefined && isNumericWord(value),
      )
    }
    if (node.type === 'For') set(node.name.value, null, node.wordlist?.every(isNumericWord) === true)
    if (node.type === 'ArithmeticBinary' && node.operator === '=' && node.left.type === 'ArithmeticWord')
      set(node.left.value, null, true)
    forEachChild(node, visit)
  }
  visit(script)
  const isFollowed = !setsOtherwise.test(text)
  return {
    texts: new Map([...texts].flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
    numbers: new Set([...numbers].flatMap(([name, isNumeric]) => (isFollowed && isNumeric ? [name] : []))),
  }
}

/**
 * Substitutes variables that the line sets once.
 * @returns several words if a blank splits them; undefined if a part is unknown
 */
export function wordsWithVariables(
  word: Word,
  span: Span,
  { texts }: Variables,
): readonly ReadWord[] | undefined {
  if (literalText(word) !== null) return [readWord(word, span)]
  const filled = (parts: readonly WordPart[]): string | undefined => {
    const all = parts.map((part) => {
      const literal = literalPart(part)
      if (literal !== null) return literal
      if (part.type === 'DoubleQuoted') return filled(part.parts)
      const name = nameIn(part)
      return name === undefined ? undefined : texts.get(name)
    })
    return all.every((text) => text !== undefined) ? all.join('') : undefined
  }
  const text = word.text.startsWith('~') ? undefined : filled(word.parts ?? [])
  if (text === undefined || text.length > maxFilledLength) return undefined
  const isDivided = word.parts?.some((part) => nameIn(part) !== undefined) === true
  const fields = isDivided ? text.split(/\s+/).filter((field) => field !== '') : [text]
  return fields.map((field) => literalWord(field, word.text, span))
}

/** UTF-16 units. */
const maxFilledLength = 4_096

function nameIn(part: WordPart): string | undefined {
  if (part.type === 'SimpleExpansion') return part.text.slice(1)
  return part.type === 'ParameterExpansion' && /^\$\{\w+\}$/.test(part.text) ? part.parameter : undefined
}

// Arithmetic is code: `a[$(program)]` in it, or in values of its names, runs. Only sums of numbers are safe.

/** Whether it is a sum of numbers, numeric names and shell counters. */
export function isNumber(text: string, { numbers }: Variables): boolean {
  const rest = text
    .replaceAll(counted, '0')
    .replaceAll(/\b\d+#[\w@]+|\b0[xX][\dA-Fa-f]+/g, '0')
    .replaceAll(/\$\{(\w+)\}|\$?\b([A-Za-z_]\w*)/g, (whole, braced?: string, bare?: string) =>
      numbers.has(braced ?? bare ?? '') ? '0' : whole,
    )
    .replaceAll(printsNumber, '0')
  return /^[-\d\s"+*/%()<>=!&|^~?:,]*$/.test(rest)
}

/** `$#`, `$?`, `${#name}` and the like. */
const counted = /\$[#?$!]|\$\{#\w+(?:\[[@*]\])?\}|\$(?:RANDOM|SECONDS|LINENO)\b/g
/** Commands that always print a number. */
const printsNumber =
  /\$\((?:date \+%[sNYmdHMSj]+|nproc|id -[ug]|wc -[lcwm] *< *[\w./"$-]+|[^;&()`\n]*\| *wc -[lcwm] *)\)/g

function isNumericWord({ text, parts }: Word): boolean {
  const bare = text.replace(/^"(.*)"$/s, '$1')
  if (/^(?:-?\d+|\{\d+\.\.\d+(?:\.\.\d+)?\}|\$\(seq [\d ]+\))$/.test(bare)) return true
  if (bare !== '' && bare.replaceAll(counted, '').replaceAll(printsNumber, '') === '') return true
  return parts?.length === 1 && parts[0]?.type === 'ArithmeticExpansion'
}
