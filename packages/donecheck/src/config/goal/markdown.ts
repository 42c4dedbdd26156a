import { UsageError } from '@donecheck/engine/internal/base'

export interface Line {
  readonly number: number
  readonly text: string
}

interface Heading {
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
  readonly end: Line
}

export type Block = Heading | Fence | { readonly kind: 'text'; readonly line: Line }

export interface Item {
  readonly kind: 'item'
  readonly line: Line
  readonly indent: number
}

/** @throws {UsageError} for a fence without an end */
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

const saysNothing = /^\s*(?:<!--(?:(?!-->).)*-->|([-*_])(?:\s*\1){2,}|[-*+]|\d{1,9}[.)])?\s*$/
const bulleted = /^(?<before>\s*)(?:[-*+]|\d{1,9}[.)])\s+(?<text>\S.*)$/

/** An indented line continues the item above it. */
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

export function proseOf(blocks: readonly Block[]): string {
  return blocks
    .flatMap((block) => (block.kind === 'fence' ? [block.line, ...block.content, block.end] : [block.line]))
    .map(({ text }) => text)
    .join('\n')
    .trim()
}

const codeSpan = /(?<![`\\])(?<run>`+)(?!`)(?<code>.+?)(?<!`)\k<run>(?!`)/g
/** Same length as the span, so that offsets stay valid. */
const mask = '\uFFFC'

/** Masks code spans, keeping the length. */
export function withoutCode(text: string): string {
  return text.replace(codeSpan, (span) => mask.repeat(span.length))
}

function codeOf(text: string): readonly string[] {
  return [...text.matchAll(codeSpan)].map(({ groups }) => (groups?.['code'] ?? '').trim())
}

interface Commanded {
  readonly words: string
  readonly commands: readonly string[]
}

const commandsAtEnd = new RegExp(
  `^(?<words>.*?)(?<mark>\\s*:|\\s[–—-])?\\s*(?<commands>${mask}+(?:(?:\\s*[,;](?:\\s*and\\s)?|\\s+and\\s)\\s*${mask}+)*)\\s*[.,;]?$`,
)

/** @returns a string if the text is invalid */
export function commandsOf(text: string): Commanded | string {
  const masked = withoutCode(text)
  if (/(?<!\\)`/.test(masked)) return 'a backtick is never closed'
  const { words = masked, mark, commands = '' } = commandsAtEnd.exec(masked)?.groups ?? {}
  const isMarked = commands === '' || mark !== undefined
  if (new RegExp(`:\\s*${mask}`).test(words) || (!isMarked && words.includes(mask)))
    return 'commands stand at the end, after a colon, with "and" or a comma between them'
  const found = commands === '' ? [] : codeOf(text.slice(masked.lastIndexOf(commands)))
  if (found.includes('')) return 'a command is empty'
  return { words: text.slice(0, words.length).trim(), commands: found }
}
