import { parse, type ParseError } from 'jsonc-parser'
import type { TextSource } from '../text/source.ts'

interface Fence {
  /** The first word after the opening fence, in lower case. */
  readonly language: string
  readonly content: string
  readonly isClosed: boolean
}

/**
 * The JSON of an answer. The whole answer is JSON, or exactly one fenced block is meant: the one block that is marked
 * `json`, or else, where none is marked, the one block without a mark. Two such blocks are none: a reader could not
 * tell which one is meant. JSON in the midst of a sentence does not count. Never throws.
 */
export function jsonIn(text: string): ParsedJson {
  const whole = parseJson(text)
  if (whole.kind === 'json') return whole
  const fences = fencesOf(text)
  const marked = fences.filter(({ language }) => language === 'json')
  const meant = marked.length > 0 ? marked : fences.filter(({ language }) => language === '')
  const [first, ...more] = meant
  if (first === undefined) return whole
  if (more.length > 0)
    return { kind: 'no-json', problem: `it has ${meant.length} blocks of JSON, not one; give exactly one` }
  if (!first.isClosed)
    return { kind: 'no-json', problem: 'its block of JSON is not closed: a fence is missing' }
  const parsed = parseJson(first.content)
  if (parsed.kind === 'json') return parsed
  return { kind: 'no-json', problem: `in the fenced block, ${parsed.problem}` }
}

/** Blocks between fences of backticks or tildes, as in CommonMark; one that is not closed goes on to the end. */
function fencesOf(text: string): readonly Fence[] {
  const fences: Fence[] = []
  let open: { readonly marks: string; readonly language: string; readonly lines: string[] } | undefined
  for (const line of text.split(/\r?\n/)) {
    const match = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)(.*)$/.exec(line)
    if (open === undefined) {
      if (match !== null && isOpening(match))
        open = { marks: match[1] ?? '', language: (match[2] ?? '').toLowerCase(), lines: [] }
    } else if (match !== null && closes(match, open.marks)) {
      fences.push({ language: open.language, content: open.lines.join('\n'), isClosed: true })
      open = undefined
    } else open.lines.push(line)
  }
  if (open !== undefined)
    fences.push({ language: open.language, content: open.lines.join('\n'), isClosed: false })
  return fences
}

/** A line such as `` ```a``` `` is code within a line. */
function isOpening([, marks = '', , rest = '']: RegExpExecArray): boolean {
  return !marks.startsWith('`') || !rest.includes('`')
}

function closes([, marks = '', language, rest = '']: RegExpExecArray, opening: string): boolean {
  const isSame = marks.startsWith(opening.charAt(0)) && marks.length >= opening.length
  return isSame && language === '' && rest.trim() === ''
}

export type ParsedJson =
  | { readonly kind: 'json'; readonly value: unknown }
  /** Why it is none, with its place where that is known. */
  | { readonly kind: 'no-json'; readonly problem: string }

/** The whole text as JSON. Never throws. */
export function parseJson(text: string): ParsedJson {
  if (text.trim() === '') return { kind: 'no-json', problem: 'there is no JSON: the text is empty' }
  try {
    const value: unknown = JSON.parse(text)
    return { kind: 'json', value }
  } catch {
    return { kind: 'no-json', problem: problemOf(text) }
  }
}

function problemOf(text: string): string {
  const index = problemIndex(text)
  if (index === undefined) return 'it is not JSON'
  const before = text.slice(0, index).split('\n')
  const column = (before.at(-1)?.length ?? 0) + 1
  const found =
    index >= text.length ? 'the end' : JSON.stringify(text.slice(index, index + 20).toWellFormed())
  return `it is not JSON: unexpected at line ${before.length}, column ${column}: ${found}`
}

/**
 * Where a text stops being JSON: the index of the first token that cannot stand there, the length of the text where something is
 * missing at its end. Undefined: it is JSON, or nested too deep. Node's own parser tells the place for some mistakes only.
 */
export function problemIndex(text: string): number | undefined {
  const errors: ParseError[] = []
  try {
    parse(text, errors, { disallowComments: true })
  } catch {
    return undefined
  }
  return errors.length === 0 ? undefined : Math.min(...errors.map(({ offset }) => offset))
}

/** The JSON of what was read: a file is JSON as a whole, an answer may hold it in a fence, a value is what it is. */
export function jsonOf(value: unknown, source: TextSource): ParsedJson {
  if ('value' in source || typeof value !== 'string') return { kind: 'json', value }
  return 'file' in source ? parseJson(value) : jsonIn(value)
}
