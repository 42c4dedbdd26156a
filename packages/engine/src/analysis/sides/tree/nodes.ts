/** A file as a node of the graph: what it reaches, and whether it asks instead of answers. */
import { isAssertionHelper, isAssertionLibrary } from '../references/assertion-libraries.ts'
import { languageOf, referencesOf } from '../references/references-of.ts'
import type { Reference } from '../references/reference.ts'
import type { ReadableTree } from '../request.ts'
import { indexOf, type PathIndex } from './path-index.ts'
import { folderOf, foldersAround, join, nameOf } from './paths.ts'
import { filesIn, foldersNamed, targetsOf } from './resolve.ts'

export interface FileNode {
  readonly references: readonly Reference[]
  /** Files that it imports or names by their whole path. */
  readonly targets: readonly string[]
  /** The same, where only a test build follows. */
  readonly testTargets: readonly string[]
  /** Files that it names by their last part. */
  readonly namesakes: readonly string[]
  readonly folders: readonly string[]
  /** It imports a test framework, an assertion library or a mocking library. */
  readonly asserts: boolean
}

const known = new WeakMap<PathIndex, Map<string, FileNode>>()

export function nodeOf(path: string, index: PathIndex): FileNode {
  const nodes = known.get(index) ?? new Map<string, FileNode>()
  known.set(index, nodes)
  const node = nodes.get(path) ?? makeNode(path, index)
  nodes.set(path, node)
  return node
}

function makeNode(path: string, index: PathIndex): FileNode {
  const text = index.tree.text(path) ?? ''
  const references = referencesOf(path, text)
  const resolveReferences = (those: readonly Reference[]): readonly string[] => [
    ...new Set(those.flatMap((reference) => targetsOf(reference, path, index))),
  ]
  const plain = references.filter(({ kind, isForTests }) => kind !== 'name' && isForTests !== true)
  const language = languageOf(path)
  return {
    references,
    targets: [...resolveReferences(plain), ...packageOf(path, index)],
    testTargets: resolveReferences(references.filter(({ isForTests }) => isForTests === true)),
    namesakes: resolveReferences(namesIn(references)),
    folders: references.flatMap((reference) => foldersNamed(reference, path, index)),
    asserts: references.some(
      ({ kind, written }) =>
        kind === 'import' &&
        (isAssertionLibrary(written, language) || isAssertionHelper(written, nameOf(path))),
    ),
  }
}

/** The name of a file may stand alone where its folder is put before it. */
function namesIn(references: readonly Reference[]): readonly Reference[] {
  return references.flatMap(({ kind, written }): readonly Reference[] =>
    kind === 'name' || (kind === 'path' && /^[^/*]*\w\.\w+$/u.test(written))
      ? [{ kind: 'name', written }]
      : [],
  )
}

/** The files of a package of Go see each other; tests see them all, and nothing sees a test. */
function packageOf(path: string, index: PathIndex): readonly string[] {
  return path.endsWith('.go')
    ? filesIn(folderOf(path), '.go', index).filter((file) => !file.endsWith('_test.go'))
    : []
}

/**
 * The files of the baseline tree that this file reaches by import, read, source or include, itself included: to tell
 * whether an earlier failing test was touched by the agent.
 */
export function filesReachedFrom(path: string, baseline: ReadableTree): ReadonlySet<string> {
  const index = indexOf(baseline)
  const reached = new Set([path])
  for (const file of reached) {
    const { targets, testTargets, namesakes, folders } = nodeOf(file, index)
    for (const next of [...targets, ...testTargets, ...namesakes, ...unpromptedCalls(file)])
      if (baseline.has(next)) reached.add(next)
    for (const folder of file === path ? folders : [])
      for (const next of baseline.paths()) if (next.startsWith(`${folder}/`)) reached.add(next)
  }
  return reached
}

/** What pytest loads before a file of Python, and the snapshots that runners keep beside a test. */
function unpromptedCalls(path: string): readonly string[] {
  const snapshots = ['.snap', '.ambr'].map((ending) =>
    join(folderOf(path), '__snapshots__', nameOf(path) + ending),
  )
  return path.endsWith('.py')
    ? foldersAround(folderOf(path)).map((folder) => join(folder, 'conftest.py'))
    : snapshots
}
