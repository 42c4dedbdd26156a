import { join, relative, resolve } from 'node:path'
import { confinedFiles, textOfBytes } from '@donecheck/engine/internal/system/files'
import { parsePatch, planHunks, type Hunk } from '@donecheck/engine/internal/analysis/patch'
import { realPath } from '@donecheck/engine/internal/base'

type PatchReading =
  | {
      readonly kind: 'read'
      /** New content by absolute path; null: deleted, undefined: no text or unknown. */
      readonly files: ReadonlyMap<string, string | null | undefined>
      readonly named: readonly string[]
    }
  | { readonly kind: 'unreadable'; readonly problem: string }

export async function readHostPatch(patch: string, folder: string): Promise<PatchReading> {
  const parsed = parsePatch(patch)
  if (parsed.kind === 'invalid') return { kind: 'unreadable', problem: parsed.message }
  const named = parsed.hunks.flatMap((hunk) =>
    [hunk.path, ...(hunk.kind === 'update' && hunk.moveTo !== undefined ? [hunk.moveTo] : [])].map((path) =>
      resolve(folder, path),
    ),
  )
  const plan = await planHunks(
    parsed.hunks.map((hunk) => relativeTo(folder, hunk)),
    confinedFiles(folder),
  )
  // A less strict host may still apply it, so its files may become anything.
  if (plan.kind === 'refused')
    return { kind: 'read', files: new Map(named.map((path) => [realPath(path), undefined])), named }
  const root = realPath(folder)
  const files = plan.changes.map(
    ({ path, after }) => [join(root, path), after === null ? null : textOfBytes(after.bytes)] as const,
  )
  return { kind: 'read', files: new Map(files), named }
}

function relativeTo(folder: string, hunk: Hunk): Hunk {
  const inFolder = (path: string) => relative(folder, resolve(folder, path))
  if (hunk.kind !== 'update' || hunk.moveTo === undefined) return { ...hunk, path: inFolder(hunk.path) }
  return { ...hunk, path: inFolder(hunk.path), moveTo: inFolder(hunk.moveTo) }
}
