import type { JsonValue, RunEvent } from '@donecheck/core/internal/events'
import type { Transition } from '@donecheck/core/internal/events/transitions'

export interface Call {
  readonly callId: string
  readonly tool: string
  readonly args: JsonValue
  readonly sequence: number
  status: 'proposed' | 'running' | 'refused' | 'ok' | 'error' | 'interrupted' | 'unknown'
}

export interface Turn {
  readonly number: number
  readonly first: number
  last: number
  readonly startedMs: number
  endedMs: number
  text: string
  readonly calls: Call[]
  readonly rules: string[]
  failures: number
  tokens: number
  costUsd: number | null
  /** Undefined while the turn is still running. */
  transition: Transition | undefined
}

/** Events between two turns belong to the first. */
export function foldTurn(turns: Turn[], event: RunEvent): void {
  const last = turns.at(-1)
  if (event.type === 'model-called' && event.turn !== last?.number) {
    turns.push(newTurn(event.turn, event))
  } else if (last !== undefined) {
    last.last = event.sequence
    last.endedMs = event.timeMs
    foldIn(last, event)
  }
}

function newTurn(number: number, { sequence, timeMs }: RunEvent): Turn {
  return {
    ...{ number, first: sequence, last: sequence, startedMs: timeMs, endedMs: timeMs },
    ...{ text: '', calls: [], rules: [], failures: 0, tokens: 0, costUsd: 0, transition: undefined },
  }
}

function foldIn(turn: Turn, event: RunEvent): void {
  switch (event.type) {
    case 'model-replied':
      if (event.text.trim() !== '') turn.text = event.text
      for (const { callId, tool, args } of event.toolCalls)
        turn.calls.push({ callId, tool, args, sequence: event.sequence, status: 'proposed' })
      addUsage(turn, event)
      break
    case 'model-failed':
      turn.failures += 1
      addUsage(turn, event)
      break
    case 'tool-called':
      setStatus(turn, event.callId, 'running')
      break
    case 'tool-returned':
      setStatus(turn, event.callId, event.status)
      break
    case 'tool-refused':
      setStatus(turn, event.callId, 'refused')
      break
    case 'finding-noted':
      turn.rules.push(event.finding.rule)
      break
    case 'turn-ended':
      turn.transition = event.transition
      break
    default:
  }
}

interface Spent {
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | null
  readonly costUsd: number | null
}

function addUsage(turn: Turn, { usage, costUsd }: Spent): void {
  if (usage !== null) turn.tokens += usage.inputTokens + usage.outputTokens
  turn.costUsd = turn.costUsd === null || costUsd === null ? null : turn.costUsd + costUsd
}

function setStatus(turn: Turn, callId: string, status: Call['status']): void {
  const call = turn.calls.findLast((one) => one.callId === callId)
  if (call !== undefined) call.status = status
}
