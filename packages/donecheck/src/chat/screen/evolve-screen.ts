import type { RunEvent } from '@donecheck/core/internal/events'
import { type RunState, totalTokens } from '@donecheck/core/internal/state'
import type { ApprovalQuestion } from '@donecheck/engine/internal/ports/gate'
import { argumentWords } from '@donecheck/core/internal/state/words'
import { type Line, eventLines, harmless } from '@donecheck/engine/display'
import {
  withBlock,
  withReply,
  closed,
  type Block,
  type LoopWord,
  type OpenQuestion,
  type Screen,
  type CallBlock,
  type CallEnd,
  type Status,
} from './screen.ts'
import { oneLine } from '@donecheck/core/internal/base'

export type Happening =
  | { readonly kind: 'event'; readonly event: RunEvent; readonly state: RunState }
  | { readonly kind: 'text'; readonly piece: string }
  /** @param from the name of a check, or the id of a tool call */
  | { readonly kind: 'output'; readonly from: string; readonly piece: string }
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'queued'; readonly text: string }
  | { readonly kind: 'unqueued' }
  | { readonly kind: 'lines'; readonly lines: readonly Line[] }
  | { readonly kind: 'diff'; readonly text: string }
  | { readonly kind: 'hint'; readonly text: string }
  | { readonly kind: 'word'; readonly word: LoopWord }
  | { readonly kind: 'agent'; readonly name: string }
  /** The results of the checks are about files that have changed since. */
  | { readonly kind: 'files-moved' }
  | { readonly kind: 'asked'; readonly question: ApprovalQuestion }
  | { readonly kind: 'asks-for'; readonly what: OpenQuestion['asksFor'] }
  | { readonly kind: 'answered'; readonly callId: string }
  | { readonly kind: 'typed' }
  | { readonly kind: 'time-went-on' }
  | { readonly kind: 'toggled'; readonly callIds: readonly string[] }
  | { readonly kind: 'dropped'; readonly count: number }

/** Milliseconds without typing before a question accepts keys. */
const quietMs = 500
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
    case 'agent':
      return { ...now, status: { ...now.status, agent: happening.name } }
    case 'files-moved':
      return { ...now, status: { ...now.status, outcome: '', lastCheck: undefined } }
    case 'dropped':
      return { ...now, blocks: now.blocks.slice(happening.count) }
    case 'toggled':
      return toggled(now, happening.callIds)
    case 'typed':
      return { ...now, hint: '', questions: evolveQuestions(now, happening) }
    default:
      return { ...now, questions: evolveQuestions(now, happening) }
  }
}

type OfQuestions = Extract<Happening, { kind: 'asked' | 'asks-for' | 'answered' | 'typed' | 'time-went-on' }>

function evolveQuestions({ questions, nowMs }: Screen, happening: OfQuestions): readonly OpenQuestion[] {
  const unarmed = { isArmed: false, quietSinceMs: nowMs }
  switch (happening.kind) {
    case 'asked':
      return [...questions, { question: happening.question, asksFor: 'choice', ...unarmed }]
    case 'asks-for':
      return questions.map((one, index) => (index === 0 ? { ...one, asksFor: happening.what } : one))
    case 'answered':
      return questions
        .filter(({ question }) => question.callId !== happening.callId)
        .map((one) => ({ ...one, ...unarmed }))
    case 'typed':
      return questions.map((one) => (one.isArmed ? one : { ...one, quietSinceMs: nowMs }))
    case 'time-went-on':
      return questions.map((one) => (nowMs - one.quietSinceMs < quietMs ? one : { ...one, isArmed: true }))
  }
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

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>

function evolveByEvent(before: Screen, event: RunEvent, state: RunState): Screen {
  const screen = {
    ...before,
    status: statusAfter(before.status, event, state),
    ...runningChecks(before, event),
  }
  switch (event.type) {
    case 'run-started':
      return withLines(
        screen,
        eventLines(event, state).filter(({ tone }) => tone === 'warning'),
      )
    case 'model-called':
      return { ...screen, blocks: closed(screen.blocks), hasStreamed: false }
    case 'goal-set':
    case 'run-resumed':
    case 'agent-steered':
    case 'approval-requested':
    case 'turn-ended':
      return { ...screen, blocks: closed(screen.blocks) }
    case 'approval-given':
      return event.by === 'terminal' ? screen : withLines(screen, eventLines(event, state))
    case 'goal-changed':
      return event.change.kind === 'message-given'
        ? withMessageTold(screen, event.change.text)
        : withLines(screen, eventLines(event, state))
    case 'model-replied':
      return modelReplied(screen, event, state)
    case 'reply-settled':
      return withLines(
        isJudgedFirst(state) ? withReply(screen, event.text) : screen,
        eventLines(event, state),
      )
    case 'tool-called':
      return withBlock(screen, callOf(event, state))
    case 'tool-returned':
      return callEnded(screen, event.callId, { status: event.status, endedMs: event.timeMs }, event.output)
    default:
      return withLines(screen, eventLines(event, state))
  }
}

function withLines(screen: Screen, lines: readonly Line[]): Screen {
  return lines.length === 0 ? screen : withBlock(screen, { kind: 'lines', lines })
}

function withMessageTold(screen: Screen, text: string): Screen {
  const index = screen.queued.indexOf(text)
  if (index === -1) return screen
  const queued = screen.queued.filter((_, at) => at !== index)
  return withBlock({ ...screen, queued }, { kind: 'said', text })
}

function isJudgedFirst({ settings: { replyCheck } }: RunState): boolean {
  return replyCheck !== null && !replyCheck.streams
}

function modelReplied(screen: Screen, event: EventOf<'model-replied'>, state: RunState): Screen {
  const waits = isJudgedFirst(state) && event.toolCalls.length === 0
  const shown = screen.hasStreamed || waits ? screen : withReply(screen, event.text)
  return withLines({ ...shown, blocks: closed(shown.blocks) }, eventLines(event, state))
}

function callOf(event: EventOf<'tool-called'>, state: RunState): CallBlock {
  const { phase } = state
  const args =
    phase.kind === 'acting'
      ? phase.pending.find(({ call }) => call.callId === event.callId)?.call.args
      : undefined
  const title = `${event.tool} ${args === undefined ? '' : argumentWords(args)}`.trimEnd()
  return {
    kind: 'call',
    callId: event.callId,
    title: oneLine(title, 400),
    startedMs: event.timeMs,
    end: undefined,
    output: '',
    isOpen: false,
  }
}

function callEnded(screen: Screen, callId: string, end: CallEnd, output: string): Screen {
  const ended = (block: Block): Block =>
    block.kind === 'call' && block.callId === callId && block.end === undefined
      ? { ...block, end, output: harmless(output) }
      : block
  return { ...screen, blocks: screen.blocks.map(ended) }
}

function runningChecks({ checks, nowMs }: Screen, event: RunEvent): Pick<Screen, 'checks'> {
  switch (event.type) {
    case 'verification-started':
      return { checks: event.verifiers.map((name) => ({ name, startedMs: nowMs, tail: '' })) }
    case 'verdict-given':
      return { checks: checks.filter(({ name }) => name !== event.verdict.verifier) }
    case 'turn-ended':
    case 'run-stopped':
      return { checks: [] }
    default:
      return { checks }
  }
}

function statusAfter(before: Status, event: RunEvent, state: RunState): Status {
  const { consumption, agent, settings, phase } = state
  return {
    ...before,
    word: wordOf(before.word, phase.kind),
    agent: agent.name,
    outcome: phase.kind === 'stopped' ? phase.transition.outcome : '',
    turn: state.turn,
    maxTurns: settings.caps.maxIterations,
    activeMs: consumption.activeMs,
    stampMs: event.timeMs,
    tokens: agent.reportsUsage ? totalTokens(consumption) : null,
    costUsd: consumption.costUsd,
    lastCheck: checkOf(event, settings.verifiers) ?? before.lastCheck,
  }
}

/** Keeps `stopping` and the last state until the session itself reports the end. */
function wordOf(before: LoopWord, phase: RunState['phase']['kind']): LoopWord {
  if (before === 'stopping' || phase === 'stopped') return before
  if (phase === 'verifying') return 'checking'
  return phase === 'acting' ? 'working' : 'thinking'
}

function checkOf(event: RunEvent, verifiers: RunState['settings']['verifiers']): Status['lastCheck'] {
  if (event.type !== 'verdict-given') return undefined
  const { verifier, status } = event.verdict
  const isGuard = verifiers.some(({ name, role }) => name === verifier && role === 'guard')
  return isGuard ? undefined : { name: verifier, passed: status === 'passed' }
}
