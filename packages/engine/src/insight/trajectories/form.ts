import { canonicalJson } from '@donecheck/core/base'
import type { JsonValue } from '@donecheck/core/events'
import * as z from 'zod'
import { sha256 } from '../../base/index.ts'
import { groundTruthSchema, type RecordedRun, type RecordedTurn } from '../recordings/index.ts'
import type { Trajectory } from './trajectory.ts'

export interface TrajectoryForm {
  /** One line of a file, without a line end. */
  write(trajectory: Trajectory): JsonValue
  /** Undefined if the line is not of this form. */
  read(line: unknown): RecordedRun | undefined
}

/** What is read of the label: another record of verdicts is what its source says, and no verdict of ours. */
export const labelSchema = z
  .object({
    outcome: z.string(),
    qualifiers: z.array(z.string()).default([]),
    groundTruth: groundTruthSchema.nullable().default(null),
  })
  .nullish()

const known: Readonly<Record<string, boolean>> = { verified: true, failed: false, exhausted: false }

interface ReadParts {
  readonly id: string
  readonly model: string | null
  readonly task: string
  readonly turns: readonly RecordedTurn[]
  readonly label: z.infer<typeof labelSchema>
}

export function recordedRun({ id, model, task, turns, label }: ReadParts): RecordedRun {
  const { outcome: said, qualifiers = [], groundTruth = null } = label ?? { outcome: null }
  const outcome = groundTruth ?? {
    resolved: said === null ? null : (known[said] ?? null),
    labels: said === null ? [] : [`outcome=${said}`, ...qualifiers],
  }
  return { id, file: id, model, agent: '', task, prompt: task, outcome, exit: null, turns: [...turns] }
}

/** What stands before the first message of the drive is the task; the turns are made of the rest. */
export function splitAtDrive<Message>(
  messages: readonly Message[],
  isOfDrive: (message: Message) => boolean,
  textOf: (message: Message) => string | null | undefined,
): { readonly task: string; readonly rest: readonly Message[] } {
  const found = messages.findIndex(isOfDrive)
  const begin = found === -1 ? messages.length : found
  const task = messages.slice(0, begin).map((message) => textOf(message) ?? '')
  return { task: task.join('\n\n'), rest: messages.slice(begin) }
}

export function withReply(turn: RecordedTurn, text: string): RecordedTurn {
  return { ...turn, reply: turn.reply == null ? text : `${turn.reply}\n\n${text}` }
}

export function recordedCall(name: string, args: JsonValue, result: string | null = null) {
  const argsDigest = sha256(canonicalJson(args))
  return { name, args, argsDigest, result, resultDigest: null, isError: null }
}

/** Arguments as text, where a form has them so: what is no JSON is the raw text. */
export function argumentsOf(text: string): JsonValue {
  try {
    return z.json().parse(JSON.parse(text))
  } catch {
    return text
  }
}

/** As the forms have it: no time zone but UTC. */
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
