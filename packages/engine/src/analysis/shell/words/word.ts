import { parse, type Word, type WordPart } from 'unbash'
import type { FoundWord, Span } from '../decomposition.ts'

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

/** As many words one word may become. */
const maxWords = 64
/** In UTF-16 units. */
const maxWordLength = 4_096

/** Every text that the braces stand for; undefined: too many, or none that could be told. */
function expandBraces(text: string): readonly string[] | undefined {
  if (text.length > maxWordLength) return undefined
  const expanded = expand(text, 0)
  return expanded === undefined || expanded.length > maxWords ? undefined : expanded
}

function expand(text: string, depth: number): readonly string[] | undefined {
  if (depth > 8) return undefined
  for (let from = nextBrace(text, 0); from >= 0; from = nextBrace(text, from + 1)) {
    const group = groupAt(text, from)
    const alternatives = group && alternativesOf(group.items, depth)
    if (alternatives === 'too many') return undefined
    if (group === undefined || alternatives === undefined) continue
    const rest = expand(text.slice(group.end), depth + 1)
    if (rest === undefined || alternatives.length * rest.length > maxWords) return undefined
    const before = text.slice(0, from)
    return alternatives.flatMap((middle) => rest.map((after) => before + middle + after))
  }
  return [text]
}

/** The next `{` that is neither quoted nor that of `${`. */
function nextBrace(text: string, start: number): number {
  for (let index = start; index < text.length; index = after(text, index))
    if (text[index] === '{') return index
  return -1
}

/** What stands between the commas; undefined: there is no closing brace. */
function groupAt(text: string, from: number): { items: readonly string[]; end: number } | undefined {
  const items: string[] = []
  let depth = 0
  let itemStart = from + 1
  for (let index = from; index < text.length; index = after(text, index)) {
    const letter = text[index]
    if (letter === '{') depth += 1
    if (letter === '}') depth -= 1
    if (depth === 0) return { items: [...items, text.slice(itemStart, index)], end: index + 1 }
    if (letter === ',' && depth === 1) {
      items.push(text.slice(itemStart, index))
      itemStart = index + 1
    }
  }
  return undefined
}

/** Behind this letter, or behind the quoted part or the expansion that begins with it. */
function after(text: string, index: number): number {
  const letter = text[index]
  if (letter === '\\') return index + 2
  if (letter === "'") return closing(text, index + 1, "'")
  if (letter === '"' || letter === '`') return closing(text, index + 1, letter)
  if (letter === '$' && text[index + 1] === '{') return closing(text, index + 2, '}')
  if (letter === '$' && text[index + 1] === '(') return closingParenthesis(text, index + 1)
  return index + 1
}

function closing(text: string, start: number, end: string): number {
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === '\\' && end !== "'") index += 1
    else if (text[index] === end) return index + 1
  }
  return text.length
}

function closingParenthesis(text: string, start: number): number {
  let depth = 0
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === '(') depth += 1
    if (text[index] === ')') depth -= 1
    if (depth === 0) return index + 1
  }
  return text.length
}

function alternativesOf(items: readonly string[], depth: number): readonly string[] | 'too many' | undefined {
  const [only = ''] = items
  if (items.length === 1) return sequence(only)
  const expanded: string[] = []
  for (const item of items) {
    const inner = expand(item, depth + 1)
    if (inner === undefined || expanded.length + inner.length > maxWords) return 'too many'
    expanded.push(...inner)
  }
  return expanded
}

/** `1..3`, `a..c`, `0..9..3`. */
function sequence(item: string): readonly string[] | 'too many' | undefined {
  const [, first, last, by] =
    /^(-?\d{1,6}|[A-Za-z])\.\.(-?\d{1,6}|[A-Za-z])(?:\.\.(-?\d{1,6}))?$/.exec(item) ?? []
  if (first === undefined || last === undefined) return undefined
  const isNumeric = [first, last].every((end) => /\d/.test(end))
  if (!isNumeric && [first, last].some((end) => /\d/.test(end))) return undefined
  const [from, to] = isNumeric ? [Number(first), Number(last)] : [first.charCodeAt(0), last.charCodeAt(0)]
  const step = Math.max(1, Math.abs(Number(by ?? 1))) * (from <= to ? 1 : -1)
  const count = Math.floor((to - from) / step) + 1
  if (count > maxWords) return 'too many'
  const width = [first, last].some((end) => /^-?0\d/.test(end)) ? Math.max(first.length, last.length) : 0
  return Array.from({ length: count }, (_, index) => formatItem(from + index * step, isNumeric, width))
}

function formatItem(value: number, isNumeric: boolean, width: number): string {
  if (!isNumeric) return String.fromCharCode(value)
  const digits = String(Math.abs(value)).padStart(value < 0 ? width - 1 : width, '0')
  return value < 0 ? `-${digits}` : digits
}
