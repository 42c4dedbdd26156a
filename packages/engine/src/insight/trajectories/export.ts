/** Runs as lines of one form, chosen by their verdicts, and the account of what was written. */
import type { RunEvent } from '@donecheck/core/events'
import { donecheckVersion } from '../../base/index.ts'
import { trajectoryForms, type TrajectoryFormName } from './forms/index.ts'
import { countMarks, redactedTrajectory, type Redaction } from './redact.ts'
import { trajectoryOf, type VerdictLabel } from './trajectory.ts'

export const trajectoryChoices = ['all', 'verified', 'failed'] as const
/** `verified`: by a donecheck that has seen it, so nothing imported. `failed`: ended without, as `failed` or `exhausted`. */
export type TrajectoryChoice = (typeof trajectoryChoices)[number]

export function isChosen({ outcome, imported }: VerdictLabel, only: TrajectoryChoice): boolean {
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
  /** SHA-256 of its bytes, hex. */
  readonly sha256: string
  readonly bytes: number
}

/** What a file of trajectories holds, for whoever gets it without the runs. */
export interface TrajectoryManifest {
  readonly format: 'donecheck-trajectories'
  readonly version: 1
  readonly donecheckVersion: string
  readonly form: string
  readonly only: TrajectoryChoice
  readonly runs: number
  /** Runs that were not chosen, or hold no reply of a drive. */
  readonly leftOut: number
  readonly outcomes: Readonly<Record<string, number>>
  readonly qualifiers: Readonly<Record<string, number>>
  /** Of checks, by their latest status. */
  readonly checks: Readonly<Record<string, number>>
  readonly imported: number
  /** Marks that stand in the file, by what they stand for. */
  readonly redactions: Readonly<Record<string, number>>
  readonly files: readonly ExportedFile[]
}

/** Counts while it is fed; nothing is kept of a run but its counts. */
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

  /** @returns whether the run is to be written; of one without a label nothing is */
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

  manifest(form: string, files: readonly ExportedFile[]): TrajectoryManifest {
    return {
      ...{ format: 'donecheck-trajectories', version: 1, donecheckVersion, form, only: this.#only },
      ...{ runs: this.#runs, leftOut: this.#leftOut, outcomes: Object.fromEntries(this.#outcomes) },
      qualifiers: Object.fromEntries(this.#qualifiers),
      checks: Object.fromEntries(this.#checks),
      imported: this.#imported,
      redactions: Object.fromEntries(this.#marks),
      files,
    }
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/**
 * One run as a line. Undefined: it was left out.
 * @param run its events, in order, and whether they were recorded elsewhere
 */
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
