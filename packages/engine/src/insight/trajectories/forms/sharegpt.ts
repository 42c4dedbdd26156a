/** ShareGPT, as Hermes writes it: calls and results in tags inside the texts. `completed` is the verdict and not the claim. */
import type { JsonValue } from '@donecheck/core/events'
import * as z from 'zod'
import type { RecordedTurn } from '../../recordings/index.ts'
import type { Trajectory, TrajectoryCall } from '../trajectory.ts'
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
import { jsonOf } from '../../../base/index.ts'

const lineSchema = z.object({
  id: z.string().optional(),
  model: z.string().nullish(),
  conversations: z.array(z.object({ from: z.string(), value: z.string() })),
  verdict: labelSchema,
})

const callSchema = z.object({ name: z.string(), arguments: z.json() })
const responseSchema = z.object({ content: z.json() })

export const sharegpt: TrajectoryForm = {
  write: (trajectory) => ({
    id: trajectory.runId,
    conversations: [said('human', untagged(trajectory.task)), ...trajectory.steps.flatMap(turnsOf)],
    timestamp: isoTime(trajectory.startedAtMs),
    model: trajectory.model,
    completed: trajectory.verdict.outcome === 'verified',
    verdict: labelJson(trajectory),
  }),

  read(line) {
    const parsed = lineSchema.safeParse(line)
    if (!parsed.success) return undefined
    const { conversations, verdict, model = null, id = '' } = parsed.data
    const { task, rest } = splitAtDrive(
      conversations,
      ({ from }) => from === 'gpt',
      ({ value }) => value,
    )
    return recordedRun({ id, model, task, turns: recordedTurns(rest), label: verdict })
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

function recordedTurns(
  messages: Readonly<z.infer<typeof lineSchema>['conversations']>,
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
