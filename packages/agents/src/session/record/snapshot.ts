/** State and memory of a hosted session as one text: a cache (I2), so whatever is not exactly what was written is no snapshot. */
import type { RunState } from '@donecheck/core/state'
import { donecheckVersion, jsonOf } from '@donecheck/engine/base'
import type { SessionMemory } from './session-context.ts'

export interface Snapshot {
  readonly state: RunState
  readonly memory: SessionMemory
}

/** Another one as soon as the state or the memory has another shape. */
const version = `${donecheckVersion} 27`

export function snapshotText(snapshot: Snapshot): string {
  const json = JSON.stringify(snapshot)
  return `${version}\n${digestOf(json)}\n${json}`
}

/** Undefined when the snapshot is of another version or damaged. */
export function snapshotOf(text: string): Snapshot | undefined {
  const afterVersion = text.indexOf('\n')
  const afterDigest = text.indexOf('\n', afterVersion + 1)
  if (afterVersion === -1 || afterDigest === -1 || text.slice(0, afterVersion) !== version) return undefined
  const json = text.slice(afterDigest + 1)
  if (text.slice(afterVersion + 1, afterDigest) !== digestOf(json)) return undefined
  // The digest says that this version of this program has written it: it need not be looked at field by field.
  return jsonOf(json) as Snapshot | undefined
}

/** FNV-1a over words of 32 bits: against accidents, and quick to make. Whoever can write the store can write anything. */
function digestOf(json: string): string {
  const text = Buffer.from(json)
  const bytes = new Uint8Array(Math.ceil(text.length / 4) * 4)
  bytes.set(text)
  // Not by an iterator: code that runs once in a process is not made quick, and they are slow then.
  const digest = new Int32Array(bytes.buffer).reduce(
    (before, word) => Math.imul(before ^ word ^ (before >>> 15), 0x01000193),
    0x811c9dc5,
  )
  return `${(digest >>> 0).toString(16)}-${text.length}`
}
