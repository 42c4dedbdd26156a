import type { ProbeChange } from '../ports.ts'
import { changedLines } from './changed-lines.ts'
import { isMutable, mutantsOf, type ChangedSource } from './mutants.ts'

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
    ...listed('left as they are, for they are no text', work.filter(isBlank)),
    ...listed('taken back as a whole only, for no fault can be planted in such files', unread),
  ]
}

const shownPaths = 20

function listed(what: string, changes: readonly ProbeChange[]): readonly string[] {
  if (changes.length === 0) return []
  const paths = changes.slice(0, shownPaths).map(({ path }) => path)
  const more = changes.length > shownPaths ? ` and ${changes.length - shownPaths} more` : ''
  return [`${what}: ${paths.join(', ')}${more}`]
}

function filesOf(count: number): string {
  return count === 1 ? '1 file' : `${count} files`
}
