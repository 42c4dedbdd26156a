/**
 * Putting one value into JSON with comments, and taking one out: what stands there already keeps its form, to the space, and no
 * comment is lost. Pure. (The edits of `jsonc-parser` itself write what lies around anew, and drop comments beside what they take out.)
 */
import { findNodeAtLocation, parseTree, visit, type JSONPath, type Node } from 'jsonc-parser'

/**
 * At the end of an object, or of a list.
 * @param name of the property; null in a list
 * @returns undefined where there is no such object or list
 */
export function withValue(
  text: string,
  container: JSONPath,
  name: string | null,
  value: unknown,
): string | undefined {
  const node = nodeAt(text, container)
  if (node?.children === undefined) return undefined
  const close = node.offset + node.length - 1
  const bodyEnd = close - (/\s*$/.exec(text.slice(node.offset + 1, close))?.[0].length ?? 0)
  const style = styleOf(text)
  const outer = indentAt(text, node.offset)
  const json = JSON.stringify(value, null, style.unit).replaceAll('\n', `${style.eol}${outer}${style.unit}`)
  const item = name === null ? json : `${JSON.stringify(name)}: ${json}`
  const isClosedOnItsOwnLine = text.slice(bodyEnd, close).includes('\n')
  const tail = isClosedOnItsOwnLine ? text.slice(bodyEnd) : `${style.eol}${outer}${text.slice(close)}`
  const body = withComma(text, node.children.at(-1), bodyEnd)
  return `${body}${style.eol}${outer}${style.unit}${item}${tail}`
}

/** Up to the end of what stands in it, with a comma behind the last of it. */
function withComma(text: string, last: Node | undefined, bodyEnd: number): string {
  if (last === undefined) return text.slice(0, bodyEnd)
  const end = last.offset + last.length
  if (commaAfter(text, end) !== undefined) return text.slice(0, bodyEnd)
  return `${text.slice(0, end)},${text.slice(end, bodyEnd)}`
}

interface Style {
  readonly unit: string
  readonly eol: string
}

/** As the file is written already. */
function styleOf(text: string): Style {
  const indented = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
  return {
    unit: indented.startsWith('\t') ? '\t' : indented,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  }
}

function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset) + 1
  return /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? ''
}

/** The text as it is, where there is nothing at the path. */
export function withoutValue(text: string, path: JSONPath): string {
  const value = nodeAt(text, path)
  const item = typeof path.at(-1) === 'string' ? value?.parent : value
  const siblings = item?.parent?.children
  if (item === undefined || siblings === undefined) return text
  const comma = commaOf(text, item, siblings)
  const parts = [rangeOf(item), ...(comma === undefined ? [] : [{ start: comma, end: comma + 1 }])]
  return parts.toSorted((a, b) => b.start - a.start).reduce((rest, range) => withoutRange(rest, range), text)
}

/** Whether a comment stands in the value there. */
export function holdsComment(text: string, path: JSONPath): boolean {
  const value = nodeAt(text, path)
  if (value === undefined) return false
  const { start, end } = rangeOf(value)
  let isHeld = false
  visit(text, {
    onComment: (offset) => {
      isHeld ||= start <= offset && offset < end
    },
  })
  return isHeld
}

interface Range {
  readonly start: number
  readonly end: number
}

function rangeOf({ offset, length }: Node): Range {
  return { start: offset, end: offset + length }
}

/** The one behind it, or else the one before it. */
function commaOf(text: string, item: Node, siblings: readonly Node[]): number | undefined {
  const behind = commaAfter(text, rangeOf(item).end)
  if (behind !== undefined) return behind
  const before = siblings[siblings.indexOf(item) - 1]
  return before === undefined ? undefined : commaAfter(text, rangeOf(before).end)
}

/** A line that holds nothing else goes whole. */
function withoutRange(text: string, { start, end }: Range): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const isAlone =
    lineEnd !== -1 && text.slice(lineStart, start).trim() === '' && text.slice(end, lineEnd).trim() === ''
  return isAlone ? text.slice(0, lineStart) + text.slice(lineEnd + 1) : text.slice(0, start) + text.slice(end)
}

/** In a text with comments, and a comma too many. */
export function nodeAt(text: string, path: JSONPath): Node | undefined {
  const root = parseTree(text, [], lenient)
  return root && findNodeAtLocation(root, path)
}

export const lenient = { allowTrailingComma: true }

/** Where the next token stands, comments apart, if it is a comma. */
function commaAfter(text: string, end: number): number | undefined {
  let next: { readonly offset: number; readonly isComma: boolean } | undefined
  const meet = (offset: number, isComma = false): undefined => {
    if (offset >= end && (next === undefined || offset < next.offset)) next = { offset, isComma }
  }
  visit(
    text,
    {
      onSeparator: (character, offset) => meet(offset, character === ','),
      onObjectProperty: (_name, offset) => meet(offset),
      onLiteralValue: (_value, offset) => meet(offset),
      onObjectBegin: (offset) => meet(offset),
      onArrayBegin: (offset) => meet(offset),
      onObjectEnd: (offset) => meet(offset),
      onArrayEnd: (offset) => meet(offset),
    },
    lenient,
  )
  return next?.isComma === true ? next.offset : undefined
}
