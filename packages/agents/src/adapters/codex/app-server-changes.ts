/** What a change of files that Codex asks for would do, as the gate looks at it. */
import { applyPatch } from 'diff'
import type { FileChange } from '@donecheck/engine/ports/gate'
import { confine, maxFileBytes, readBytes, type ConfinedPath } from '@donecheck/engine/files'
import { decodeTextFile, textWithMark } from '@donecheck/engine/patch'
import type { FileUpdate } from './app-server-items.ts'

export type LookedAt =
  | { readonly kind: 'inside'; readonly files: readonly FileChange[] }
  /** It reaches out of the work folder. */
  | { readonly kind: 'outside'; readonly reason: string }

export async function lookAtUpdates(folder: string, updates: readonly FileUpdate[]): Promise<LookedAt> {
  const files: FileChange[] = []
  for (const update of updates) {
    const from = await confine(folder, update.path)
    if (from.kind === 'outside') return from
    const to = update.movedTo === undefined ? from : await confine(folder, update.movedTo)
    if (to.kind === 'outside') return to
    files.push(...(await readChanges(update, from, to)))
  }
  return { kind: 'inside', files }
}

async function readChanges(
  update: FileUpdate,
  from: ConfinedPath,
  to: ConfinedPath,
): Promise<readonly FileChange[]> {
  const before = await textAt(from)
  switch (update.kind) {
    case 'add':
      return [{ path: from.relative, before, after: update.diff }]
    case 'delete':
      return [{ path: from.relative, before, after: null }]
    case 'update': {
      const after = typeof before === 'string' ? applyDiff(before, update.diff) : undefined
      if (to.absolute === from.absolute) return [{ path: from.relative, before, after }]
      return [
        { path: from.relative, before, after: null },
        { path: to.relative, before: await textAt(to), after },
      ]
    }
  }
}

/** Null: there is no such file. Undefined: no text, or nobody may look. */
async function textAt({ absolute }: ConfinedPath): Promise<string | null | undefined> {
  const read = await readBytes(absolute, maxFileBytes)
  if (read.kind === 'missing') return null
  if (read.kind === 'unreadable') return undefined
  const decoded = decodeTextFile(read.bytes)
  return decoded.kind === 'text' ? textWithMark(decoded) : undefined
}

/** Undefined: it does not fit, so nobody can say what would become of the file. */
function applyDiff(before: string, diff: string): string | undefined {
  // What Codex adds to the diff of a file that is renamed is no part of it.
  const hunks = diff.replace(/\n+Moved to: [^\n]*\n?$/, '\n')
  try {
    const after = applyPatch(before, hunks)
    return after === false ? undefined : after
  } catch {
    return undefined
  }
}
