/** The screen after an event of a run. */
import { oneLine } from '@donecheck/core/base'
import type { RunEvent } from '@donecheck/core/events'
import { totalTokens, type RunState } from '@donecheck/core/state'
import { argumentWords, eventLines, harmless, type Line } from '@donecheck/engine/report'
import type { Block, CallBlock, CallEnd, LoopWord, Screen, Status } from './screen.ts'
import { closed, withBlock, withReply } from './blocks.ts'

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>

/** @param state after the event */
export function evolveByEvent(before: Screen, event: RunEvent, state: RunState): Screen {
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
    case 'drive-steered':
    case 'approval-requested':
    case 'turn-ended':
      return { ...screen, blocks: closed(screen.blocks) }
    case 'approval-given':
      // What the person has answered stands there already.
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

/** A judge sees the reply before its user does. */
function isJudgedFirst({ settings: { replyCheck } }: RunState): boolean {
  return replyCheck !== null && !replyCheck.streams
}

/** What has not streamed by is shown when it is whole, and a reply that is judged first when that is settled. */
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

/** Those that are asked from the beginning of a verification to their verdicts. */
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
  const { consumption, drive, settings, phase } = state
  return {
    ...before,
    word: wordOf(before.word, phase.kind),
    drive: drive.name,
    outcome: phase.kind === 'stopped' ? phase.transition.outcome : '',
    turn: state.turn,
    maxTurns: settings.caps.maxIterations,
    activeMs: consumption.activeMs,
    stampMs: event.timeMs,
    tokens: drive.reportsUsage ? totalTokens(consumption) : null,
    costUsd: consumption.costUsd,
    lastCheck: checkOf(event, settings.verifiers) ?? before.lastCheck,
  }
}

/** Who is stopping stops, whatever comes until then; a run at its end is still written down, until its session says so. */
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
