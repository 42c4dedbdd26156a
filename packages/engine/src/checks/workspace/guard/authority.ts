/** Who has allowed a change of the check side: a flag beforehand, a waiver, or a person who was asked. */
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
  /** Relative to the work folder, or what it is called where it is no file of it. */
  readonly path: string
  /** Of path and content: leave for one content is none for another. */
  readonly key: string
  /** The rule that noticed it. Absent: it is a changed file of the check side. */
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

/** Where the rules of a run are written: whoever writes there would allow it to himself. */
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

/** Whether the waiver is about this change, expired or not. A changed check file has no rule, so its path counts. */
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
  /** What the drive has been told of, by key. */
  told: z.array(z.string()),
  /** What somebody allowed or denied by memoryName, by key: a change of the same path to other content is another one. */
  allowed: z.record(z.string(), givenAnswer),
  denied: z.record(z.string(), givenAnswer),
  /** What waits for authority since the last verification. */
  open: z.array(z.strictObject({ path: z.string(), key: z.string() })),
  /** Files of tests, by the reports of the checks on the baseline tree. */
  testFiles: z.array(z.string()),
})

/** What the guard remembers of a run beside its snapshot. It outlives this process. */
type GuardMemory = z.output<typeof memoryShape>

const memoryName = 'guard.json'

export const emptyMemory: GuardMemory = {
  told: [],
  allowed: {},
  denied: {},
  open: [],
  testFiles: [],
}

/** Where it lies, for whoever takes a run to another machine. */
export function guardMemoryFile(snapshotFolder: string, runId: string): string {
  return join(folderOfRun(snapshotFolder, runId), memoryName)
}

/** @throws {SnapshotError} where it cannot be read */
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

/** Who has allowed what, as of now. @throws {SnapshotError} where the memory of the run cannot be read */
export function contextOf({ options, protect, snapshots }: GuardParts, runId: string): AuthorityContext {
  return { options, protect, memory: readMemory(snapshots, runId), nowMs: options.clock.nowMs() }
}
