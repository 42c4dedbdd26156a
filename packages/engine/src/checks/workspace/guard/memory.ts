import { join } from 'node:path'
import { z } from 'zod'
import { folderOfRun, type Snapshots } from '../snapshot/snapshots.ts'
import { SnapshotError } from '../snapshot/snapshot-error.ts'
import { jsonOf } from '../../../base/index.ts'

const answer = z.strictObject({ by: z.string(), reason: z.string() })

const shape = z.strictObject({
  /** What the drive has been told of, by key. */
  told: z.array(z.string()),
  /** What somebody allowed or denied by name, by key: a change of the same path to other content is another one. */
  allowed: z.record(z.string(), answer),
  denied: z.record(z.string(), answer),
  /** What waits for authority since the last verification. */
  open: z.array(z.strictObject({ path: z.string(), key: z.string() })),
  /** Files that the checks themselves wrote at the start, before anybody else could have made them do it. */
  written: z.array(z.string()),
})

/** What the guard remembers of a run beside its snapshot. It outlives this process. */
export type GuardMemory = z.output<typeof shape>

const name = 'guard.json'

export const emptyMemory: GuardMemory = {
  told: [],
  allowed: {},
  denied: {},
  open: [],
  written: [],
}

/** Where it lies, for whoever takes a run to another machine. */
export function guardMemoryFile(snapshotFolder: string, runId: string): string {
  return join(folderOfRun(snapshotFolder, runId), name)
}

/** @throws {SnapshotError} where it cannot be read */
export function readMemory(snapshots: Snapshots, runId: string): GuardMemory {
  const text = snapshots.readNote(runId, name)
  if (text === undefined) return emptyMemory
  const parsed = shape.safeParse(jsonOf(text))
  if (parsed.success) return parsed.data
  throw new SnapshotError(`what the guard remembers of run ${runId} is damaged`)
}

/** Writes the memory with these parts changed, and returns it. */
export function remember(snapshots: Snapshots, runId: string, news: Partial<GuardMemory>): GuardMemory {
  const memory = { ...readMemory(snapshots, runId), ...news }
  snapshots.writeNote(runId, name, JSON.stringify(memory))
  return memory
}
