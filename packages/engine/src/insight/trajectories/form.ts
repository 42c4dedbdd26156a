import { canonicalJson } from '@donecheck/core/internal/base'
import type { JsonValue } from '@donecheck/core/internal/events'
import * as z from 'zod'
import { given, sha256 } from '../../base/index.ts'
import { groundTruthSchema, type RecordedRun, type RecordedTurn } from '../recordings/index.ts'
import type { Trajectory } from './trajectory.ts'

export interface TrajectoryForm {
  write(trajectory: Trajectory): JsonValue
  /** Undefined if the line is not of this form. */
  read(line: unknown): RecordedRun | undefined
}

/** A label from another record is the claim of its source, not a verdict of ours. */
export const labelSchema = z
  .object({
    outcome: z.string(),
    qualifiers: z.array(z.string()).default([]),
    groundTruth: groundTruthSchema.nullable().default(null),
  })
  .nullish()

const known: Readonly<Record<string, boolean>> = { verified: true, failed: false, exhausted: false }

/** A message in any form. A result belongs to the call with its id, or by position. */
export type ReadMessage =
  | ({ readonly by: 'agent'; readonly text: string; readonly calls: readonly ReadCall[] } & Pick<
      RecordedTurn,
      'tokens' | 'costUsd'
    >)
  | {
      readonly by: 'tools'
      readonly results: readonly { readonly id?: string; readonly content: JsonValue }[]
    }
  | { readonly by: 'others'; readonly text: string }

interface ReadCall {
  readonly id?: string
  readonly tool: string
  readonly args: JsonValue
  readonly result?: JsonValue | undefined
}

interface ReadParts {
  readonly id: string
  readonly model: string | null
  readonly messages: readonly ReadMessage[]
  readonly label: z.infer<typeof labelSchema>
}

export function recordedRun({ id, model, messages, label }: ReadParts): RecordedRun {
  const { outcome: said, qualifiers = [], groundTruth = null } = label ?? { outcome: null }
  const outcome = groundTruth ?? {
    resolved: said === null ? null : (known[said] ?? null),
    labels: said === null ? [] : [`outcome=${said}`, ...qualifiers],
  }
  const first = messages.findIndex(({ by }) => by === 'agent')
  const before = first === -1 ? messages : messages.slice(0, first)
  const task = before.flatMap((message) => (message.by === 'others' ? [message.text] : [])).join('\n\n')
  const turns = turnsOf(messages.slice(before.length))
  return { id, file: id, model, agent: '', task, prompt: task, outcome, exit: null, turns }
}

function turnsOf(messages: readonly ReadMessage[]): readonly RecordedTurn[] {
  const turns: RecordedTurn[] = []
  let asked: readonly ReadCall[] = []
  for (const message of messages) {
    const last = turns.at(-1)
    if (message.by === 'agent') {
      const { text, calls, tokens, costUsd } = message
      asked = calls
      turns.push({ text, toolCalls: calls.map(recordedCall), ...given({ tokens, costUsd }) })
    } else if (last !== undefined && message.by === 'others') {
      const reply = last.reply == null ? message.text : `${last.reply}\n\n${message.text}`
      turns.splice(-1, 1, { ...last, reply })
    } else if (last !== undefined && message.by === 'tools') {
      const toolCalls = last.toolCalls.map((call, at) => {
        const found = message.results.find(({ id }, place) =>
          id === undefined ? place === at : id === asked[at]?.id,
        )
        return found === undefined ? call : { ...call, result: textOf(found.content) }
      })
      turns.splice(-1, 1, { ...last, toolCalls })
    }
  }
  return turns
}

function recordedCall({ tool: name, args, result = null }: ReadCall) {
  const argsDigest = sha256(canonicalJson(args))
  return { name, args, argsDigest, result: textOf(result), resultDigest: null, isError: null }
}

function textOf(content: JsonValue): string | null {
  return content === null || typeof content === 'string' ? content : JSON.stringify(content)
}

/** Parses arguments given as text; invalid JSON stays text. */
export function argumentsOf(text: string): JsonValue {
  try {
    return z.json().parse(JSON.parse(text))
  } catch {
    return text
  }
}

/** UTC only. */
export function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

export function labelJson({ verdict }: Trajectory): JsonValue {
  const { checks, qualifiers, groundTruth, ...rest } = verdict
  return {
    ...rest,
    checks: checks.map((check) => ({ ...check, qualifiers: [...check.qualifiers] })),
    qualifiers: [...qualifiers],
    groundTruth: groundTruth === null ? null : { ...groundTruth },
  }
}
