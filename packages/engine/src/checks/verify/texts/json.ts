import { JSONPathEnvironment, type JSONValue } from 'json-p3'
import { UsageError } from '../../../base/index.ts'
import { showThrown, showValue } from '../reports/reports.ts'
import type { TextSource } from './source.ts'

interface Fence {
  readonly language: string
  readonly content: string
  readonly isClosed: boolean
}

/** Finds JSON in an answer: all of it, or its only (`json`) fence; two are ambiguous. Never throws. */
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

/** Fenced blocks as in CommonMark; an unclosed one reaches to the end. */
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

/** `` ```a``` `` on one line is inline code. */
function isOpening([, marks = '', , rest = '']: RegExpExecArray): boolean {
  return !marks.startsWith('`') || !rest.includes('`')
}

function closes([, marks = '', language, rest = '']: RegExpExecArray, opening: string): boolean {
  const isSame = marks.startsWith(opening.charAt(0)) && marks.length >= opening.length
  return isSame && language === '' && rest.trim() === ''
}

type ParsedJson =
  { readonly kind: 'json'; readonly value: unknown } | { readonly kind: 'no-json'; readonly problem: string }

/** Parses the whole text. Never throws. */
export function parseJson(text: string): ParsedJson {
  if (text.trim() === '') return { kind: 'no-json', problem: 'there is no JSON: the text is empty' }
  try {
    const value: unknown = JSON.parse(text)
    return { kind: 'json', value }
  } catch (error) {
    return { kind: 'no-json', problem: `it is not JSON: ${showThrown(error)}` }
  }
}

/** Parses a file entirely, an answer also by fence; a value is used as is. */
export function jsonOf(value: unknown, source: TextSource): ParsedJson {
  if ('value' in source || typeof value !== 'string') return { kind: 'json', value }
  return 'file' in source ? parseJson(value) : jsonIn(value)
}

export interface QueriedPlace {
  readonly path: string
  readonly value: unknown
}

/** @throws for values that the query cannot handle, such as deep nesting */
export type Query = (value: unknown) => readonly QueriedPlace[]

const environment = new JSONPathEnvironment()

/** Compiles a JSONPath query (RFC 9535). @throws {UsageError} if invalid */
export function compileQuery(query: string): Query {
  try {
    const compiled = environment.compile(query)
    return (value) =>
      compiled
        .query(asJson(value))
        .nodes.map((node) => ({ path: node.getPath({ form: 'canonical' }), value: node.value }))
  } catch (error) {
    throw new UsageError(
      `${showValue(query)} is no JSONPath (RFC 9535): ${showThrown(error)}; give a query such as $.version`,
      { cause: error },
    )
  }
}

/** @throws {TypeError} for non-JSON values, such as a function or date */
function asJson(value: unknown): JSONValue {
  if (isJson(value)) return value
  throw new TypeError(`${showValue(value)} holds what is no JSON`)
}

function isJson(value: unknown): value is JSONValue {
  if (typeof value !== 'object') return ['string', 'number', 'boolean'].includes(typeof value)
  if (value === null) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  if (!Array.isArray(value) && prototype !== Object.prototype && prototype !== null) return false
  return Object.values(value).every(isJson)
}
