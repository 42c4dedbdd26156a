/** What stands on the screen of a session: values alone, from which the lines of any width are made. */
import type { ApprovalQuestion } from '@donecheck/engine/ports/gate'
import type { Line } from '@donecheck/engine/report'
import { harmless } from '@donecheck/core/base'

/** A piece of the transcript. What is settled never changes again, unless somebody opens or folds it. */
export type Block =
  /** Words of the person. */
  | { readonly kind: 'said'; readonly text: string }
  /** Text of the drive; `isOver`: the next piece begins another block. */
  | { readonly kind: 'reply'; readonly text: string; readonly isOver: boolean; readonly goesOn: boolean }
  | CallBlock
  | { readonly kind: 'lines'; readonly lines: readonly Line[] }
  /** A unified diff. */
  | { readonly kind: 'diff'; readonly text: string }

export interface CallBlock {
  readonly kind: 'call'
  readonly callId: string
  /** Such as `shell npm test`. */
  readonly title: string
  readonly startedMs: number
  readonly end: CallEnd | undefined
  /** While it runs what it has printed last; afterwards all that was told. */
  readonly output: string
  readonly isOpen: boolean
}

export interface CallEnd {
  readonly status: 'ok' | 'error' | 'interrupted' | 'unknown'
  readonly endedMs: number
}

/** A check that runs. */
export interface RunningCheck {
  readonly name: string
  readonly startedMs: number
  /** The end of what it has printed. */
  readonly tail: string
}

export interface OpenQuestion {
  readonly question: ApprovalQuestion
  /** Keys answer it only once nobody has typed for a moment: what was meant for the line must approve nothing. */
  readonly isArmed: boolean
  readonly quietSinceMs: number
  /** What the line is for, once a person has chosen to say more. */
  readonly asksFor: 'choice' | 'reason' | 'edit'
}

/** What the loop does, in one word; between runs how the last one ended. */
export type LoopWord = 'ready' | 'thinking' | 'working' | 'checking' | 'asking' | 'stopping'

export interface Status {
  readonly word: LoopWord
  /** How the last run ended, such as `verified`; empty before. */
  readonly outcome: string
  readonly drive: string
  readonly turn: number
  readonly maxTurns: number | null
  /** Active time up to `stampMs`, and from then on as long as it works. */
  readonly activeMs: number
  readonly stampMs: number
  /** Null: the drive does not tell. */
  readonly tokens: number | null
  /** Null: nobody knows the price. */
  readonly costUsd: number | null
  readonly lastCheck: { readonly name: string; readonly passed: boolean } | undefined
}

export interface Screen {
  readonly blocks: readonly Block[]
  /** Text has come in since the drive was asked: its reply stands there when it is whole. */
  readonly hasStreamed: boolean
  /** Words that wait to be told to the drive. */
  readonly queued: readonly string[]
  readonly checks: readonly RunningCheck[]
  readonly questions: readonly OpenQuestion[]
  readonly status: Status
  readonly nowMs: number
  /** A word beside the status that goes away with the next key. */
  readonly hint: string
}

export function emptyScreen(drive: string, nowMs: number): Screen {
  return {
    blocks: [],
    hasStreamed: false,
    queued: [],
    checks: [],
    questions: [],
    status: {
      word: 'ready',
      outcome: '',
      drive,
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

/** It will not change any more by itself. */
export function isSettled(block: Block): boolean {
  if (block.kind === 'call') return block.end !== undefined
  return block.kind !== 'reply' || block.isOver
}

export function isWorking({ status }: Screen): boolean {
  return status.word !== 'ready'
}

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
