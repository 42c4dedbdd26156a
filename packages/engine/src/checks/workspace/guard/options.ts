import { UsageError } from '../../../base/index.ts'
import type { Waiver } from '@donecheck/core/internal/events/verdicts'
import type { Approver } from '../../../ports/gate.ts'
import type { Clock } from '../../../ports/loop.ts'
import { tamperRules, type TamperRule } from '../../../analysis/tamper/index.ts'
import { isAbsolute } from 'node:path'
import type { ProtectOptions } from '../../../analysis/protect/index.ts'
import type { ContentDigests } from '../../../system/trees/index.ts'
import type { Marks, Snapshots } from '../snapshots.ts'
import type { Calibrations } from '../clean-room/calibration.ts'
import type { CleanRooms } from '../clean-room/clean-room.ts'

/** What a person lets pass: a rule, a place, or a rule at a place. */
export interface GuardWaiver extends Waiver {
  readonly rule?: TamperRule
  /** Glob relative to the work folder. */
  readonly path?: string
}

export interface TamperGuardOptions {
  readonly workFolder: string
  /** Where the baseline tree is kept: outside of the work folder. */
  readonly snapshotFolder: string
  readonly clock: Clock
  /**
   * Where checks decide. Default: in a clean room if they report the same there before the first turn, else in the
   * work folder. `clean-room`: there in any case.
   */
  readonly checkIn?: 'work-folder' | 'clean-room'
  /** Globs: protected beside what is protected anyway. */
  readonly protect?: readonly string[]
  /** Globs: what the drive may change, the check side included. */
  readonly mayChange?: readonly string[]
  /** Command lines of the checks, whose scripts are protected. */
  readonly checkCommands?: readonly string[]
  /**
   * If a check is green only with the drive's check changes, and the drive was told and claims again: `ask` (default)
   * waits for approval, `refuse` ends the run.
   */
  readonly onTamper?: 'ask' | 'refuse'
  readonly waivers?: readonly GuardWaiver[]
  /** A git revision that the tree is compared with. Default: the tree at the start of the run. */
  readonly baseline?: string
  /** The snapshot to compare with was taken under this run's id. Default: at the start of the run itself. */
  readonly snapshotRunId?: string
  /** A folder outside of the work folder, laid over a clean copy in which the held-out checks run. */
  readonly heldOutFiles?: string
  /** Asked for approval. Without one, or if nobody is present, the verdict stays `pending`. */
  readonly approver?: Approver
  /** The home folder of scripts that check lines name by `~/`. Default: none are found. */
  readonly home?: string
}

const dayMs = 24 * 60 * 60 * 1_000

/** @throws {UsageError} for a waiver that waives everything, or whose day is none */
export function assertWaivers(waivers: readonly GuardWaiver[]): void {
  for (const waiver of waivers) {
    const { rule, path, until } = waiver
    if (rule === undefined && path === undefined)
      throw new UsageError('a waiver needs a rule or a path; one without both would waive everything')
    if (rule !== undefined && !tamperRules.includes(rule))
      throw new UsageError(`a waiver names the rule ${rule}; known rules: ${tamperRules.join(', ')}`)
    if (Number.isNaN(lastMs(until)))
      throw new UsageError(`a waiver holds until "${until}"; give a day such as 2026-12-31`)
  }
}

/** Until the end of its last day, in UTC. */
export function isInForce({ until }: Waiver, nowMs: number): boolean {
  return lastMs(until) >= nowMs
}

function lastMs(until: string): number {
  return /^\d{4}-\d{2}-\d{2}$/.test(until) ? Date.parse(`${until}T00:00:00Z`) + dayMs - 1 : Number.NaN
}

export interface GuardParts {
  readonly options: TamperGuardOptions
  /** Its real path. */
  readonly workFolder: string
  readonly snapshots: Snapshots
  readonly digests: ContentDigests
  readonly protect: ProtectOptions
  readonly rooms: CleanRooms
  readonly calibrations: Calibrations
}

/** What the baseline's scripts read in is protected as it is, whatever they read in now. */
export function withScripts(parts: GuardParts, scripts: Marks): GuardParts {
  const inside = Object.keys(scripts).filter((name) => !isAbsolute(name))
  return { ...parts, protect: { ...parts.protect, scripts: inside } }
}

export function listPaths(paths: readonly string[], most = 5): string {
  const distinct = [...new Set(paths)]
  const more = distinct.length > most ? ` and ${distinct.length - most} more` : ''
  return `${distinct.slice(0, most).join(', ')}${more}`
}
