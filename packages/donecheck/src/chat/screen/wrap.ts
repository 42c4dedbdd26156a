/** Lines that fit: nothing of a text is lost, and no line is wider than it may be. */
import { visibleWidth } from '@earendil-works/pi-tui'
import type { Line } from '@donecheck/engine/report'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Tabs have a width of their own in every terminal. */
const tab = '  '

/** Breaks each line of a text between words, and a word that is too long anywhere; what goes on stands as deep as its beginning. */
export function wrapLine({ tone, text }: Line, width: number): readonly Line[] {
  return text
    .split('\n')
    .flatMap((line) =>
      wrapOne(line.replaceAll('\t', tab), Math.max(1, width)).map((one) => ({ tone, text: one })),
    )
}

function wrapOne(line: string, width: number): readonly string[] {
  if (visibleWidth(line) <= width) return [line]
  const depth = line.length - line.trimStart().length
  // There is always room for a sign of two columns.
  const indent = ' '.repeat(Math.max(0, Math.min(depth, Math.floor(width / 2), width - 2)))
  const lines: string[] = []
  let current = indent
  let isBare = true
  for (const word of line.trim().split(/(?<= )(?=[^ ])/)) {
    if (!isBare && visibleWidth(current) + visibleWidth(word.trimEnd()) > width) {
      lines.push(current.trimEnd())
      current = indent
      isBare = true
    }
    for (const piece of piecesOf(word, width, width - visibleWidth(current))) {
      if (!isBare && visibleWidth(current) + visibleWidth(piece.trimEnd()) > width) {
        lines.push(current.trimEnd())
        current = indent
      }
      current += piece
      isBare = false
    }
  }
  lines.push(current.trimEnd())
  return lines
}

/** A word as it is where it fits, otherwise in pieces of at most that width. */
function piecesOf(word: string, width: number, room: number): readonly string[] {
  if (visibleWidth(word.trimEnd()) <= room) return [word]
  return [...graphemes.segment(word)].map(({ segment }) => segment)
}

/** At most so wide; what was cut off is told by an ellipsis. */
export function cutLine(text: string, width: number): string {
  if (visibleWidth(text) <= width) return text
  let cut = ''
  let taken = 0
  for (const { segment } of graphemes.segment(text)) {
    const wide = visibleWidth(segment)
    if (taken + wide > width - 1) break
    cut += segment
    taken += wide
  }
  return width < 1 ? '' : `${cut}…`
}
