import { hash } from 'node:crypto'
import picomatch from 'picomatch'
import type { AuthorityEvidence } from '@donecheck/core/internal/events/verdicts'
import { mayChange, type ProtectOptions } from '../../../analysis/protect/index.ts'
import type { TamperRule } from '../../../analysis/tamper/index.ts'
import { isInForce, type GuardParts, type GuardWaiver, type TamperGuardOptions } from './options.ts'
import { join } from 'node:path'
import { z } from 'zod'
import { folderOfRun, type Snapshots, SnapshotError } from '../snapshots.ts'
import { jsonOf } from '../../../base/index.ts'

export interface OpenChange {
  /** Relative to the work folder, or a name for something outside. */
  readonly path: string
  /** Of path and content, so other content needs another approval. */
  readonly key: string
  /** Absent for a changed check file. */
  readonly rule?: TamperRule
}

export interface Grant {
  readonly by: string
  readonly reason: string
  readonly waiver?: GuardWaiver
}

export interface AuthorityContext {
  readonly options: Pick<TamperGuardOptions, 'waivers'>
  readonly protect: ProtectOptions
  readonly memory: GuardMemory
  readonly nowMs: number
}

export function keyOf(...parts: readonly string[]): string {
  return hash('sha256', parts.join('\0'))
}

/** Rules of a run: writing there would approve itself. */
const neverFree: readonly TamperRule[] = ['config.donecheck-changed']

export function grantFor(change: OpenChange, context: AuthorityContext): Grant | undefined {
  const { options, protect, memory, nowMs } = context
  if (change.rule !== undefined && neverFree.includes(change.rule)) return undefined
  if (mayChange(change.path, protect)) return { by: '--may-change', reason: '' }
  const waiver = options.waivers?.find((known) => covers(known, change) && isInForce(known, nowMs))
  return waiver === undefined ? memory.allowed[change.key] : { by: waiver.by, reason: waiver.reason, waiver }
}

export function openOf<Change extends OpenChange>(
  changes: readonly Change[],
  context: AuthorityContext,
): readonly Change[] {
  return changes.filter((change) => grantFor(change, context) === undefined)
}

export function grantsOf(
  changes: readonly OpenChange[],
  context: AuthorityContext,
): readonly (readonly [path: string, grant: Grant])[] {
  return changes.flatMap((change) => {
    const grant = grantFor(change, context)
    return grant === undefined ? [] : [[change.path, grant]]
  })
}

/** Whether the waiver, expired or not, matches. A changed check file matches by path only. */
export function covers({ rule, path }: GuardWaiver, change: OpenChange): boolean {
  if (change.rule === undefined ? path === undefined : rule !== undefined && rule !== change.rule)
    return false
  return path === undefined || path === change.path || picomatch.isMatch(change.path, path, { dot: true })
}

export function authorityEvidence(
  granted: readonly (readonly [path: string, grant: Grant])[],
): readonly AuthorityEvidence[] {
  const byName = Map.groupBy(granted, ([, { by, reason }]) => JSON.stringify([by, reason]))
  return [...byName.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const { by, reason } = first[1]
    return [{ kind: 'authority', paths: group.map(([path]) => path).sort(), by, reason }]
  })
}

const givenAnswer = z.strictObject({ by: z.string(), reason: z.string() })

const memoryShape = z.strictObject({
  /** Keys that the agent was told of. */
  told: z.array(z.string()),
  /** Recorded answers by key: the same path with other content is a different change. */
  allowed: z.record(z.string(), givenAnswer),
  denied: z.record(z.string(), givenAnswer),
  /** Changes waiting for approval since the last verification. */
  open: z.array(z.strictObject({ path: z.string(), key: z.string() })),
  /** Test files in the checks' reports on the baseline. */
  testFiles: z.array(z.string()),
})

type GuardMemory = z.output<typeof memoryShape>

const memoryName = 'guard.json'

export const emptyMemory: GuardMemory = {
  told: [],
  allowed: {},
  denied: {},
  open: [],
  testFiles: [],
}

/** File to copy when a run moves to another machine. */
export function guardMemoryFile(snapshotFolder: string, runId: string): string {
  return join(folderOfRun(snapshotFolder, runId), memoryName)
}

/** @throws {SnapshotError} if unreadable */
export function readMemory(snapshots: Snapshots, runId: string): GuardMemory {
  const text = snapshots.readNote(runId, memoryName)
  if (text === undefined) return emptyMemory
  const parsed = memoryShape.safeParse(jsonOf(text))
  if (parsed.success) return parsed.data
  throw new SnapshotError(`what the guard remembers of run ${runId} is damaged`)
}

export function remember(snapshots: Snapshots, runId: string, news: Partial<GuardMemory>): GuardMemory {
  const memory = { ...readMemory(snapshots, runId), ...news }
  snapshots.writeNote(runId, memoryName, JSON.stringify(memory))
  return memory
}

/** Current approvals. @throws {SnapshotError} if the memory is unreadable */
export function contextOf({ options, protect, snapshots }: GuardParts, runId: string): AuthorityContext {
  return { options, protect, memory: readMemory(snapshots, runId), nowMs: options.clock.nowMs() }
}
