/** Putting one value into JSON with comments: what stands there already keeps its form, to the space. Pure. */
import { findNodeAtLocation, type JSONPath, type Node } from 'jsonc-parser'
import { commaAfter, parseLeniently } from './json-tokens.ts'

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
  const root = parseLeniently(text)
  const node = root === undefined ? undefined : findNodeAtLocation(root, container)
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
