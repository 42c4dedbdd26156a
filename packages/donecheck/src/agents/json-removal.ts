/** Taking one value out of JSON with comments: nothing else is touched, and no comment is lost. Pure. */
import { findNodeAtLocation, visit, type JSONPath, type Node } from 'jsonc-parser'
import { commaAfter, parseLeniently } from './json-tokens.ts'

/** The text as it is, where there is nothing at the path. */
export function withoutValue(text: string, path: JSONPath): string {
  const root = parseLeniently(text)
  const value = root === undefined ? undefined : findNodeAtLocation(root, path)
  const item = typeof path.at(-1) === 'string' ? value?.parent : value
  const siblings = item?.parent?.children
  if (item === undefined || siblings === undefined) return text
  const comma = commaOf(text, item, siblings)
  const parts = [rangeOf(item), ...(comma === undefined ? [] : [{ start: comma, end: comma + 1 }])]
  return parts.toSorted((a, b) => b.start - a.start).reduce((rest, range) => withoutRange(rest, range), text)
}

/** Whether a comment stands in the value there. */
export function holdsComment(text: string, path: JSONPath): boolean {
  const root = parseLeniently(text)
  const value = root === undefined ? undefined : findNodeAtLocation(root, path)
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
