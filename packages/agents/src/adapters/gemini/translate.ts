import { jsonValueOf, numberIn, payloadOf, textIn, type Payload } from '../../protocol/hooks/index.ts'
import {
  configurationFailure,
  failedTurn,
  limitedFailure,
  networkFailure,
  notBegun,
  notStarted,
  providerFailure,
  type AgentSignal,
  type LineTranslator,
  type LinesEnd,
  type TurnEnded,
} from '../../protocol/stream/index.ts'
import type { JsonValue, DriveFailure } from '@donecheck/core/events'
import type { TokenUsage } from '@donecheck/core/budgets'
import { effectOf } from './hooks.ts'
import { given } from '@donecheck/engine/base'
import { resetInText } from '@donecheck/engine/models'

/** One turn. The words of the model are pieces; nothing tells where a reply of it ends (see `steps.ts`). */
export function geminiTranslator(): LineTranslator {
  let hasBegun = false
  let result: GeminiResult | undefined
  let warning: string | undefined
  return {
    *line(value) {
      const line = payloadOf(value)
      if (line === undefined) return
      const type = textIn(line, 'type')
      if (type === 'error') warning = textIn(line, 'message') ?? 'it told of an error without a word'
      if (type === 'result') result = resultOf(line)
      const signal = signalOf(type, line)
      if (signal === undefined) return
      if (signal.kind !== 'session') warning = undefined
      hasBegun = true
      yield signal
    },
    get isOver() {
      return result !== undefined
    },
    stderrLine: retryOf,
    end: (end) => endOfTurn(end, { hasBegun, result, warning }),
  }
}

function signalOf(type: string | undefined, line: Payload): AgentSignal | undefined {
  const callId = textIn(line, 'tool_id') ?? ''
  switch (type) {
    case 'init': {
      const id = textIn(line, 'session_id')
      return id === undefined || id === '' ? undefined : { kind: 'session', id }
    }
    case 'message': {
      const piece = textIn(line, 'content')
      return textIn(line, 'role') === 'assistant' && piece !== undefined ? { kind: 'text', piece } : undefined
    }
    case 'tool_use': {
      const tool = textIn(line, 'tool_name') ?? ''
      return { kind: 'call', callId, tool, args: argumentsOf(line), effect: effectOf(tool) }
    }
    case 'tool_result': {
      const status = textIn(line, 'status') === 'error' ? 'error' : 'ok'
      const output = textIn(line, 'output') ?? textIn(payloadOf(line['error']), 'message') ?? ''
      return { kind: 'call-ended', callId, status, output }
    }
    default:
      return undefined
  }
}

function argumentsOf(line: Payload): JsonValue {
  return jsonValueOf(line['parameters'] ?? {})
}

function resultOf(line: Payload): GeminiResult {
  const usage = usageOf(payloadOf(line['stats']))
  const error = textIn(payloadOf(line['error']), 'message')
  return {
    isSuccess: textIn(line, 'status') === 'success',
    ...given({ error, usage }),
  }
}

function usageOf(stats: Payload | undefined): TokenUsage | undefined {
  if (stats === undefined) return undefined
  const inputTokens = numberIn(stats, 'input_tokens')
  const spoken = numberIn(stats, 'output_tokens')
  if (inputTokens === undefined || spoken === undefined) return undefined
  const total = numberIn(stats, 'total_tokens') ?? 0
  const cachedInputTokens = numberIn(stats, 'cached')
  return {
    inputTokens,
    outputTokens: Math.max(spoken, total - inputTokens),
    ...given({ cachedInputTokens }),
    estimated: false,
  }
}

interface GeminiResult {
  readonly isSuccess: boolean
  readonly error?: string
  readonly usage?: TokenUsage
}

type End = ReturnType<LineTranslator['end']>

interface GeminiTurn {
  readonly hasBegun: boolean
  readonly result: GeminiResult | undefined
  readonly warning: string | undefined
}

function endOfTurn(end: LinesEnd, { hasBegun, result, warning }: GeminiTurn): End {
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

const exitCodes: Readonly<Record<number, string>> = {
  41: 'Gemini CLI is not logged in: run gemini once by hand, or set GEMINI_API_KEY',
  42: 'Gemini CLI does not take the words that it was started with',
  44: 'Gemini CLI cannot start its sandbox',
  52: 'the settings of Gemini CLI are wrong',
  55: 'Gemini CLI does not trust this folder: trust it by running gemini in it once, or give it the word --skip-trust',
}

/** @returns undefined if the turn itself went wrong, and the next one may do better */
function failureOf(error: string, { exitCode, stderrTail }: LinesEnd): DriveFailure | undefined {
  const said = `the model of Gemini CLI could not be asked: ${error}`
  const limited = limitedFailure(said)
  if (limited.kind === 'usage-limited') {
    // The answer itself is told on stderr alone.
    const resetsAtMs = limited.resetsAtMs ?? resetInText(stderrTail, Date.now())
    return { ...limited, ...given({ resetsAtMs }) }
  }
  const status =
    /"(?:code|status)":\s*(\d{3})\b/.exec(error)?.[1] ?? /\bstatus: (\d{3})\b/.exec(stderrTail)?.[1]
  if (status !== undefined && Number(status) >= 400) return providerFailure(Number(status), said)
  if (noConnection.test(error)) return networkFailure(said)
  if (stderrTail.includes('ModelNotFoundError')) return providerFailure(404, said)
  if (/rate limit|resource exhausted/i.test(error)) return providerFailure(429, said)
  if (exitCode === 41 || exitCode === 52) return configurationFailure(said)
  if (error.includes('[API Error')) return providerFailure(500, said)
  return undefined
}

const noConnection = /fetch failed|ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN/

/** It tells on stderr alone that its provider refused it and that it asks again: up to ten times, with growing waits. */
function retryOf(line: string): AgentSignal | undefined {
  const [whole, status] = /^Attempt \d+ failed(?: with status (\d{3}))?\b.*/.exec(line) ?? []
  if (whole === undefined) return undefined
  const waitMs = Number(/Retrying after (\d+)\s*ms/.exec(whole)?.[1] ?? 0)
  const said = `the provider of Gemini CLI refused: ${whole.replace(/^Attempt \d+ failed[^.:]*[.:]\s*/, '')}`
  if (status !== undefined && Number(status) >= 400) {
    const failure = providerFailure(Number(status), said)
    return { kind: 'retrying', waitMs, failure: waitMs > 0 ? { ...failure, retryAfterMs: waitMs } : failure }
  }
  return {
    kind: 'retrying',
    waitMs,
    failure: noConnection.test(whole) ? networkFailure(unreached) : providerFailure(500, said),
  }
}

const unreached = 'Gemini CLI cannot reach its provider: is the address right (GOOGLE_GEMINI_BASE_URL)?'
