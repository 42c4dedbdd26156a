/** What a host's own tool would make of a patch: read by the rules of the reference, not by the stricter ones of ours. */
import { statSync } from 'node:fs'
import { rehearsedFiles, textOfBytes } from '@donecheck/engine/files'
import { applyCompatible, joinPath, parsePatch } from '@donecheck/engine/patch'
import { realPath } from '@donecheck/engine/base'

type PatchReading =
  | {
      readonly kind: 'read'
      /** Absolute, and what would be there afterwards; null: nothing, undefined: no text, or nobody can tell. */
      readonly files: ReadonlyMap<string, string | null | undefined>
      /** Absolute paths of all files that the patch names, including those of which nothing is left to see. */
      readonly named: readonly string[]
    }
  | { readonly kind: 'unreadable'; readonly problem: string }

/** @param folder absolute; the relative paths of the patch start here */
export async function readHostPatch(patch: string, folder: string, maxBytes: number): Promise<PatchReading> {
  const parsed = parsePatch(patch)
  if (parsed.kind === 'invalid') return { kind: 'unreadable', problem: parsed.message }
  const named = parsed.hunks.flatMap((hunk) =>
    [hunk.path, ...(hunk.kind === 'update' && hunk.moveTo !== undefined ? [hunk.moveTo] : [])].map((path) =>
      joinPath(folder, path),
    ),
  )
  const rehearsal = rehearsedFiles()
  const { exitCode } = await applyCompatible(
    patch,
    { ...rehearsal, read: withinBounds((path) => rehearsal.read(path), maxBytes) },
    folder,
  )
  const files = new Map(
    [...rehearsal.changed].map(([path, bytes]) => [path, bytes === null ? null : textOfBytes(bytes)]),
  )
  // What fails here may yet be done by another program: what it names may become anything.
  const others = exitCode === 0 ? [] : named.map(realPath).filter((path) => !files.has(path))
  for (const path of others) files.set(path, undefined)
  return { kind: 'read', files, named }
}

type Read = ReturnType<typeof rehearsedFiles>['read']

function withinBounds(read: Read, maxBytes: number): Read {
  return async (path) => {
    return readSize(path) > maxBytes
      ? { kind: 'failed', problem: 'it is too large to be looked at' }
      : read(path)
  }
}

function readSize(path: string): number {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
