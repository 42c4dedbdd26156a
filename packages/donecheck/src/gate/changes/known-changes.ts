/** What the run has done to files so far, as far as it has passed here. */
import type { FileChange } from '../../gate-ports.ts'
import type { ProtectOptions } from '../../protect/index.ts'
import { sha256 } from '../../sha256.ts'
import type { FileChange as ComparedChange, FileVersion, TamperFinding } from '../../tamper/index.ts'
import { tamperRules } from './tamper-rules.ts'

type Content = FileChange['before']

export interface KnownChanges {
  /**
   * What these changes do to the checks, seen from the untouched tree: who mends a test that he has written himself has
   * weakened nothing. What earlier changes did is not told again.
   */
  inspect(files: readonly FileChange[], protect: ProtectOptions): Promise<readonly TamperFinding[]>
  /** They may have been made. */
  note(files: readonly FileChange[]): void
}

/** @param untouched text of a file before the run; undefined: what was seen first counts */
export function knownChanges(
  untouched: (path: string) => Promise<string | null | undefined> = async () => undefined,
): KnownChanges {
  const first = new Map<string, Content>()
  const last = new Map<string, Content>()
  const baseline = async ({ path, before }: FileChange): Promise<Content> => {
    if (!first.has(path)) {
      const known = await untouched(path)
      first.set(path, known === undefined ? before : known)
    }
    return first.get(path)
  }
  const compared = (changed: ReadonlyMap<string, Content>): readonly ComparedChange[] =>
    [...changed].flatMap(([path, after]) => {
      const before = first.get(path)
      if (before === after && typeof before === 'string') return []
      return before === null && after === null
        ? []
        : [{ path, before: version(before, 'before'), after: version(after, 'after') }]
    })
  return {
    async inspect(files, protect) {
      const { inspectChanges } = await tamperRules()
      for (const file of files) await baseline(file)
      const now = new Map(last)
      for (const { path, before } of files) now.set(path, before)
      // Of a text that nobody can read it is not known what was done to it before: each change of it is told.
      const unread = new Set(files.filter((file) => isUnread(file, first)).map(({ path }) => path))
      const earlier = inspectChanges(compared(now), protect).filter(({ path }) => !unread.has(path))
      const known = new Set(earlier.map(keyOf))
      for (const { path, after } of files) now.set(path, after)
      return inspectChanges(compared(now), protect).filter((finding) => !known.has(keyOf(finding)))
    },
    note(files) {
      for (const { path, after } of files) last.set(path, after)
    },
  }
}

function isUnread({ path, before, after }: FileChange, first: ReadonlyMap<string, Content>): boolean {
  return before === undefined || after === undefined || first.get(path) === undefined
}

/** Lines move with every edit, and are no part of what was found. */
function keyOf({ rule, path, message }: TamperFinding): string {
  return JSON.stringify([rule, path, message])
}

/** What cannot be looked at differs from everything. */
function version(content: Content, when: string): FileVersion | null {
  if (content === null) return null
  const text = content ?? null
  return { kind: 'file', digest: text === null ? `unknown ${when}` : sha256(text), mode: 0o644, text }
}
