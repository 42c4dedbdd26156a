import type { JsonValue, RunEvent } from '@donecheck/core/internal/events'
import { maskText, type SecretValues } from '@donecheck/core/internal/secrets'
import { donecheckVersion, isJsonList, messageOf, UsageError } from '../../base/index.ts'
import { type TrajectoryFormName, trajectoryForms } from './forms.ts'
import { type Trajectory, trajectoryOf, type VerdictLabel } from './trajectory.ts'

export const trajectoryChoices = ['all', 'verified', 'failed'] as const
/** `verified`: observed here, so never imported. `failed`: ended as `failed` or `exhausted`. */
export type TrajectoryChoice = (typeof trajectoryChoices)[number]

function isChosen({ outcome, imported }: VerdictLabel, only: TrajectoryChoice): boolean {
  switch (only) {
    case 'all':
      return true
    case 'verified':
      return outcome === 'verified' && !imported
    case 'failed':
      return outcome === 'failed' || outcome === 'exhausted'
  }
}

export interface ExportedFile {
  readonly name: string
  /** Hex. */
  readonly sha256: string
  readonly bytes: number
}

export class TrajectoryAccount {
  readonly #only: TrajectoryChoice
  #runs = 0
  #leftOut = 0
  #imported = 0
  readonly #outcomes = new Map<string, number>()
  readonly #qualifiers = new Map<string, number>()
  readonly #checks = new Map<string, number>()
  readonly #marks = new Map<string, number>()

  constructor(only: TrajectoryChoice) {
    this.#only = only
  }

  /** @returns whether to write the run; runs without a label are skipped */
  takes(label: VerdictLabel | undefined): boolean {
    const takes = label !== undefined && isChosen(label, this.#only)
    if (!takes) this.#leftOut += 1
    return takes
  }

  written(label: VerdictLabel, lines: readonly string[]): void {
    this.#runs += 1
    if (label.imported) this.#imported += 1
    count(this.#outcomes, label.outcome)
    for (const qualifier of label.qualifiers) count(this.#qualifiers, qualifier)
    for (const { status } of label.checks) count(this.#checks, status)
    for (const line of lines) countMarks(line, this.#marks)
  }

  /** Describes an exported file for readers who do not have the runs. */
  manifest(form: string, files: readonly ExportedFile[]) {
    return {
      ...({ format: 'donecheck-trajectories', version: 1, donecheckVersion } as const),
      ...{ form, only: this.#only, runs: this.#runs, imported: this.#imported },
      /** Runs that were not chosen or have no reply. */
      leftOut: this.#leftOut,
      outcomes: Object.fromEntries(this.#outcomes),
      qualifiers: Object.fromEntries(this.#qualifiers),
      checks: Object.fromEntries(this.#checks),
      /** Number of markers in the file by what they replace. */
      redactions: Object.fromEntries(this.#marks),
      files,
    }
  }
}

export type TrajectoryManifest = ReturnType<TrajectoryAccount['manifest']>

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** One run as a line; undefined if it was skipped. @param run its events, in order */
export function trajectoryLine(
  run: { readonly events: readonly RunEvent[]; readonly isImported: boolean },
  form: TrajectoryFormName,
  redaction: Redaction,
  account: TrajectoryAccount,
): string | undefined {
  const trajectory = trajectoryOf(run.events, run.isImported)
  const takes = account.takes(trajectory?.verdict)
  if (!takes || trajectory === undefined) return undefined
  const line = JSON.stringify(trajectoryForms[form].write(redactedTrajectory(trajectory, redaction)))
  account.written(trajectory.verdict, [line])
  return line
}

export interface Redaction {
  readonly secrets: SecretValues
  /** Each match becomes `[masked:redact-N]`, N from 1. */
  readonly patterns: readonly RegExp[]
}

/** @throws {UsageError} if the expression is invalid, or matches everywhere */
export function redactPattern(source: string): RegExp {
  const pattern = compiled(source)
  if (pattern.test(''))
    throw new UsageError(`the pattern ${source} matches the empty text: name what must go`)
  return new RegExp(source, 'gu')
}

function compiled(source: string): RegExp {
  try {
    return new RegExp(source, 'u')
  } catch (error) {
    throw new UsageError(`the pattern ${source} is no regular expression: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

/** Redacts text of agents, tools and people, not our own (outcome, reason, status, qualifiers). */
function redactedTrajectory(trajectory: Trajectory, redaction: Redaction): Trajectory {
  const clean = (text: string) => redactedText(text, redaction)
  const cleanOrNull = (text: string | null) => (text === null ? null : clean(text))
  const { model, task, steps, verdict } = trajectory
  const { checks, groundTruth } = verdict
  return {
    ...trajectory,
    model: clean(model),
    task: clean(task),
    steps: steps.map(({ text, calls, feedback, ...rest }) => ({
      ...rest,
      text: clean(text),
      feedback: cleanOrNull(feedback),
      calls: calls.map(({ callId, tool, args, result }) => ({
        ...{ callId: clean(callId), tool: clean(tool) },
        args: redactedJson(args, redaction),
        result: cleanOrNull(result),
      })),
    })),
    verdict: {
      ...verdict,
      checks: checks.map((check) => ({ ...check, name: clean(check.name) })),
      groundTruth:
        groundTruth === null
          ? null
          : { ...groundTruth, labels: groundTruth.labels.map((label) => clean(label)) },
    },
  }
}

/** Includes keys, which the agent wrote as well. */
function redactedJson(value: JsonValue, redaction: Redaction): JsonValue {
  if (typeof value === 'string') return redactedText(value, redaction)
  if (typeof value === 'number') {
    const text = redactedText(String(value), redaction)
    return text === String(value) ? value : text
  }
  if (typeof value !== 'object' || value === null) return value
  if (isJsonList(value)) return value.map((entry) => redactedJson(entry, redaction))
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      redactedText(key, redaction),
      redactedJson(entry, redaction),
    ]),
  )
}

function redactedText(text: string, { secrets, patterns }: Redaction): string {
  const masked = maskText(text, secrets)
  return patterns.reduce(
    (before, pattern, at) => before.replace(pattern, `[masked:redact-${at + 1}]`),
    masked,
  )
}

/** Counts all markers in a text, including those of the recorder. */
function countMarks(text: string, counts: Map<string, number>): void {
  for (const [, name = ''] of text.matchAll(/\[masked:([^\]\\"]{1,100})\]/gu)) count(counts, name)
}
