import { parse, type Word, type WordPart } from 'unbash'
import type { FoundWord, Span } from '../decomposition.ts'
import { expandBraces } from './braces.ts'

/** A word as far as it can be read without running anything. */
export interface ReadWord extends FoundWord {
  /** As `text`; where that is null, with the parts that are only known later as they are written. */
  readonly guess: string
}

/** The words that one written word becomes: more than one where it has braces with alternatives. */
export function readWord(word: Word, span: Span): readonly ReadWord[] {
  const alternatives = hasBraces(word) ? expandBraces(word.text) : undefined
  if (alternatives === undefined) return [single(word, word.text, span)]
  return alternatives.flatMap((text) => {
    const expanded = wordOf(text)
    // By `~` it is told where it leads.
    return expanded === undefined ? [] : [single(expanded, text.startsWith('~') ? text : word.text, span)]
  })
}

/** The word as a shell reads it that knows no braces; undefined: it has none. */
export function withoutBraces(word: Word, span: Span): ReadWord | undefined {
  if (!hasBraces(word)) return undefined
  const text = literalParts((word.parts ?? []).map(bracesAsText))
  return { text, written: word.text, span, guess: text ?? guessOf(word) }
}

function bracesAsText(part: WordPart): WordPart {
  if (part.type !== 'BraceExpansion') return part
  const { pos, end, parts } = part
  const text = parts === undefined ? part.text : literalParts(parts)
  return text === null ? part : { type: 'Literal', pos, end, text, value: text }
}

/** A literal word that is nowhere written as such. */
export function literalWord(text: string, written: string = text, span: Span = null): ReadWord {
  return { text, written, span, guess: text }
}

/** A text that a word holds: no more is known of it than of the word. */
export function textInWord(word: ReadWord, text: string): ReadWord {
  return { ...word, text: word.text === null ? null : text, guess: text }
}

/** A word of which only this much is known. */
export function unknownWord(guess: string, { written, span }: FoundWord): ReadWord {
  return { text: null, written, span, guess }
}

/** The words without what only the reading needs. */
export function toFoundWord({ text, written, span }: ReadWord): FoundWord {
  return { text, written, span }
}

/** What stands in the word; null: only known when it runs. */
export function literalText(word: Word): string | null {
  if (word.parts === undefined) return hasTilde(word.text) ? null : word.value
  return hasTilde(word.text) ? null : literalParts(word.parts)
}

/** What a word says literally, in whatever quotes, with `_` for what is put in when it runs. */
export function literalRemains(parts: readonly WordPart[] | undefined, text: string): string {
  if (parts === undefined) return text
  return parts
    .map((part) => {
      if (part.type === 'DoubleQuoted' || part.type === 'LocaleString')
        return literalRemains(part.parts, part.text)
      if (part.type === 'Glob') return part.value
      return literalPart(part) ?? (part.type === 'BraceExpansion' ? part.text : '_')
    })
    .join('')
}

function single(word: Word, written: string, span: Span): ReadWord {
  const text = literalText(word)
  return { text, written, span, guess: text ?? guessOf(word) }
}

function hasBraces({ parts = [] }: Word): boolean {
  return parts.some(({ type }) => type === 'BraceExpansion')
}

/** One word of a shell, read for itself. The empty word that is left of `{,a}` is none. */
function wordOf(text: string): Word | undefined {
  if (text === '') return undefined
  if (text.startsWith('~')) return { type: 'Word', text, value: text, pos: 0, end: text.length }
  const command = parse(`_ ''${text}`).commands[0]?.command
  const word = command?.type === 'Command' ? command.suffix[0] : undefined
  return word?.type === 'Word' ? word : { type: 'Word', text, value: text, pos: 0, end: text.length }
}

/** `~` at its beginning, or where an assignment would begin its value: the home of somebody. */
function hasTilde(text: string): boolean {
  return text.startsWith('~') || /^[A-Za-z_]\w*\+?=(?:[^'"\\]*:)?~/.test(text)
}

function literalParts(parts: readonly WordPart[]): string | null {
  let text = ''
  for (const part of parts) {
    const literal = literalPart(part)
    if (literal === null) return null
    text += literal
  }
  return text
}

function literalPart(part: WordPart): string | null {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return part.value
    case 'AnsiCQuoted':
      // The shell ends such a text where a zero byte would stand.
      return part.value.split('\0', 1)[0] ?? ''
    case 'DoubleQuoted':
    case 'LocaleString':
      return literalParts(part.parts)
    case 'BraceExpansion':
    case 'Glob':
    case 'ExtendedGlob':
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'CommandExpansion':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
      return null
  }
}

function guessOf({ text, parts }: Word): string {
  return parts === undefined ? text : parts.map(guessedPart).join('')
}

function guessedPart(part: WordPart): string {
  if (part.type === 'DoubleQuoted' || part.type === 'LocaleString')
    return part.parts.map((inner) => literalPart(inner) ?? inner.text).join('')
  return literalPart(part) ?? part.text
}
