/** Messages of a chat with tool calls, as OpenAI has them: one conversation a line. */
import type { JsonValue } from '@donecheck/core/events'
import * as z from 'zod'
import type { RecordedTurn } from '../../recordings/index.ts'
import type { Trajectory } from '../trajectory.ts'
import {
  argumentsOf,
  labelJson,
  labelSchema,
  recordedCall,
  recordedRun,
  type TrajectoryForm,
  splitAtDrive,
  withReply,
} from './form.ts'

const messageSchema = z.object({
  role: z.string(),
  content: z.string().nullish(),
  tool_call_id: z.string().optional(),
  tool_calls: z
    .array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
    .optional(),
})
type Message = z.infer<typeof messageSchema>

const lineSchema = z.object({
  id: z.string().optional(),
  model: z.string().nullish(),
  messages: z.array(messageSchema),
  verdict: labelSchema,
})

export const openai: TrajectoryForm = {
  write: (trajectory) => ({
    id: trajectory.runId,
    model: trajectory.model,
    messages: [{ role: 'user', content: trajectory.task }, ...trajectory.steps.flatMap(messagesOf)],
    verdict: labelJson(trajectory),
  }),

  read(line) {
    const parsed = lineSchema.safeParse(line)
    if (!parsed.success) return undefined
    const { messages, verdict, model = null, id = '' } = parsed.data
    const isOfDrive = ({ role }: Message) => role === 'assistant'
    const { task, rest } = splitAtDrive(messages, isOfDrive, ({ content }) => content)
    return recordedRun({ id, model, task, turns: recordedTurns(rest), label: verdict })
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

function recordedTurns(messages: readonly Message[]): readonly RecordedTurn[] {
  const turns: RecordedTurn[] = []
  /** Ids of the calls of the last turn. */
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
