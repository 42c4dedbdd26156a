/** The blocks of a Markdown text with the lines that they stand on. */
import { UsageError } from '@donecheck/engine/internal/base'
import { fromMarkdown } from 'mdast-util-from-markdown'

export interface Line {
  readonly number: number
  readonly text: string
}

export interface Heading {
  readonly kind: 'heading'
  readonly line: Line
  readonly level: number
  readonly title: string
}

export interface Fence {
  readonly kind: 'fence'
  readonly line: Line
  readonly language: string
  readonly content: readonly Line[]
  readonly isClosed: boolean
}

/** The first paragraph of a list item, its lines joined. */
export interface Item {
  readonly kind: 'item'
  readonly line: Line
  /** In columns; a tab counts as four. */
  readonly indent: number
}

/** One line of anything else, such as a paragraph. */
interface Text {
  readonly kind: 'text'
  readonly line: Line
  /** Whether it goes on with the line above, in one paragraph. */
  readonly continues: boolean
}

export type Block = Heading | Fence | Item | Text

export interface Markdown {
  readonly lines: readonly Line[]
  readonly blocks: readonly Block[]
}

type Root = ReturnType<typeof fromMarkdown>
type Node = Root | Root['children'][number]

const links = ['labelStartImage', 'labelStartLink', 'labelEnd', 'definition', 'autolink']
const inline = [...links, 'attention', 'characterReference', 'hardBreakEscape', 'htmlText']
const onlyCode = { disable: { null: inline } }
/** A title that is underlined is no heading here: a paragraph above a ruler is meant more often. */
const onlyBlocks = { disable: { null: [...inline, 'codeText', 'characterEscape', 'setextUnderline'] } }

const newline = /\r\n|\r|\n/
/** The parser calls itself for each level. */
const tooDeep = /^(?:[ \t]*(?:[-*+>]|\d{1,9}[.)])){100}/m

/** @throws {UsageError} for lists or quotes that are nested 100 times on one line */
export function readMarkdown(text: string, name: string): Markdown {
  const source = text.replace(/^\uFEFF/, '')
  if (tooDeep.test(source)) throw new UsageError(`${name}: lists are nested 100 times; write plainer lists`)
  const lines = source.split(newline).map((line, index): Line => ({ number: index + 1, text: line }))
  return { lines, blocks: blocksIn(fromMarkdown(source, { extensions: [onlyBlocks] }), lines) }
}

function blocksIn(node: Node, lines: readonly Line[], isTop = false): readonly Block[] {
  const { start, end } = node.position ?? { start: { line: 1, column: 1 }, end: { line: 0 } }
  const line = lines[start.line - 1] ?? { number: start.line, text: '' }
  const asText = (): readonly Block[] =>
    lines
      .slice(start.line - 1, end.line)
      .map((one, index) => ({ kind: 'text', line: one, continues: index > 0 }))
  switch (node.type) {
    case 'root':
    case 'list':
    case 'blockquote':
      return node.children.flatMap((child) => blocksIn(child, lines, node.type === 'root'))
    case 'listItem': {
      const [first, ...others] = node.children
      const hasText = first?.type === 'paragraph'
      const text = hasText ? textIn(first.children).split(newline).join(' ').trim() : ''
      const indent = line.text.slice(0, start.column - 1).replaceAll('\t', '    ').length
      const rest = (hasText ? others : node.children).flatMap((child) => blocksIn(child, lines))
      return text === '' ? rest : [{ kind: 'item', line: { ...line, text }, indent }, ...rest]
    }
    case 'heading': {
      const title = textIn(node.children)
      return isTop && title !== '' ? [{ kind: 'heading', line, level: node.depth, title }] : asText()
    }
    case 'code':
      return fenceAt(node, line.text.slice(start.column - 1), lines[end.line - 1]) ?? asText()
    case 'thematicBreak':
      return []
    case 'html':
      return node.value.startsWith('<!--') ? [] : asText()
    default:
      return asText()
  }
}

/** @returns undefined for a block that is indented */
function fenceAt(
  { lang, value, position }: Extract<Node, { type: 'code' }>,
  opening: string,
  last: Line | undefined,
): readonly [Fence] | undefined {
  const [mark] = /^(?:`{3,}|~{3,})/.exec(opening) ?? []
  const number = position?.start.line ?? 1
  if (mark === undefined) return undefined
  const closing = last?.text.replace(/^[\s>]*/, '').trimEnd() ?? ''
  const texts = value === '' ? [] : value.split(newline)
  return [
    {
      ...{ kind: 'fence', line: { number, text: opening }, language: lang?.toLowerCase() ?? '' },
      content: texts.map((text, index) => ({ number: number + 1 + index, text })),
      isClosed:
        last?.number !== number &&
        closing.length >= mark.length &&
        closing === mark.charAt(0).repeat(closing.length),
    },
  ]
}

function textIn(parts: readonly Node[]): string {
  return parts.map((part) => ('value' in part ? part.value : '\n')).join('')
}

export interface CodeSpan {
  readonly from: number
  readonly to: number
  readonly code: string
}

/** Makes a paragraph of any line. */
const begin = 'x '

/** @param line without line breaks */
export function codeSpansIn(line: string): readonly CodeSpan[] {
  if (!line.includes('`')) return []
  const [paragraph] = fromMarkdown(begin + line, { extensions: [onlyCode] }).children
  const parts = paragraph?.type === 'paragraph' ? paragraph.children : []
  return parts.flatMap((part) => {
    const { start, end } = part.position ?? {}
    if (part.type !== 'inlineCode' || start?.offset === undefined || end?.offset === undefined) return []
    const [from, to] = [start.offset - begin.length, end.offset - begin.length]
    return [{ from, to, code: part.value.trim() }]
  })
}

/** Replaces each code span. */
export function withoutCode(line: string, sign: (span: CodeSpan) => string): string {
  let rest = line
  for (const span of codeSpansIn(line).toReversed())
    rest = rest.slice(0, span.from) + sign(span) + rest.slice(span.to)
  return rest
}
