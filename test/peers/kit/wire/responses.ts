/** OpenAI Responses: Codex, the OpenAI Agents SDK. */
import { argumentText, type Spoken } from '../step.ts'
import { namedEvents, namesIn, recordsIn, textIn, type Body, type Wire } from './wire.ts'

export const responses: Wire = {
  protocol: 'responses',
  serves: (path) => path.endsWith('/responses'),
  isStreaming: (_, body) => body['stream'] === true,
  tools: (body) => namesIn(body['tools']),
  messages: (body) =>
    typeof body['input'] === 'string'
      ? [{ side: 'told', text: body['input'] }]
      : recordsIn(body['input']).map((item) => ({
          side: isSaid(item) ? 'said' : 'told',
          text: textIn(item),
        })),
  stream: (spoken) =>
    namedEvents(eventsOf(spoken).map((event, position) => ({ ...event, sequence_number: position }))),
  whole: (spoken) => responseOf(spoken, 'completed'),
  failure: ({ status, message }) => ({
    error: {
      message: message ?? 'scripted failure',
      type: 'server_error',
      code: `status_${status}`,
      param: null,
    },
  }),
}

function isSaid({ role, type }: Body): boolean {
  return role === 'assistant' || ['function_call', 'custom_tool_call', 'reasoning'].includes(String(type))
}

function eventsOf(spoken: Spoken) {
  return [
    { type: 'response.created', response: responseOf(spoken, 'in_progress') },
    ...itemsOf(spoken).flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } },
      ...deltasOf(item, output_index),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response: responseOf(spoken, 'completed') },
  ]
}

type Item = ReturnType<typeof itemsOf>[number]

function deltasOf(item: Item, output_index: number) {
  const place = { item_id: item.id, output_index }
  if (item.type === 'message') {
    const [{ text }] = item.content
    const inside = { ...place, content_index: 0 }
    return [
      { type: 'response.output_text.delta', ...inside, delta: text, logprobs: [] },
      { type: 'response.output_text.done', ...inside, text, logprobs: [] },
    ]
  }
  if (item.type === 'custom_tool_call') return []
  return [
    { type: 'response.function_call_arguments.delta', ...place, delta: item.arguments },
    { type: 'response.function_call_arguments.done', ...place, name: item.name, arguments: item.arguments },
  ]
}

function itemsOf({ id, text, calls }: Spoken) {
  const said = { type: 'output_text', text, annotations: [], logprobs: [] } as const
  const message = {
    type: 'message',
    id: `msg_${id}`,
    role: 'assistant',
    status: 'completed',
    content: [said],
  } as const
  return [...(text === '' && calls.length > 0 ? [] : [message]), ...calls.map(callItem)]
}

function callItem(call: Spoken['calls'][number]) {
  const head = {
    id: `fc_${call.callId}`,
    call_id: call.callId,
    name: call.tool,
    status: 'completed',
  } as const
  return typeof call.args === 'string'
    ? ({ type: 'custom_tool_call', ...head, input: call.args } as const)
    : ({ type: 'function_call', ...head, arguments: argumentText(call) } as const)
}

function responseOf(spoken: Spoken, status: 'in_progress' | 'completed') {
  const { inputTokens, cachedInputTokens, outputTokens } = spoken.usage
  const usage = {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  }
  return {
    id: `resp_${spoken.id}`,
    object: 'response',
    created_at: 1_700_000_000,
    status,
    model: spoken.model,
    error: null,
    incomplete_details: null,
    output: status === 'completed' ? itemsOf(spoken) : [],
    usage: status === 'completed' ? usage : null,
  }
}
