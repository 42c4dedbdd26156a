import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Approver } from '../../../ports/gate.ts'
import type { Clock } from '../../../ports/loop.ts'
import type { FaultTrial, Guard, Verifier } from '../../../ports/checks.ts'
import type { Store } from '../../../ports/store.ts'
import { UsageError, given, messageOf } from '../../../base/index.ts'
import type { JsonValue } from '@donecheck/core/internal/events'
import type { ProtectOptions } from '../../../analysis/protect/index.ts'
import { makeScratchFolder } from '../../../system/process/index.ts'
import { faultTrial, tamperGuard, type TamperGuardOptions } from '../../../checks/workspace/index.ts'

export interface GuardingOptions {
  /** Compares check files with the baseline tree. False compares nothing. */
  readonly guard?: Guard | false | GuardChoices
}

export type GuardChoices = Omit<
  TamperGuardOptions,
  'workFolder' | 'snapshotFolder' | 'clock' | 'approver'
> & {
  /** Folder of the baseline tree. Default: next to the record, or a temporary folder. */
  readonly snapshotFolder?: string
}

export interface GuardedParts {
  readonly workFolder: string | null
  readonly verifiers: readonly Verifier[]
  readonly store: Store
  readonly clock: Clock
  readonly approver: Approver | undefined
}

export function faultTrialOf(
  { guard = {} }: GuardingOptions,
  { workFolder, verifiers, store, clock }: GuardedParts,
): FaultTrial | null {
  if (workFolder === null) return null
  const choices: GuardChoices = guard === false || isGuard(guard) ? {} : guard
  return faultTrial(() => ({
    ...choices,
    checkCommands: checkCommandsOf(choices, verifiers),
    workFolder,
    snapshotFolder: snapshotFolderOf(choices, store),
    clock,
  }))
}

export function snapshotFolderOf(
  { snapshotFolder }: Pick<GuardChoices, 'snapshotFolder'>,
  store: Store,
): string {
  return snapshotFolder ?? join(store.folder ?? scratchFolder(), 'snapshots')
}

/** Null if nothing is guarded. @throws {UsageError} if held-out files cannot be read */
export function guardOf(
  { guard = {} }: GuardingOptions,
  { workFolder, verifiers, store, clock, approver }: GuardedParts,
): Guard | null {
  if (guard === false || workFolder === null) return null
  if (!verifiers.some(({ description }) => description.reads === 'workspace')) return null
  if (isGuard(guard)) return guard
  if (guard.heldOutFiles !== undefined) assertReadable(guard.heldOutFiles)
  return tamperGuard({
    ...guard,
    checkCommands: checkCommandsOf(guard, verifiers),
    workFolder,
    snapshotFolder: snapshotFolderOf(guard, store),
    clock,
    ...given({ approver }),
  })
}

/** @throws {UsageError} before the work is done and paid for */
function assertReadable(heldOutFiles: string): void {
  try {
    readdirSync(heldOutFiles, { recursive: true })
  } catch (error) {
    throw new UsageError(
      `the folder of held-out files ${heldOutFiles} cannot be read (${messageOf(error)}); name one that can`,
      { cause: error },
    )
  }
}

/** Null if nothing is guarded, or another guard decides. */
export function guardedFilesOf(
  { guard = {} }: GuardingOptions,
  verifiers: readonly Verifier[],
): ProtectOptions | null {
  if (guard === false || isGuard(guard)) return null
  const { protect = [], mayChange = [], waivers = [] } = guard
  return {
    protect,
    mayChange: [...mayChange, ...waivers.flatMap(({ path }) => path ?? [])],
    checkCommands: checkCommandsOf(guard, verifiers),
  }
}

function checkCommandsOf(
  { checkCommands = [] }: GuardChoices,
  verifiers: readonly Verifier[],
): readonly string[] {
  return [...checkCommands, ...verifiers.flatMap(({ inputs }) => lineOf(inputs?.definition ?? null))]
}

/** Command lines of all checks except held-out ones. */
export function ownCheckLines(verifiers: readonly Verifier[]): readonly string[] {
  return verifiers
    .filter(({ description }) => description.role !== 'held-out')
    .flatMap(({ inputs }) => lineOf(inputs?.definition ?? null))
}

function lineOf(definition: JsonValue): readonly string[] {
  if (typeof definition !== 'object' || definition === null || !('line' in definition)) return []
  const { line } = definition
  return typeof line === 'string' ? [line] : []
}

function isGuard(guard: Guard | GuardChoices): guard is Guard {
  return 'prepare' in guard
}

let scratch: string | undefined

function scratchFolder(): string {
  scratch ??= makeScratchFolder('snapshots')
  return scratch
}
