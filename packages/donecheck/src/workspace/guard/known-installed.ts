/** What earlier runs have read of installed packages: one whose stamp is the same need not be read again. */
import { z } from 'zod'
import type { Snapshots } from '../snapshot/snapshots.ts'
import { nothingInstalled, type Installed } from '../watch/runners.ts'

const name = 'installed.json'
const marks = z.record(z.string(), z.string())
const shape = z.strictObject({ runners: marks, runnerStamps: marks })

/** Nothing where it cannot be read: then it is read anew. */
export function knownInstalled(snapshots: Snapshots): Installed {
  try {
    const { runners, runnerStamps } = shape.parse(JSON.parse(snapshots.readNote(null, name) ?? ''))
    const read = Object.entries(runners).filter(([, mark]) => !mark.startsWith('unread '))
    return { runners: Object.fromEntries(read), runnerStamps }
  } catch {
    return nothingInstalled
  }
}

export function keepInstalled(snapshots: Snapshots, { runners, runnerStamps }: Installed): void {
  const text = JSON.stringify({ runners, runnerStamps })
  if (text !== snapshots.readNote(null, name)) snapshots.writeNote(null, name, text)
}
