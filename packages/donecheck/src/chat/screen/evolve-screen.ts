/** The screen after something has happened. Pure: times come with what happened. */
import type { RunEvent } from '@donecheck/core/events'
import type { RunState } from '@donecheck/core/state'
import type { ApprovalQuestion } from '@donecheck/engine/ports/gate'
import type { Line } from '@donecheck/engine/report'
import { evolveByEvent } from './evolve-by-event.ts'
import { withBlock, withReply } from './blocks.ts'
import type { Block, LoopWord, OpenQuestion, Screen } from './screen.ts'

export type Happening =
  | { readonly kind: 'event'; readonly event: RunEvent; readonly state: RunState }
  /** A piece of the drive's text. */
  | { readonly kind: 'text'; readonly piece: string }
  /** A piece of what a check (by its name) or a call (by its id) prints. */
  | { readonly kind: 'output'; readonly from: string; readonly piece: string }
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'queued'; readonly text: string }
  /** Nothing waits to be told any more. */
  | { readonly kind: 'unqueued' }
  | { readonly kind: 'lines'; readonly lines: readonly Line[] }
  | { readonly kind: 'diff'; readonly text: string }
  | { readonly kind: 'hint'; readonly text: string }
  | { readonly kind: 'word'; readonly word: LoopWord }
  | { readonly kind: 'drive'; readonly name: string }
  /** What the checks have said is of other files than are there now. */
  | { readonly kind: 'files-moved' }
  | { readonly kind: 'asked'; readonly question: ApprovalQuestion }
  | { readonly kind: 'asks-for'; readonly what: OpenQuestion['asksFor'] }
  | { readonly kind: 'answered'; readonly callId: string }
  /** Somebody typed. */
  | { readonly kind: 'typed' }
  | { readonly kind: 'time-went-on' }
  /** Opens what is folded of these calls; folds them where all are open. */
  | { readonly kind: 'toggled'; readonly callIds: readonly string[] }
  /** So many blocks at the top are out of reach. */
  | { readonly kind: 'dropped'; readonly count: number }

/** A question takes keys once nobody has typed for so long. */
const quietMs = 500
/** Of what runs, so much of the end is kept. */
const maxTailLength = 2000

export function evolveScreen(screen: Screen, happening: Happening, nowMs: number): Screen {
  const now = { ...screen, nowMs }
  switch (happening.kind) {
    case 'event':
      return evolveByEvent(now, happening.event, happening.state)
    case 'text':
      return { ...withReply(now, happening.piece), hasStreamed: true }
    case 'output':
      return withOutput(now, happening.from, happening.piece)
    case 'said':
    case 'diff':
    case 'lines':
      return withBlock(now, happening)
    case 'queued':
      return { ...now, queued: [...now.queued, happening.text] }
    case 'unqueued':
      return { ...now, queued: [] }
    case 'hint':
      return { ...now, hint: happening.text }
    case 'word':
      return { ...now, status: { ...now.status, word: happening.word } }
    case 'drive':
      return { ...now, status: { ...now.status, drive: happening.name } }
    case 'files-moved':
      return { ...now, status: { ...now.status, outcome: '', lastCheck: undefined } }
    case 'dropped':
      return { ...now, blocks: now.blocks.slice(happening.count) }
    case 'toggled':
      return toggled(now, happening.callIds)
    case 'time-went-on':
      return { ...now, questions: now.questions.map((one) => armed(one, nowMs)) }
    default:
      return evolveQuestions(now, happening)
  }
}

type OfQuestions = Extract<Happening, { kind: 'asked' | 'asks-for' | 'answered' | 'typed' }>

function evolveQuestions(screen: Screen, happening: OfQuestions): Screen {
  const { questions, nowMs } = screen
  switch (happening.kind) {
    case 'asked': {
      const asked = {
        question: happening.question,
        isArmed: false,
        quietSinceMs: nowMs,
        asksFor: 'choice' as const,
      }
      return { ...screen, questions: [...questions, asked] }
    }
    case 'asks-for':
      return {
        ...screen,
        questions: questions.map((one, index) => (index === 0 ? { ...one, asksFor: happening.what } : one)),
      }
    case 'answered': {
      const rest = questions.filter(({ question }) => question.callId !== happening.callId)
      return { ...screen, questions: rest.map((one) => ({ ...one, isArmed: false, quietSinceMs: nowMs })) }
    }
    case 'typed':
      return {
        ...screen,
        hint: '',
        questions: questions.map((one) => (one.isArmed ? one : { ...one, quietSinceMs: nowMs })),
      }
  }
}

function armed(question: OpenQuestion, nowMs: number): OpenQuestion {
  return question.isArmed || nowMs - question.quietSinceMs < quietMs
    ? question
    : { ...question, isArmed: true }
}

function withOutput(screen: Screen, from: string, piece: string): Screen {
  const tailOf = (before: string) => (before + piece).slice(-maxTailLength)
  const grown = (block: Block): Block =>
    block.kind === 'call' && block.callId === from && block.end === undefined
      ? { ...block, output: tailOf(block.output) }
      : block
  return {
    ...screen,
    checks: screen.checks.map((check) =>
      check.name === from ? { ...check, tail: tailOf(check.tail) } : check,
    ),
    blocks: screen.blocks.map(grown),
  }
}

function toggled(screen: Screen, callIds: readonly string[]): Screen {
  const isMeant = (block: Block) => block.kind === 'call' && callIds.includes(block.callId)
  const isOpen = !screen.blocks.every((block) => !isMeant(block) || (block.kind === 'call' && block.isOpen))
  return {
    ...screen,
    blocks: screen.blocks.map((block) =>
      block.kind === 'call' && isMeant(block) ? { ...block, isOpen } : block,
    ),
  }
}
