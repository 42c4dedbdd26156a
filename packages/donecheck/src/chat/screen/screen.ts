/** What stands on the screen of a session: values alone, from which the lines of any width are made. */
import type { ApprovalQuestion } from '@donecheck/engine/ports/gate'
import type { Line } from '@donecheck/engine/report'

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
