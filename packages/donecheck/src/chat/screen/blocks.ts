/** How the transcript grows. */
import { harmless } from '@donecheck/core/base'
import type { Block, Screen } from './screen.ts'

/** A reply is kept in pieces of about this length, so that only the last one is laid out anew as it grows. */
const maxPieceLength = 4000

/** Whatever of a reply is still open is over: what comes stands below it. No text of it can move the cursor. */
export function withBlock(screen: Screen, block: Block): Screen {
  return { ...screen, blocks: [...closed(screen.blocks), harmlessBlock(block)] }
}

function harmlessBlock(block: Block): Block {
  if (block.kind === 'call') return block
  if (block.kind !== 'lines') return { ...block, text: harmless(block.text) }
  return { ...block, lines: block.lines.map(({ tone, text }) => ({ tone, text: harmless(text) })) }
}

export function closed(blocks: readonly Block[]): readonly Block[] {
  const last = blocks.at(-1)
  return last?.kind === 'reply' && !last.isOver ? [...blocks.slice(0, -1), { ...last, isOver: true }] : blocks
}

export function withReply(screen: Screen, piece: string): Screen {
  const text = harmless(piece)
  if (text === '') return screen
  const last = screen.blocks.at(-1)
  if (last?.kind !== 'reply' || last.isOver) {
    // Blank lines before a text say nothing.
    const begun = text.trimStart()
    return begun === '' ? screen : split({ ...screen, blocks: [...screen.blocks, replyOf(begun, false)] })
  }
  return split({ ...screen, blocks: [...screen.blocks.slice(0, -1), { ...last, text: last.text + text }] })
}

function replyOf(text: string, goesOn: boolean): Extract<Block, { kind: 'reply' }> {
  return { kind: 'reply', text, isOver: false, goesOn }
}

/** A text that has grown long goes on in a new block, from a line or at least a word on. */
function split(screen: Screen): Screen {
  const last = screen.blocks.at(-1)
  if (last?.kind !== 'reply' || last.text.length <= maxPieceLength) return screen
  const head = last.text.slice(0, maxPieceLength)
  const line = head.lastIndexOf('\n')
  const word = head.lastIndexOf(' ')
  const end = line > 0 ? line + 1 : word > 0 ? word + 1 : maxPieceLength
  const over = { ...last, text: last.text.slice(0, end), isOver: true }
  return split({
    ...screen,
    blocks: [...screen.blocks.slice(0, -1), over, replyOf(last.text.slice(end), true)],
  })
}
