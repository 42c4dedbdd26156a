/** Anthropic Messages: Claude Code, the Claude Agent SDK, opencode. */
import type { Spoken } from '../step.ts'
import { namedEvents, namesIn, recordsIn, textIn, type Wire } from './wire.ts'

export const anthropic: Wire = {
  protocol: 'anthropic',
  serves: (path) => /\/messages(?:\/count_tokens)?$/.test(path),
  aside: (path) => (path.endsWith('/count_tokens') ? { input_tokens: 100 } : undefined),
  isStreaming: (_, body) => body['stream'] === true,
  tools: (body) => namesIn(body['tools']),
  messages: (body) =>
    recordsIn(body['messages']).map(({ role, content }) => ({
      side: role === 'assistant' ? 'said' : 'told',
      text: textIn(content),
    })),
  stream: (spoken) => namedEvents(eventsOf(spoken)),
  whole: (spoken) => ({
    ...messageOf(spoken),
    content: blocksOf(spoken),
    stop_reason: stopReasonOf(spoken),
    usage: usageOf(spoken),
  }),
  failure: ({ status, message }) => ({
    type: 'error',
    error: {
      type: status === 400 ? 'invalid_request_error' : 'api_error',
      message: message ?? 'scripted failure',
    },
  }),
}

function eventsOf(spoken: Spoken) {
  const usage = usageOf(spoken)
  const start = { ...messageOf(spoken), content: [], usage: { ...usage, output_tokens: 1 } }
  return [
    { type: 'message_start', message: start },
    ...blocksOf(spoken).flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: opened(block) },
      { type: 'content_block_delta', index, delta: deltaOf(block) },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: stopReasonOf(spoken), stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
}

function messageOf({ id, model }: Spoken) {
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    stop_reason: null,
    stop_sequence: null,
  }
}

type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }

function blocksOf({ text, calls }: Spoken): readonly Block[] {
  return [
    ...(text === '' && calls.length > 0 ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ callId, tool, args }) => ({
      type: 'tool_use' as const,
      id: `toolu_${callId}`,
      name: tool,
      input: args,
    })),
  ]
}

function opened(block: Block) {
  return block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} }
}

function deltaOf(block: Block) {
  return block.type === 'text'
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
}

function stopReasonOf({ calls }: Spoken) {
  return calls.length > 0 ? 'tool_use' : 'end_turn'
}

function usageOf({ usage }: Spoken) {
  return {
    input_tokens: usage.inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: usage.cachedInputTokens,
    output_tokens: usage.outputTokens,
  }
}
