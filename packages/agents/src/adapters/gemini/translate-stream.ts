/** What the lines of `gemini --output-format stream-json` mean. */
import { jsonValueOf, numberIn, payloadOf, textIn, type Payload } from '../../protocol/hooks/index.ts'
import type { AgentSignal, LineTranslator } from '../../protocol/stream/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import type { TokenUsage } from '@donecheck/core/budgets'
import { effectOf } from './tools.ts'
import { endOfTurn, type GeminiResult } from './translate-end.ts'
import { given } from '@donecheck/engine/base'

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
      // It went on all the same: the warning was not about the end.
      if (signal.kind !== 'session') warning = undefined
      hasBegun = true
      yield signal
    },
    get isOver() {
      return result !== undefined
    },
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

/** Thoughts are counted in the total alone. */
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
