import type { ProbeChange } from '../../ports/checks.ts'
import { isMutable, mutantsOf, type ChangedSource } from './mutants.ts'
import { diffArrays } from 'diff'

/** Something that the checks should not let pass. */
export interface Fault {
  readonly kind: 'revert' | 'mutant'
  /** What a test must notice, such as "src/a.ts:3: `<` became `>=`". */
  readonly description: string
  /** What is laid over the work tree. */
  readonly overlay: ReadonlyMap<string, string | null>
}

export interface Plan {
  /** Empty: no work was changed that a check could look at. */
  readonly faults: readonly Fault[]
  readonly notes: readonly string[]
}

/** Words for people: no check is expected to read them. */
const prose = /\.(?:md|mdx|markdown|rst|adoc|txt)$|(?:^|\/)(?:LICENSE|LICENCE|NOTICE|AUTHORS|CHANGELOG)$/iu

/** The whole change taken back, and single faults planted in it. */
export function planOf(changes: readonly ProbeChange[], maxMutants: number): Plan {
  const work = changes.filter(({ isProtected, before, after }) => !isProtected && before !== after)
  const isWork = work.some(({ path }) => !prose.test(path))
  if (!isWork) return { faults: [], notes: notesOf(changes) }
  const sources = work.flatMap(sourceIn)
  const mutants = mutantsOf(sources, { maxMutants }).map(({ path, line, description, text }): Fault => ({
    kind: 'mutant',
    description: `${path}:${line}: ${description}`,
    overlay: new Map([[path, text]]),
  }))
  const revert: Fault = {
    kind: 'revert',
    description: `the whole change is taken back (${filesOf(work.length)})`,
    overlay: new Map(work.map(({ path, before }) => [path, before])),
  }
  return { faults: [revert, ...mutants], notes: notesOf(changes) }
}

function sourceIn({ path, before, after }: ProbeChange): readonly ChangedSource[] {
  if (after === null || !isMutable(path)) return []
  return [{ path, text: after, changedLines: changedLines(before, after) }]
}

function notesOf(changes: readonly ProbeChange[]): readonly string[] {
  const work = changes.filter(({ isProtected, path }) => !isProtected && !prose.test(path))
  const isBlank = ({ before, after }: ProbeChange) => before === null && after === null
  const unread = work.filter((change) => !isBlank(change) && !isMutable(change.path))
  return [
    ...listChanges('left as they are, for they are no text', work.filter(isBlank)),
    ...listChanges('taken back as a whole only, for no fault can be planted in such files', unread),
  ]
}

const shownPaths = 20

function listChanges(what: string, changes: readonly ProbeChange[]): readonly string[] {
  if (changes.length === 0) return []
  const paths = changes.slice(0, shownPaths).map(({ path }) => path)
  const more = changes.length > shownPaths ? ` and ${changes.length - shownPaths} more` : ''
  return [`${what}: ${paths.join(', ')}${more}`]
}

function filesOf(count: number): string {
  return count === 1 ? '1 file' : `${count} files`
}

/** Texts that differ in more lines have nothing in common worth looking for. */
const maxEdits = 5_000

/** Lines of the later text, from 1, that the earlier one does not have in that place. Null: there was none, so all of them. */
export function changedLines(before: string | null, after: string): ReadonlySet<number> {
  const lines = after.split('\n')
  const all = () => new Set(lines.map((_, index) => index + 1))
  if (before === null) return all()
  const parts = diffArrays(before.split('\n'), lines, { maxEditLength: maxEdits })
  if (parts === undefined) return all()
  const changed = new Set<number>()
  let line = 1
  for (const { added, removed, value } of parts) {
    if (removed) continue
    if (added) for (const index of value.keys()) changed.add(line + index)
    line += value.length
  }
  return changed
}
