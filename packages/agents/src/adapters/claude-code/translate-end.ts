/** The end of a turn of Claude Code: a claim, a turn with a problem, or a failure of what it rests on. */
import {
  configurationFailure,
  limitedFailure,
  networkFailure,
  providerFailure,
  type AgentSignal,
  type LinesEnd,
  type Noise,
  type TurnEnded,
} from '../../protocol/stream/index.ts'
import type { DriveFailure } from '@donecheck/core/events'
import type { ClaudeSpending } from './spending.ts'
import type { ClaudeResult } from './translate-result.ts'

export interface EndedTurn {
  /** Undefined: it has told none. */
  readonly result: ClaudeResult | undefined
  /** The session was begun: its program and its settings work. */
  readonly hasBegun: boolean
  readonly end: LinesEnd
  readonly noise: Noise
  readonly spending: ClaudeSpending
  /** When the limit that refused the account resets, in milliseconds since the epoch. Undefined: no limit refused it. */
  readonly resetsAtMs: number | undefined
}

export function turnEndOf(turn: EndedTurn): TurnEnded | Extract<AgentSignal, { kind: 'session-lost' }> {
  const { result, end, spending } = turn
  const said = [...(result?.errors ?? []), end.stderrTail].join('\n')
  if (/No conversation found with session ID|Session ID \S+ is already in use/.test(said))
    return { kind: 'session-lost', message: firstLine(said) }
  if (result === undefined) return withoutResult(turn)
  const spent = result.totals === undefined ? {} : spending.rest(result.totals)
  const ended = { kind: 'turn-ended' as const, text: result.text ?? '', ...spent }
  const failure = failureOf(result, turn.resetsAtMs)
  if (failure !== undefined) return { ...ended, text: '', failure }
  const problem = problemOf(result)
  if (problem !== undefined) return { ...ended, problem }
  return result.stopReason === 'max_tokens' ? { ...ended, wasCutOff: true } : ended
}

/** Killed, crashed, or never got so far. */
function withoutResult({ hasBegun, end, noise }: EndedTurn): TurnEnded {
  const heard = noise.last.length === 0 ? '' : `; it printed: ${noise.last.join(' | ')}`
  const ended = { kind: 'turn-ended' as const, text: '' }
  if (end.kind === 'not-started')
    return {
      ...ended,
      failure: configurationFailure(
        `Claude Code cannot be run: ${end.problem}. Install it, or put it on PATH`,
      ),
    }
  if (!hasBegun && end.kind === 'exited')
    return { ...ended, failure: configurationFailure(`Claude Code did not begin: ${end.problem}${heard}`) }
  return { ...ended, problem: `Claude Code said nothing of the end of its turn: ${end.problem}${heard}` }
}

/** Its own success is a claim and no more; what it calls a success although it is none is not even that. */
function problemOf({
  subtype,
  isError,
  terminalReason,
  text,
  errors,
  ...result
}: ClaudeResult): string | undefined {
  const details = [...errors, ...(isError && text !== undefined ? [text] : [])].join('; ')
  const reported = details === '' ? '' : `: ${details.slice(0, maxDetailsLength).toWellFormed()}`
  if (subtype !== 'success')
    return `it ended with ${subtype === '' ? 'a result of no kind' : subtype}${reported}`
  if (isError) return `it ended with an error${reported}`
  if (terminalReason !== undefined && terminalReason !== 'completed')
    return `it ended by ${terminalReason}${reported}`
  if (text === undefined || text.trim() === '')
    return `it ended without a last word${result.deniedTools.length === 0 ? '' : `, after it was denied ${result.deniedTools.join(', ')}`}`
  return undefined
}

const maxDetailsLength = 1000

/** What no model has said: the provider, the network, the account. */
function failureOf(
  { isError, apiStatus, terminalReason, text = '', errors }: ClaudeResult,
  resetsAtMs: number | undefined,
): DriveFailure | undefined {
  if (!isError) return undefined
  const details = (text === '' ? errors.join('; ') : text).slice(0, maxDetailsLength).toWellFormed()
  const message = `Claude Code: ${details}`
  if (resetsAtMs !== undefined) return { kind: 'usage-limited', message, retryable: true, resetsAtMs }
  const limited = limitedFailure(message)
  if (limited.kind === 'usage-limited') return limited
  if (apiStatus !== undefined && apiStatus >= 400) return providerFailure(apiStatus, message)
  if (/Invalid API key|Please run \/login|Not logged in/i.test(text)) return configurationFailure(message)
  if (/connect|network|fetch|timed? ?out|ECONN|ENOTFOUND/i.test(text)) return networkFailure(message)
  return terminalReason === 'api_error' || /^API Error\b/.test(text)
    ? { kind: 'server-error', message, retryable: true }
    : undefined
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? ''
}
