/** The Agent Trajectory Interchange Format of Harbor, one trajectory a line. Our label is in `extra`. */
import type { JsonValue } from '@donecheck/core/events'
import * as z from 'zod'
import { donecheckVersion, given } from '../../../base/index.ts'
import type { RecordedTurn } from '../../recordings/index.ts'
import type { TrajectoryStep } from '../trajectory.ts'
import {
  isoTime,
  labelJson,
  labelSchema,
  recordedCall,
  recordedRun,
  type TrajectoryForm,
  splitAtDrive,
  withReply,
} from './form.ts'

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

const lineSchema = z.object({
  schema_version: z.string().startsWith('ATIF-v1'),
  session_id: z.string().nullish(),
  agent: z.object({ name: z.string(), model_name: z.string().nullish() }),
  steps: z.array(stepSchema),
  extra: z.object({ verdict: labelSchema }).nullish(),
})

export const atif: TrajectoryForm = {
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
    const parsed = lineSchema.safeParse(line)
    if (!parsed.success) return undefined
    const { steps, agent, session_id: id, extra } = parsed.data
    const isOfDrive = ({ source }: Step) => source === 'agent'
    const { task, rest } = splitAtDrive(steps, isOfDrive, ({ message }) => message)
    const model = agent.model_name ?? null
    const run = recordedRun({ id: id ?? '', model, task, turns: recordedTurns(rest), label: extra?.verdict })
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

function recordedTurns(steps: readonly Step[]): readonly RecordedTurn[] {
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
