/** The forms of trajectories, by the names that `donecheck export --format` takes: one conversation or trajectory a line. */
import type { JsonValue } from '@donecheck/core/events'
import * as z from 'zod'
import { donecheckVersion, given, jsonOf } from '../../base/index.ts'
import { parseRun, type RecordedRun, type RecordedTurn } from '../recordings/index.ts'
import {
  argumentsOf,
  isoTime,
  labelJson,
  labelSchema,
  recordedCall,
  recordedRun,
  splitAtDrive,
  type TrajectoryForm,
  withReply,
} from './form.ts'
import type { Trajectory, TrajectoryCall, TrajectoryStep } from './trajectory.ts'

// messages of a chat with tool calls, as OpenAI has them

const messageSchema = z.object({
  role: z.string(),
  content: z.string().nullish(),
  tool_call_id: z.string().optional(),
  tool_calls: z
    .array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
    .optional(),
})
type Message = z.infer<typeof messageSchema>

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
    const { messages, verdict, model = null, id = '' } = parsed.data
    const isOfDrive = ({ role }: Message) => role === 'assistant'
    const { task, rest } = splitAtDrive(messages, isOfDrive, ({ content }) => content)
    return recordedRun({ id, model, task, turns: turnsOfMessages(rest), label: verdict })
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

function turnsOfMessages(messages: readonly Message[]): readonly RecordedTurn[] {
  const turns: RecordedTurn[] = []
  let ids: readonly string[] = []
  for (const { role, content, tool_calls: calls = [], tool_call_id: answered } of messages) {
    const last = turns.at(-1)
    if (role === 'assistant') {
      ids = calls.map(({ id }) => id)
      const toolCalls = calls.map(({ function: { name, arguments: args } }) =>
        recordedCall(name, argumentsOf(args)),
      )
      turns.push({ text: content ?? '', toolCalls })
    } else if (last !== undefined) turns.splice(-1, 1, withAnswer(last, ids, answered, content ?? ''))
  }
  return turns
}

function withAnswer(
  turn: RecordedTurn,
  ids: readonly string[],
  answered: string | undefined,
  content: string,
): RecordedTurn {
  if (answered === undefined) return withReply(turn, content)
  const toolCalls = turn.toolCalls.map((call, at) =>
    ids[at] === answered ? { ...call, result: content } : call,
  )
  return { ...turn, toolCalls }
}

// ShareGPT, as Hermes writes it: calls and results in tags inside the texts; `completed` is the verdict and not the claim

const shareGptLine = z.object({
  id: z.string().optional(),
  model: z.string().nullish(),
  conversations: z.array(z.object({ from: z.string(), value: z.string() })),
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
    const { conversations, verdict, model = null, id = '' } = parsed.data
    const { task, rest } = splitAtDrive(
      conversations,
      ({ from }) => from === 'gpt',
      ({ value }) => value,
    )
    return recordedRun({ id, model, task, turns: turnsOfConversation(rest), label: verdict })
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

/** A drive that writes the tags itself has made no call by it. */
function untagged(text: string): string {
  return text.replace(/<(?=\/?tool_(?:call|response)>)/gu, '&lt;')
}

/** The JSON inside of each pair of tags, and the text before the first. */
function untag(tag: string, value: string): { readonly text: string; readonly bodies: readonly unknown[] } {
  const found = [...value.matchAll(new RegExp(`(?:^|\\n)<${tag}>\\n([^\\n]*)\\n</${tag}>`, 'gu'))]
  const text = value.slice(0, found[0]?.index ?? value.length)
  return { text, bodies: found.map(([, body = '']) => jsonOf(body)) }
}

function turnsOfConversation(
  messages: Readonly<z.infer<typeof shareGptLine>['conversations']>,
): readonly RecordedTurn[] {
  const turns: RecordedTurn[] = []
  for (const { from, value } of messages) {
    const last = turns.at(-1)
    if (from === 'gpt') turns.push(replyOf(value))
    else if (last !== undefined)
      turns.splice(-1, 1, from === 'tool' ? withResults(last, value) : withReply(last, value))
  }
  return turns
}

function replyOf(value: string): RecordedTurn {
  const { text, bodies } = untag('tool_call', value)
  const calls = bodies.flatMap((body) => callSchema.safeParse(body).data ?? [])
  return { text, toolCalls: calls.map(({ name, arguments: args }) => recordedCall(name, args)) }
}

function withResults(turn: RecordedTurn, value: string): RecordedTurn {
  const { bodies } = untag('tool_response', value)
  const contents = bodies.map((body) => responseSchema.safeParse(body).data?.content ?? null)
  const toolCalls = turn.toolCalls.map((call, at) => ({ ...call, result: textOf(contents[at] ?? null) }))
  return { ...turn, toolCalls }
}

/** Some write a result that is JSON as such. */
function textOf(content: JsonValue): string | null {
  return content === null || typeof content === 'string' ? content : JSON.stringify(content)
}

// the Agent Trajectory Interchange Format of Harbor; our label is in `extra`

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
type Step = z.infer<typeof stepSchema>

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
    const isOfDrive = ({ source }: Step) => source === 'agent'
    const { task, rest } = splitAtDrive(steps, isOfDrive, ({ message }) => message)
    const model = agent.model_name ?? null
    const run = recordedRun({ id: id ?? '', model, task, turns: turnsOfSteps(rest), label: extra?.verdict })
    return { ...run, agent: agent.name }
  },
}

/** Null where one of them is not known: a part is not the sum. */
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

/** Arguments are an object there, whatever the drive has sent. */
function callOf({ callId, tool, args }: TrajectoryStep['calls'][number]): JsonValue {
  const isObject = typeof args === 'object' && args !== null && !('length' in args)
  return { tool_call_id: callId, function_name: tool, arguments: isObject ? args : { input: args } }
}

function turnsOfSteps(steps: readonly Step[]): readonly RecordedTurn[] {
  const turns: RecordedTurn[] = []
  for (const step of steps) {
    const last = turns.at(-1)
    const text = step.message ?? ''
    if (step.source === 'agent') turns.push(turnOf(step, text))
    else if (last !== undefined) turns.splice(-1, 1, withReply(last, text))
  }
  return turns
}

function turnOf({ tool_calls: calls, observation, metrics }: Step, text: string): RecordedTurn {
  const results = new Map(observation?.results.map(({ source_call_id: id, content }) => [id, content]))
  const toolCalls = (calls ?? []).map(({ tool_call_id: id, function_name: name, arguments: args }) => {
    const content = results.get(id) ?? null
    const result = content === null || typeof content === 'string' ? content : JSON.stringify(content)
    return recordedCall(name, args, result)
  })
  const { prompt_tokens: input, completion_tokens: output, cost_usd: costUsd } = metrics ?? {}
  const tokens = input == null || output == null ? null : { in: input, out: output }
  return { text, toolCalls, tokens, ...(costUsd == null ? {} : { costUsd }) }
}

export const trajectoryForms = { sharegpt, openai, atif } as const satisfies Readonly<
  Record<string, TrajectoryForm>
>
export type TrajectoryFormName = keyof typeof trajectoryForms

/** Of any of the forms, or one of a recorded run. @returns undefined: it is none of them */
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
