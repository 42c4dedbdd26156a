import type { ApprovalQuestion } from '@donecheck/engine/internal/ports/gate'
import { harmless, type Line, line } from '@donecheck/core/internal/base'

export type Block =
  | { readonly kind: 'said'; readonly text: string }
  /** `isOver`: the next chunk starts another block. */
  | { readonly kind: 'reply'; readonly text: string; readonly isOver: boolean; readonly goesOn: boolean }
  | CallBlock
  | { readonly kind: 'lines'; readonly lines: readonly Line[] }
  | { readonly kind: 'diff'; readonly text: string }

export interface CallBlock {
  readonly kind: 'call'
  readonly callId: string
  readonly title: string
  readonly startedMs: number
  readonly end: CallEnd | undefined
  /** The end of the output while it runs, all of it afterwards. */
  readonly output: string
  readonly isOpen: boolean
}

export interface CallEnd {
  readonly status: 'ok' | 'error' | 'interrupted' | 'unknown'
  readonly endedMs: number
}

export interface RunningCheck {
  readonly name: string
  readonly startedMs: number
  readonly tail: string
}

export interface OpenQuestion {
  readonly question: ApprovalQuestion
  /** Keys answer only after a pause in typing, so that text meant for the line approves nothing. */
  readonly isArmed: boolean
  readonly quietSinceMs: number
  readonly asksFor: 'choice' | 'reason' | 'edit'
}

export type LoopWord = 'ready' | 'thinking' | 'working' | 'checking' | 'asking' | 'stopping'

export interface Status {
  readonly word: LoopWord
  readonly outcome: string
  readonly agent: string
  readonly turn: number
  readonly maxTurns: number | null
  readonly activeMs: number
  readonly stampMs: number
  readonly tokens: number | null
  readonly costUsd: number | null
  readonly lastCheck: { readonly name: string; readonly passed: boolean } | undefined
}

export interface Screen {
  readonly blocks: readonly Block[]
  readonly hasStreamed: boolean
  readonly queued: readonly string[]
  readonly checks: readonly RunningCheck[]
  readonly questions: readonly OpenQuestion[]
  readonly status: Status
  readonly nowMs: number
  readonly hint: string
}

export function emptyScreen(agent: string, nowMs: number): Screen {
  return {
    blocks: [],
    hasStreamed: false,
    queued: [],
    checks: [],
    questions: [],
    status: {
      word: 'ready',
      outcome: '',
      agent,
      turn: 0,
      maxTurns: null,
      activeMs: 0,
      stampMs: nowMs,
      tokens: null,
      costUsd: null,
      lastCheck: undefined,
    },
    nowMs,
    hint: '',
  }
}

export function isSettled(block: Block): boolean {
  if (block.kind === 'call') return block.end !== undefined
  return block.kind !== 'reply' || block.isOver
}

export function isWorking({ status }: Screen): boolean {
  return status.word !== 'ready'
}

/** Splits long replies so that only the last part is laid out again as it grows. */
const maxPieceLength = 4000

/** Closes an open reply. Control characters of the block are removed. */
export function withBlock(screen: Screen, block: Block): Screen {
  return { ...screen, blocks: [...closed(screen.blocks), harmlessBlock(block)] }
}

function harmlessBlock(block: Block): Block {
  if (block.kind === 'call') return block
  if (block.kind !== 'lines') return { ...block, text: harmless(block.text) }
  return { ...block, lines: block.lines.map(({ tone, text }) => line(tone, harmless(text))) }
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
    const begun = text.trimStart()
    return begun === '' ? screen : split({ ...screen, blocks: [...screen.blocks, replyOf(begun, false)] })
  }
  return split({ ...screen, blocks: [...screen.blocks.slice(0, -1), { ...last, text: last.text + text }] })
}

function replyOf(text: string, goesOn: boolean): Extract<Block, { kind: 'reply' }> {
  return { kind: 'reply', text, isOver: false, goesOn }
}

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

export function quiet(text: string): Line {
  return line('quiet', text)
}

export function plain(text: string): Line {
  return line('plain', text)
}

export function unquoted(words: string): string {
  const [, , inside] = /^(["'])(.*)\1$/s.exec(words.trim()) ?? []
  return inside ?? words.trim()
}
