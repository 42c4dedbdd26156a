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

/** Accepts a rule, a path, or a rule at a path. */
export interface GuardWaiver extends Waiver {
  readonly rule?: TamperRule
  /** Glob relative to the work folder. */
  readonly path?: string
}

export interface TamperGuardOptions {
  readonly workFolder: string
  /** Stores the baseline tree, outside the work folder. */
  readonly snapshotFolder: string
  readonly clock: Clock
  /** Where checks decide. Default: clean room if the baseline agrees there. `clean-room`: always there. */
  readonly checkIn?: 'work-folder' | 'clean-room'
  /** Globs protected in addition to the conventions. */
  readonly protect?: readonly string[]
  /** Globs that the agent may change, check files included. */
  readonly mayChange?: readonly string[]
  /** Check command lines, whose scripts are protected. */
  readonly checkCommands?: readonly string[]
  /** If the agent insists on check changes: `ask` (default) waits for approval, `refuse` ends the run. */
  readonly onTamper?: 'ask' | 'refuse'
  readonly waivers?: readonly GuardWaiver[]
  /** Git revision to compare with. Default: the tree at the start of the run. */
  readonly baseline?: string
  /** Run id of the baseline snapshot. Default: this run. */
  readonly snapshotRunId?: string
  /** Outside folder, copied over a clean copy for held-out checks. */
  readonly heldOutFiles?: string
  /** Asked for approval. If absent or unattended, the verdict stays `pending`. */
  readonly approver?: Approver
  /** Home folder for `~/` in check lines. Default: none. */
  readonly home?: string
}

const dayMs = 24 * 60 * 60 * 1_000

/** @throws {UsageError} for a waiver of everything, or an invalid date */
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

/** Valid until the end of its last day, UTC. */
export function isInForce({ until }: Waiver, nowMs: number): boolean {
  return lastMs(until) >= nowMs
}

function lastMs(until: string): number {
  return /^\d{4}-\d{2}-\d{2}$/.test(until) ? Date.parse(`${until}T00:00:00Z`) + dayMs - 1 : Number.NaN
}

export interface GuardParts {
  readonly options: TamperGuardOptions
  readonly workFolder: string
  readonly snapshots: Snapshots
  readonly digests: ContentDigests
  readonly protect: ProtectOptions
  readonly rooms: CleanRooms
  readonly calibrations: Calibrations
}

/** Protects what the baseline's scripts include, even if they no longer do. */
export function withScripts(parts: GuardParts, scripts: Marks): GuardParts {
  const inside = Object.keys(scripts).filter((name) => !isAbsolute(name))
  return { ...parts, protect: { ...parts.protect, scripts: inside } }
}

export function listPaths(paths: readonly string[], most = 5): string {
  const distinct = [...new Set(paths)]
  const more = distinct.length > most ? ` and ${distinct.length - most} more` : ''
  return `${distinct.slice(0, most).join(', ')}${more}`
}
