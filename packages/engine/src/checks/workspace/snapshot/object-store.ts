import { hash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCodeOf } from '../tree/tree-entry.ts'
import { makePrivateFolder, writePrivateFile } from './private-files.ts'
import { SnapshotError } from './snapshot-error.ts'

/** Contents under their digests, each once for all runs. */
export interface ObjectStore {
  /** @throws the system's error where it cannot be written */
  put(digest: string, content: Uint8Array): void
  /** @throws {SnapshotError} where it is missing or is not what it was */
  get(digest: string): Buffer
}

export function objectStore(folder: string): ObjectStore {
  const known = new Set<string>()
  const fileOf = (digest: string) => join(folder, digest.slice(0, 2), digest.slice(2))
  return {
    put(digest, content) {
      const file = fileOf(digest)
      if (readSize(file) === content.byteLength) return
      if (!known.has(dirname(file))) makePrivateFolder(dirname(file))
      known.add(dirname(file))
      writePrivateFile(file, content)
    },
    get(digest) {
      const content = readContent(fileOf(digest))
      if (hash('sha256', content) === digest) return content
      throw new SnapshotError(`the stored content ${digest.slice(0, 12)} of the baseline tree is damaged`)
    },
  }
}

function readSize(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.size
}

function readContent(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new SnapshotError(`a stored content of the baseline tree cannot be read (${errorCodeOf(error)})`)
  }
}
