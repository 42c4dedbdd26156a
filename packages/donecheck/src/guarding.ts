/** Which tree is guarded, and where its snapshot is kept: from the options of the loop to the guard. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Approver, Clock, Guard, Store, Verifier } from './ports.ts'
import { UsageError } from './errors.ts'
import type { JsonValue } from './events/index.ts'
import { defaultResponses, type ProtectOptions, type Responses } from './tamper/index.ts'
import { powerProbe, type PowerProbeOptions } from './probe/index.ts'
import { probeTrees, tamperGuard, type TamperGuardOptions } from './workspace/index.ts'

export interface GuardingOptions {
  /**
   * Tests and what surrounds them are compared with the untouched tree, wherever a check looks at a work folder. False:
   * nothing is compared. Another guard may be given.
   */
  readonly guard?: Guard | false | GuardChoices
}

/** What may be said of the usual guard. */
export type GuardChoices = Omit<
  TamperGuardOptions,
  'workFolder' | 'snapshotFolder' | 'clock' | 'approver'
> & {
  /** Where the untouched tree is kept. Default: beside the record, or a folder that is gone with the process. */
  readonly snapshotFolder?: string
}

export interface ProbingOptions {
  /**
   * Once all checks pass: take the change back, plant faults in its lines, and see whether the checks notice. With
   * `minPower` (0 to 1) that share must be noticed before anything is called done. Needs the usual guard.
   */
  readonly power?: Omit<PowerProbeOptions, 'checks' | 'trees'>
}

export interface GuardedParts {
  readonly workFolder: string | null
  readonly verifiers: readonly Verifier[]
  readonly store: Store
  readonly clock: Clock
  readonly approver: Approver | undefined
}

/** Null: it is not asked for. @throws {UsageError} where the untouched tree is not kept for it */
export function powerProbeOf(
  { power, guard = {} }: GuardingOptions & ProbingOptions,
  { workFolder, verifiers, store }: GuardedParts,
): Verifier | null {
  if (power === undefined || workFolder === null) return null
  if (guard === false || isGuard(guard))
    throw new UsageError(
      'the power probe needs the tamper guard, which keeps the untouched tree; leave it on',
    )
  const { dependencies, protect, mayChange, checkCommands, snapshotRunId } = guard
  const trees = probeTrees({
    workFolder,
    snapshotFolder: snapshotFolderOf(guard, store),
    ...(snapshotRunId === undefined ? {} : { snapshotRunId }),
    ...(dependencies === undefined ? {} : { dependencies }),
    ...(protect === undefined ? {} : { protect }),
    ...(mayChange === undefined ? {} : { mayChange }),
    ...(checkCommands === undefined ? {} : { checkCommands }),
  })
  return powerProbe({ ...power, trees, checks: verifiers.filter(({ description }) => description.required) })
}

function snapshotFolderOf({ snapshotFolder }: GuardChoices, store: Store): string {
  return snapshotFolder ?? (store.folder === null ? passingFolder() : join(store.folder, 'snapshots'))
}

/** Null: there is nothing to guard, or it is switched off. */
export function guardOf({ guard = {} }: GuardingOptions, parts: GuardedParts): Guard | null {
  const { workFolder, verifiers, store, clock, approver } = parts
  if (guard === false || workFolder === null) return null
  if (!verifiers.some(({ description }) => description.reads === 'workspace')) return null
  if (isGuard(guard)) return guard
  return tamperGuard({
    ...guard,
    checkCommands: checkCommandsOf(guard, verifiers),
    workFolder,
    snapshotFolder: snapshotFolderOf(guard, store),
    clock,
    // Where nobody can be asked, what a person must decide waits for one.
    ...(approver === undefined || approver.isAttended === false ? {} : { approver }),
  })
}

export interface Guarded {
  readonly protect: ProtectOptions
  readonly responses: Responses
}

/**
 * What the guard would not let pass, for whoever can refuse it before it is written. Null: nothing is guarded, or by another
 * guard, which alone knows.
 */
export function guardedOf({ guard = {} }: GuardingOptions, verifiers: readonly Verifier[]): Guarded | null {
  if (guard === false || isGuard(guard)) return null
  const { protect = [], mayChange = [], responses, waivers = [] } = guard
  const waived = waivers.flatMap(({ rule, path }) =>
    rule !== undefined && path === undefined ? [[rule, 'note'] as const] : [],
  )
  return {
    protect: {
      protect,
      mayChange: [...mayChange, ...waivers.flatMap(({ path }) => path ?? [])],
      checkCommands: checkCommandsOf(guard, verifiers),
    },
    responses: { ...defaultResponses, ...responses, ...Object.fromEntries(waived) },
  }
}

/** The scripts that a check's line names are part of the check. */
function checkCommandsOf(
  { checkCommands = [] }: GuardChoices,
  verifiers: readonly Verifier[],
): readonly string[] {
  return [...checkCommands, ...verifiers.flatMap(({ inputs }) => lineOf(inputs?.definition ?? null))]
}

function lineOf(definition: JsonValue): readonly string[] {
  if (typeof definition !== 'object' || definition === null || !('line' in definition)) return []
  const { line } = definition
  return typeof line === 'string' ? [line] : []
}

function isGuard(given: Guard | GuardChoices): given is Guard {
  return 'prepare' in given
}

let passing: string | undefined

/** For runs that nobody will resume: one folder, gone with the process. */
function passingFolder(): string {
  if (passing === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'donecheck-snapshots-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    passing = folder
  }
  return passing
}
