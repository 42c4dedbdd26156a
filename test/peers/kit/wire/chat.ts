/** OpenAI chat completions: Qwen Code, the SDKs, every "OpenAI-compatible" client. */
import { argumentText, type Spoken } from '../step.ts'
import { dataEvents, namesIn, recordsIn, textIn, type Wire } from './wire.ts'

export const chat: Wire = {
  protocol: 'chat',
  serves: (path) => path.endsWith('/chat/completions'),
  isStreaming: (_, body) => body['stream'] === true,
  tools: (body) => namesIn(recordsIn(body['tools']).map((tool) => tool['function'])),
  messages: (body) =>
    recordsIn(body['messages']).map(({ role, content }) => ({
      side: role === 'assistant' ? 'said' : 'told',
      text: textIn(content),
    })),
  stream(spoken) {
    const delta = { role: 'assistant', content: contentOf(spoken), ...callsOf(spoken, true) }
    const chunk = (choices: readonly object[], rest = {}) => ({
      ...headOf(spoken, 'chat.completion.chunk'),
      choices,
      ...rest,
    })
    const chunks = [
      chunk([{ index: 0, delta, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason: finishOf(spoken) }]),
      chunk([], { usage: usageOf(spoken) }),
    ]
    return `${dataEvents(chunks)}data: [DONE]\n\n`
  },
  whole: (spoken) => ({
    ...headOf(spoken, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: contentOf(spoken), refusal: null, ...callsOf(spoken, false) },
        finish_reason: finishOf(spoken),
        logprobs: null,
      },
    ],
    usage: usageOf(spoken),
  }),
  failure: ({ status, message }) => ({
    error: {
      message: message ?? 'scripted failure',
      type: 'server_error',
      code: `status_${status}`,
      param: null,
    },
  }),
}

function headOf({ id, model }: Spoken, object: string) {
  return { id: `chatcmpl-${id}`, object, created: 1_700_000_000, model }
}

function contentOf({ text, calls }: Spoken) {
  return text === '' && calls.length > 0 ? null : text
}

function callsOf({ calls }: Spoken, withIndex: boolean) {
  if (calls.length === 0) return {}
  return {
    tool_calls: calls.map((call, index) => ({
      ...(withIndex ? { index } : {}),
      id: call.callId,
      type: 'function',
      function: { name: call.tool, arguments: argumentText(call) },
    })),
  }
}

function finishOf({ calls }: Spoken) {
  return calls.length > 0 ? 'tool_calls' : 'stop'
}

function usageOf({ usage }: Spoken) {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: usage.cachedInputTokens },
    completion_tokens_details: { reasoning_tokens: 0 },
  }
}
