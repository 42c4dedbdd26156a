/** How a turn of Gemini CLI has ended: by its last line, its exit code and what it printed on stderr. */
import {
  configurationFailure,
  failedTurn,
  notBegun,
  notStarted,
  providerFailure,
  type LineTranslator,
  type LinesEnd,
  type TurnEnded,
} from '../../protocol/stream/index.ts'
import type { DriveFailure } from '@donecheck/core/events'
import type { TokenUsage } from '@donecheck/core/budgets'
import { given } from '@donecheck/engine/base'

export interface GeminiResult {
  /** As it says. */
  readonly isSuccess: boolean
  readonly error?: string
  readonly usage?: TokenUsage
}

type End = ReturnType<LineTranslator['end']>

export interface GeminiTurn {
  /** It has told of its session: its program, its words and its settings work. */
  readonly hasBegun: boolean
  readonly result: GeminiResult | undefined
  /** The last one, unless it went on afterwards. */
  readonly warning: string | undefined
}

export function endOfTurn(end: LinesEnd, { hasBegun, result, warning }: GeminiTurn): End {
  if (result === undefined) return withoutResult(end, hasBegun)
  const ended: TurnEnded = { kind: 'turn-ended', text: '', ...given({ usage: result.usage }) }
  if (result.isSuccess)
    return warning === undefined ? ended : { ...ended, problem: `Gemini CLI said: ${warning}` }
  const error = result.error ?? warning ?? 'it told of no reason'
  const failure = failureOf(error, end)
  return failure === undefined
    ? { ...ended, problem: `Gemini CLI ended its turn with an error: ${error}` }
    : { ...ended, failure }
}

function withoutResult(end: LinesEnd, hasBegun: boolean): End {
  const missing = notStarted('gemini', end)
  if (missing !== undefined) return missing
  if (end.exitCode === 42 && /error resuming session/i.test(end.stderrTail))
    return { kind: 'session-lost', message: `Gemini CLI does not know the session any more (${end.problem})` }
  const explained = end.exitCode === null ? undefined : exitCodes[end.exitCode]
  if (explained !== undefined) return failedTurn(configurationFailure(`${explained} (${end.problem})`))
  const unborn = notBegun('Gemini CLI', end, hasBegun)
  if (unborn !== undefined) return failedTurn(unborn)
  return { kind: 'turn-ended', text: '', problem: `Gemini CLI did not finish its turn: ${end.problem}` }
}

/** Those that no further turn can mend. */
const exitCodes: Readonly<Record<number, string>> = {
  41: 'Gemini CLI is not logged in: run gemini once by hand, or set GEMINI_API_KEY',
  42: 'Gemini CLI does not take the words that it was started with',
  44: 'Gemini CLI cannot start its sandbox',
  52: 'the settings of Gemini CLI are wrong',
  55: 'Gemini CLI does not trust this folder: trust it by running gemini in it once, or give it the word --skip-trust',
}

/** Undefined: the turn itself went wrong, and the next one may do better. */
function failureOf(error: string, { exitCode, stderrTail }: LinesEnd): DriveFailure | undefined {
  const said = `the model of Gemini CLI could not be asked: ${error}`
  const status = /"(?:code|status)":\s*(\d{3})\b/.exec(error)?.[1]
  if (status !== undefined && Number(status) >= 400) return providerFailure(Number(status), said)
  if (/fetch failed|ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN/.test(error))
    return { kind: 'network', message: said, retryable: true }
  // Of these it tells no status.
  if (stderrTail.includes('ModelNotFoundError')) return providerFailure(404, said)
  if (/quota|rate limit|resource exhausted/i.test(error)) return providerFailure(429, said)
  if (exitCode === 41 || exitCode === 52) return configurationFailure(said)
  return undefined
}
