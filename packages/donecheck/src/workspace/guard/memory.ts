import { z } from 'zod'
import type { Snapshots } from '../snapshot/snapshots.ts'
import { SnapshotError } from '../snapshot/snapshot-error.ts'

const shape = z.strictObject({
  /** Refused findings that the drive has been told of. */
  told: z.array(z.string()),
  /** What people answered, by finding and content. */
  answers: z.record(
    z.string(),
    z.strictObject({ approved: z.boolean(), by: z.string(), reason: z.string() }),
  ),
  /** Agreed files that the checks themselves wrote at the start, before anybody else could have made them do it. */
  written: z.array(z.string()).default([]),
})

/** What the guard remembers of a run beside its snapshot. It outlives this process. */
export type GuardMemory = z.output<typeof shape>

const name = 'guard.json'

export const emptyMemory: GuardMemory = { told: [], answers: {}, written: [] }

/** @throws {SnapshotError} where it cannot be read */
export function readMemory(snapshots: Snapshots, runId: string): GuardMemory {
  const text = snapshots.readNote(runId, name)
  if (text === undefined) return emptyMemory
  const parsed = shape.safeParse(parse(text))
  if (parsed.success) return parsed.data
  throw new SnapshotError(`what the guard remembers of run ${runId} is damaged`)
}

export function writeMemory(snapshots: Snapshots, runId: string, memory: GuardMemory): void {
  snapshots.writeNote(runId, name, JSON.stringify(memory))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
