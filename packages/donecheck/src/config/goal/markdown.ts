/** As much of Markdown as a goal is written in: headings, fenced blocks, and lists whose items may be wrapped and nested. */
import { UsageError } from '@donecheck/engine/base'

export interface Line {
  /** Counted from 1. */
  readonly number: number
  readonly text: string
}

interface Heading {
  readonly kind: 'heading'
  readonly line: Line
  /** 1 to 6. */
  readonly level: number
  readonly title: string
}

export interface Fence {
  readonly kind: 'fence'
  readonly line: Line
  /** Lower case; empty where none is named. */
  readonly language: string
  readonly content: readonly Line[]
  readonly end: Line
}

export type Block = Heading | Fence | { readonly kind: 'text'; readonly line: Line }

/** One item with all of its wrapped lines, on one line and without its bullet. */
export interface Item {
  readonly kind: 'item'
  readonly line: Line
  /** Columns before it. */
  readonly indent: number
}

/**
 * @param name of the file, for messages
 * @throws {UsageError} for a fenced block without an end, which would swallow all that follows
 */
export function blocksOf(text: string, name: string): readonly Block[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((line, index): Line => ({ number: index + 1, text: line }))
  const blocks: Block[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? { number: at + 1, text: '' }
    const fence = /^\s*(?<mark>`{3,}|~{3,})\s*(?<language>[^\s`]*)[^`]*$/.exec(line.text)?.groups
    if (fence === undefined) {
      blocks.push(headingOf(line) ?? { kind: 'text', line })
      continue
    }
    const { mark = '', language = '' } = fence
    const end = lines.findIndex((each, index) => index > at && closes(each.text, mark))
    const last = lines[end]
    if (last === undefined)
      throw new UsageError(`${name}:${line.number}: the block that begins here has no end; write ${mark}`)
    const content = lines.slice(at + 1, end)
    blocks.push({ kind: 'fence', line, language: language.toLowerCase(), content, end: last })
    at = end
  }
  return blocks
}

function closes(text: string, mark: string): boolean {
  const end = text.trim()
  return end.length >= mark.length && end === mark.charAt(0).repeat(end.length)
}

function headingOf(line: Line): Heading | undefined {
  const { marks, title } = /^ {0,3}(?<marks>#{1,6})\s+(?<title>.+?)\s*#*\s*$/.exec(line.text)?.groups ?? {}
  return marks === undefined || title === undefined
    ? undefined
    : { kind: 'heading', line, level: marks.length, title }
}

/** Blank lines, rules between sections, comments and bullets with nothing behind them. */
const saysNothing = /^\s*(?:<!--(?:(?!-->).)*-->|([-*_])(?:\s*\1){2,}|[-*+]|\d{1,9}[.)])?\s*$/
const bulleted = /^(?<before>\s*)(?:[-*+]|\d{1,9}[.)])\s+(?<text>\S.*)$/

/** A line without a bullet goes on with the item above it where it is indented, and is an item of its own elsewhere. */
export function itemsOf(blocks: readonly Block[]): readonly (Item | Fence)[] {
  const items: (Item | Fence)[] = []
  for (const block of blocks) {
    if (block.kind === 'fence') items.push(block)
    if (block.kind !== 'text' || saysNothing.test(block.line.text)) continue
    const { number, text } = block.line
    const { before = '', text: bulletText } = bulleted.exec(text)?.groups ?? {}
    const above = items.at(-1)
    if (bulletText === undefined && /^\s/.test(text) && above?.kind === 'item') {
      const line = { number: above.line.number, text: `${above.line.text} ${text.trim()}` }
      items[items.length - 1] = { ...above, line }
    } else {
      const line = { number, text: (bulletText ?? text).trim() }
      items.push({ kind: 'item', line, indent: before.replaceAll('\t', '    ').length })
    }
  }
  return items
}

/** What was written, as it was. */
export function proseOf(blocks: readonly Block[]): string {
  return blocks
    .flatMap((block) => (block.kind === 'fence' ? [block.line, ...block.content, block.end] : [block.line]))
    .map(({ text }) => text)
    .join('\n')
    .trim()
}
