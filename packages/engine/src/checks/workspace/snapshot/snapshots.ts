import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCodeOf } from '../tree/tree-entry.ts'
import { readManifest, writeManifest, type Manifest } from './manifest.ts'
import { objectStore, type ObjectStore } from './object-store.ts'
import { makePrivateFolder, writePrivateFile } from './private-files.ts'
import { SnapshotError } from './snapshot-error.ts'

/** The baseline trees of all runs of one work folder, in a folder outside of it. */
export interface Snapshots {
  readonly objects: ObjectStore
  save(manifest: Manifest): void
  /** @throws {SnapshotError} where the run has none here, or it is damaged or was replaced since it was saved */
  load(runId: string): Manifest
  /** A small file beside the manifest of a run, or of no run but the work folder. Undefined: it was never written. */
  readNote(runId: string | null, name: string): string | undefined
  writeNote(runId: string | null, name: string, text: string): void
}

/** Manifests and notes are remembered too: what others write to their files meanwhile is not believed. */
export function openSnapshots(folder: string): Snapshots {
  const saved = new Map<string, Manifest>()
  const notes = new Map<string, string | undefined>()
  const runFolder = (runId: string | null) =>
    runId === null ? folder : join(folder, 'runs', safeName(runId))
  const write = (runId: string | null, name: string, text: string): void => {
    makePrivateFolder(folder)
    makePrivateFolder(runFolder(runId))
    writePrivateFile(join(runFolder(runId), name), text)
  }
  return {
    objects: objectStore(join(folder, 'objects')),
    save(manifest) {
      write(manifest.runId, 'manifest', writeManifest(manifest))
      saved.set(manifest.runId, manifest)
    },
    load(runId) {
      const known = saved.get(runId)
      if (known !== undefined) return known
      const text = readIfThere(join(runFolder(runId), 'manifest'))
      if (text === undefined)
        throw new SnapshotError(
          `there is no record of the baseline tree of this run in ${folder}: was it started on another machine? Start a new run`,
        )
      const manifest = readManifest(text)
      if (manifest.runId !== runId)
        throw new SnapshotError(`the record of the baseline tree belongs to run ${manifest.runId}`)
      saved.set(runId, manifest)
      return manifest
    },
    readNote(runId, name) {
      const file = join(runFolder(runId), name)
      if (!notes.has(file)) notes.set(file, readIfThere(file))
      return notes.get(file)
    },
    writeNote(runId, name, text) {
      write(runId, name, text)
      notes.set(join(runFolder(runId), name), text)
    },
  }
}

/** A run's id may be any text. */
function safeName(runId: string): string {
  return /^[\w-]{1,100}$/.test(runId) ? runId : hash('sha256', runId)
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return undefined
    throw new SnapshotError(`${file} cannot be read (${errorCodeOf(error)})`)
  }
}
