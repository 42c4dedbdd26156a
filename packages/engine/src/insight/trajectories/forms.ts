/** Forms of trajectories by their `donecheck export --format` name: one trajectory per line. */
import type { JsonValue } from '@donecheck/core/internal/events'
import * as z from 'zod'
import { donecheckVersion, given, jsonOf } from '../../base/index.ts'
import { parseRun, type RecordedRun } from '../recordings/index.ts'
import {
  argumentsOf,
  isoTime,
  labelJson,
  labelSchema,
  type ReadMessage,
  recordedRun,
  type TrajectoryForm,
} from './form.ts'
import type { Trajectory, TrajectoryCall, TrajectoryStep } from './trajectory.ts'

const messageSchema = z.object({
  role: z.string(),
  content: z.string().nullish(),
  tool_call_id: z.string().optional(),
  tool_calls: z
    .array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
    .optional(),
})

const chatLine = z.object({
  id: z.string().optional(),
  model: z.string().nullish(),
  messages: z.array(messageSchema),
  verdict: labelSchema,
})

const openai: TrajectoryForm = {
  write: (trajectory) => ({
    id: trajectory.runId,
    model: trajectory.model,
    messages: [{ role: 'user', content: trajectory.task }, ...trajectory.steps.flatMap(messagesOf)],
    verdict: labelJson(trajectory),
  }),

  read(line) {
    const parsed = chatLine.safeParse(line)
    if (!parsed.success) return undefined
    const { messages, verdict: label, model = null, id = '' } = parsed.data
    return recordedRun({ id, model, label, messages: messages.map(readChatMessage) })
  },
}

function messagesOf({ text, calls, feedback }: Trajectory['steps'][number]): readonly JsonValue[] {
  const toolCalls = calls.map(({ callId, tool, args }) => {
    return { id: callId, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } }
  })
  const results = calls.flatMap(({ callId, result }) =>
    result === null ? [] : [{ role: 'tool', tool_call_id: callId, content: result }],
  )
  return [
    { role: 'assistant', content: text, ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }) },
    ...results,
    ...(feedback === null ? [] : [{ role: 'user', content: feedback }]),
  ]
}

function readChatMessage(message: z.infer<typeof messageSchema>): ReadMessage {
  const { role, content, tool_calls: toolCalls = [], tool_call_id: answered } = message
  const text = content ?? ''
  if (role !== 'assistant')
    return answered === undefined
      ? { by: 'others', text }
      : { by: 'tools', results: [{ id: answered, content: text }] }
  const calls = toolCalls.map(({ id, function: { name, arguments: args } }) => {
    return { id, tool: name, args: argumentsOf(args) }
  })
  return { by: 'agent', text, calls }
}

const saidSchema = z.object({ from: z.string(), value: z.string() })

const shareGptLine = z.object({
  id: z.string().optional(),
  model: z.string().nullish(),
  conversations: z.array(saidSchema),
  verdict: labelSchema,
})

const callSchema = z.object({ name: z.string(), arguments: z.json() })
const responseSchema = z.object({ content: z.json() })

const sharegpt: TrajectoryForm = {
  write: (trajectory) => ({
    id: trajectory.runId,
    conversations: [said('human', untagged(trajectory.task)), ...trajectory.steps.flatMap(turnsOf)],
    timestamp: isoTime(trajectory.startedAtMs),
    model: trajectory.model,
    completed: trajectory.verdict.outcome === 'verified',
    verdict: labelJson(trajectory),
  }),

  read(line) {
    const parsed = shareGptLine.safeParse(line)
    if (!parsed.success) return undefined
    const { conversations, verdict: label, model = null, id = '' } = parsed.data
    return recordedRun({ id, model, label, messages: conversations.map(readSaid) })
  },
}

function said(from: string, value: string) {
  return { from, value }
}

function turnsOf({ text, calls, feedback }: Trajectory['steps'][number]): readonly JsonValue[] {
  const proposed = calls.map(({ tool, args }) => tagged('tool_call', { name: tool, arguments: args }))
  const answered = calls.some(({ result }) => result !== null)
  return [
    said('gpt', [...(text === '' ? [] : [untagged(text)]), ...proposed].join('\n')),
    ...(answered ? [said('tool', calls.map(responseOf).join('\n'))] : []),
    ...(feedback === null ? [] : [said('human', untagged(feedback))]),
  ]
}

function responseOf({ callId, tool, result }: TrajectoryCall): string {
  return tagged('tool_response', { tool_call_id: callId, name: tool, content: result })
}

function tagged(tag: string, value: JsonValue): string {
  return `<${tag}>\n${JSON.stringify(value)}\n</${tag}>`
}

/** Tags that the agent wrote itself are not calls. */
function untagged(text: string): string {
  return text.replace(/<(?=\/?tool_(?:call|response)>)/gu, '&lt;')
}

/** The JSON inside each pair of tags, and the text before the first. */
function untag(tag: string, value: string): { readonly text: string; readonly bodies: readonly unknown[] } {
  const found = [...value.matchAll(new RegExp(`(?:^|\\n)<${tag}>\\n([^\\n]*)\\n</${tag}>`, 'gu'))]
  const text = value.slice(0, found[0]?.index ?? value.length)
  return { text, bodies: found.map(([, body = '']) => jsonOf(body)) }
}

function readSaid({ from, value }: z.infer<typeof saidSchema>): ReadMessage {
  if (from === 'tool') {
    const { bodies } = untag('tool_response', value)
    const results = bodies.map((body) => ({ content: responseSchema.safeParse(body).data?.content ?? null }))
    return { by: 'tools', results }
  }
  if (from !== 'gpt') return { by: 'others', text: value }
  const { text, bodies } = untag('tool_call', value)
  const calls = bodies.flatMap((body) => callSchema.safeParse(body).data ?? [])
  return { by: 'agent', text, calls: calls.map(({ name, arguments: args }) => ({ tool: name, args })) }
}

const version = 'ATIF-v1.6'

const stepSchema = z.object({
  source: z.enum(['system', 'user', 'agent']),
  message: z.string().nullish(),
  tool_calls: z
    .array(z.object({ tool_call_id: z.string(), function_name: z.string(), arguments: z.json() }))
    .nullish(),
  observation: z
    .object({
      results: z.array(z.object({ source_call_id: z.string().nullish(), content: z.json().optional() })),
    })
    .nullish(),
  metrics: z
    .object({
      prompt_tokens: z.number().nullish(),
      completion_tokens: z.number().nullish(),
      cost_usd: z.number().nullish(),
    })
    .nullish(),
})

const atifLine = z.object({
  schema_version: z.string().startsWith('ATIF-v1'),
  session_id: z.string().nullish(),
  agent: z.object({ name: z.string(), model_name: z.string().nullish() }),
  steps: z.array(stepSchema),
  extra: z.object({ verdict: labelSchema }).nullish(),
})

const atif: TrajectoryForm = {
  write(trajectory) {
    const { runId, model, startedAtMs, task, steps } = trajectory
    const asked = { timestamp: isoTime(startedAtMs), source: 'user', message: task }
    const all = [asked, ...steps.flatMap(stepsOf)].map((step, at) => ({ step_id: at + 1, ...step }))
    return {
      schema_version: version,
      session_id: runId,
      agent: { name: 'donecheck', version: donecheckVersion, model_name: model },
      steps: all,
      final_metrics: {
        total_prompt_tokens: sum(steps, ({ usage }) => usage?.inputTokens),
        total_completion_tokens: sum(steps, ({ usage }) => usage?.outputTokens),
        total_cost_usd: sum(steps, ({ costUsd }) => costUsd ?? undefined),
        total_steps: all.length,
      },
      extra: { verdict: labelJson(trajectory) },
    }
  },

  read(line) {
    const parsed = atifLine.safeParse(line)
    if (!parsed.success) return undefined
    const { steps, agent, session_id: id, extra } = parsed.data
    const { name, model_name: model = null } = agent
    const messages = steps.map(readStep)
    return { ...recordedRun({ id: id ?? '', model, messages, label: extra?.verdict }), agent: name }
  },
}

/** Null if any part is unknown. */
function sum(
  steps: readonly TrajectoryStep[],
  amountOf: (step: TrajectoryStep) => number | undefined,
): number | null {
  const amounts = steps.map(amountOf).filter((amount) => amount !== undefined)
  return amounts.length < steps.length ? null : amounts.reduce((total, amount) => total + amount, 0)
}

function stepsOf(step: TrajectoryStep): readonly Readonly<Record<string, JsonValue>>[] {
  const { timeMs, text, calls, feedback, usage, costUsd } = step
  const timestamp = isoTime(timeMs)
  const results = calls.flatMap(({ callId, result }) =>
    result === null ? [] : [{ source_call_id: callId, content: result }],
  )
  const metrics = {
    ...(usage === null ? {} : { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens }),
    ...given({ cached_tokens: usage?.cachedInputTokens }),
    ...(costUsd === null ? {} : { cost_usd: costUsd }),
  }
  return [
    {
      ...{ timestamp, source: 'agent', message: text },
      ...(calls.length === 0 ? {} : { tool_calls: calls.map(callOf) }),
      ...(results.length === 0 ? {} : { observation: { results } }),
      ...(Object.keys(metrics).length === 0 ? {} : { metrics }),
    },
    ...(feedback === null ? [] : [{ timestamp, source: 'user', message: feedback }]),
  ]
}

function callOf({ callId, tool, args }: TrajectoryStep['calls'][number]): JsonValue {
  const isObject = typeof args === 'object' && args !== null && !('length' in args)
  return { tool_call_id: callId, function_name: tool, arguments: isObject ? args : { input: args } }
}

function readStep(step: z.infer<typeof stepSchema>): ReadMessage {
  const { source, message, tool_calls: toolCalls, observation, metrics } = step
  const text = message ?? ''
  if (source !== 'agent') return { by: 'others', text }
  const results = new Map(observation?.results.map(({ source_call_id: id, content }) => [id, content]))
  const calls = (toolCalls ?? []).map(({ tool_call_id: id, function_name: tool, arguments: args }) => {
    return { id, tool, args, result: results.get(id) }
  })
  const { prompt_tokens: input, completion_tokens: output, cost_usd: costUsd } = metrics ?? {}
  const tokens = input == null || output == null ? null : { in: input, out: output }
  return { by: 'agent', text, calls, tokens, ...(costUsd == null ? {} : { costUsd }) }
}

export const trajectoryForms = { sharegpt, openai, atif } as const satisfies Readonly<
  Record<string, TrajectoryForm>
>
export type TrajectoryFormName = keyof typeof trajectoryForms

/** Reads any of the forms, or a recorded run. @returns undefined if it is none of them */
export function readTrajectory(line: string, file: string): RecordedRun | undefined {
  const recorded = parseRun(line, file)
  if (recorded !== undefined) return recorded
  const value = jsonOf(line)
  for (const form of Object.values(trajectoryForms)) {
    const run = form.read(value)
    if (run !== undefined) return run
  }
  return undefined
}
