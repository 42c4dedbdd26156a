import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Approver } from '../../../ports/gate.ts'
import type { Clock } from '../../../ports/loop.ts'
import type { FaultTrial, Guard, Verifier } from '../../../ports/checks.ts'
import type { Store } from '../../../ports/store.ts'
import { UsageError, assertKnownKeys, given, messageOf, optionKeys } from '../../../base/index.ts'
import type { JsonValue } from '@donecheck/core/internal/events'
import type { ProtectOptions } from '../../../analysis/protect/index.ts'
import { makeScratchFolder } from '../../../system/process/index.ts'
import { faultTrial, tamperGuard, type TamperGuardOptions } from '../../../checks/workspace/index.ts'

export interface GuardingOptions {
  /**
   * Tests and what surrounds them are compared with the baseline tree, wherever a check looks at a work folder. False:
   * nothing is compared. Another guard may be given.
   */
  readonly guard?: Guard | false | GuardChoices
}

export type GuardChoices = Omit<
  TamperGuardOptions,
  'workFolder' | 'snapshotFolder' | 'clock' | 'approver'
> & {
  /** Where the baseline tree is kept. Default: beside the record, or a folder that is gone with the process. */
  readonly snapshotFolder?: string
}

const guardKeys = optionKeys<GuardChoices>()(`
  checkIn protect mayChange checkCommands onTamper waivers baseline
  snapshotRunId snapshotFolder heldOutFiles home
`)

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

/** Null: there is nothing to guard, or it is switched off. @throws {UsageError} for held-out files that cannot be read */
export function guardOf(
  { guard = {} }: GuardingOptions,
  { workFolder, verifiers, store, clock, approver }: GuardedParts,
): Guard | null {
  if (guard !== false && !isGuard(guard)) assertKnownKeys(guard, guardKeys, 'guard')
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

/** @throws {UsageError} now, not once the work is done and paid for */
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

/** @returns null if nothing is guarded, or another guard decides */
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

/** Command lines that the agent may know of: those of all checks but the held-out ones. */
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
