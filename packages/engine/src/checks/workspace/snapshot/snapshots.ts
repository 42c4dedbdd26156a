import { hash, randomUUID } from 'node:crypto'
import { readFileSync, statSync, chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, dirname, basename } from 'node:path'
import { errorCodeOf } from '../tree/tree-entry.ts'
import { readManifest, writeManifest, type Manifest } from './manifest.ts'
import { SnapshotError } from './snapshot-error.ts'

export type Snapshots = ReturnType<typeof openSnapshots>

/**
 * The baseline trees of all runs of one work folder, in a folder outside of it. Manifests and notes are remembered too: what others
 * write to their files meanwhile is not believed.
 */
export function openSnapshots(folder: string) {
  const saved = new Map<string, Manifest>()
  const notes = new Map<string, string | undefined>()
  const runFolder = (runId: string | null) => (runId === null ? folder : folderOfRun(folder, runId))
  const write = (runId: string | null, name: string, text: string): void => {
    makePrivateFolder(folder)
    makePrivateFolder(runFolder(runId))
    writePrivateFile(join(runFolder(runId), name), text)
  }
  return {
    objects: objectStore(join(folder, 'objects')),
    save(manifest: Manifest): void {
      write(manifest.runId, 'manifest', writeManifest(manifest))
      saved.set(manifest.runId, manifest)
    },
    /** @throws {SnapshotError} where the run has none here, or it is damaged or was replaced since it was saved */
    load(runId: string): Manifest {
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
    /** A small file beside the manifest of a run, or of no run but the work folder. Undefined: it was never written. */
    readNote(runId: string | null, name: string): string | undefined {
      const file = join(runFolder(runId), name)
      if (!notes.has(file)) notes.set(file, readIfThere(file))
      return notes.get(file)
    },
    writeNote(runId: string | null, name: string, text: string): void {
      write(runId, name, text)
      notes.set(join(runFolder(runId), name), text)
    },
  }
}

/** Where the manifest and the notes of a run lie. */
export function folderOfRun(folder: string, runId: string): string {
  // A run's id may be any text.
  return join(folder, 'runs', /^[\w-]{1,100}$/.test(runId) ? runId : hash('sha256', runId))
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return undefined
    throw new SnapshotError(`${file} cannot be read (${errorCodeOf(error)})`)
  }
}

export type ObjectStore = ReturnType<typeof objectStore>

/** Contents under their digests, each once for all runs. */
function objectStore(folder: string) {
  const known = new Set<string>()
  const fileOf = (digest: string) => join(folder, digest.slice(0, 2), digest.slice(2))
  return {
    /** @throws the system's error where it cannot be written */
    put(digest: string, content: Uint8Array): void {
      const file = fileOf(digest)
      if (statSync(file, { throwIfNoEntry: false })?.size === content.byteLength) return
      if (!known.has(dirname(file))) makePrivateFolder(dirname(file))
      known.add(dirname(file))
      writePrivateFile(file, content)
    },
    /** @throws {SnapshotError} where it is missing or is not what it was */
    get(digest: string): Buffer {
      const content = readContent(fileOf(digest))
      if (hash('sha256', content) === digest) return content
      throw new SnapshotError(`the stored content ${digest.slice(0, 12)} of the baseline tree is damaged`)
    },
  }
}

function readContent(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new SnapshotError(`a stored content of the baseline tree cannot be read (${errorCodeOf(error)})`)
  }
}

/** For this user alone, whatever the umask says. */
function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
}

/** All or nothing: a reader sees the earlier file or the new one. Readable for this user alone. */
function writePrivateFile(file: string, content: string | Uint8Array): void {
  const draft = join(dirname(file), `.${basename(file)}.${randomUUID()}`)
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx' })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
