/** A file as a node of the graph: what it reaches, and whether it asks instead of answers. */
import { javascriptTargets } from './javascript-modules.ts'
import { folderOf, foldersAround, indexOf, join, nameOf, type PathIndex, resolvePath } from './path-index.ts'
import {
  isAssertionHelper,
  isAssertionLibrary,
  languageOf,
  type Reference,
  referencesOf,
} from './references.ts'
import type { ReadableTree } from './placement.ts'

interface FileNode {
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

/** Empty: nothing of this tree. */
function targetsOf({ kind, written }: Reference, from: string, index: PathIndex): readonly string[] {
  if (kind === 'path') return pathTargets(written, from, index)
  if (kind === 'name') return nameTargets(written, from, index)
  const language = languageOf(from)
  if (language === 'go') return goTargets(written, index)
  if (language === 'python') return pythonTargets(written, from, index)
  return language === 'rust' ? rustTargets(written, from, index) : javascriptTargets(written, from, index)
}

/** Where Python looks for the modules of a project: beside the file, in the folders around it, and in their sources. */
export function pythonBases(written: string, from: string): readonly string[] {
  const dots = /^\.*/u.exec(written)?.[0].length ?? 0
  const way = written.slice(dots).replaceAll('.', '/')
  if (dots > 0) {
    const base = resolvePath(folderOf(from), `${'../'.repeat(dots - 1)}${way}`)
    return base === undefined ? [] : [base]
  }
  return foldersAround(folderOf(from)).flatMap((folder) =>
    ['', 'src', 'lib', 'python'].map((root) => join(folder, root, way)),
  )
}

/** In the order of preference: a package before an extension before a source. */
export function pythonFiles(base: string): readonly string[] {
  return [join(base, '__init__.py'), `${base}.so`, `${base}.pyd`, `${base}.py`, `${base}.pyc`]
}

function pythonTargets(written: string, from: string, index: PathIndex): readonly string[] {
  return pythonBases(written, from).flatMap((base) => [
    ...pythonFiles(base).filter((path) => index.tree.has(path)),
    // What stands in a package runs the package first.
    ...foldersAround(folderOf(base))
      .map((folder) => join(folder, '__init__.py'))
      .filter((path) => path !== '__init__.py' && index.tree.has(path)),
  ])
}

/** All files of a package; each of them sees the others. */
function goTargets(written: string, index: PathIndex): readonly string[] {
  const parts = written.split('/')
  for (let length = parts.length; length > 0; length -= 1) {
    const folders = index.packages.get(parts.slice(0, length).join('/'))
    if (folders === undefined) continue
    return folders.flatMap((folder) =>
      filesIn(resolvePath(folder, parts.slice(length).join('/')) ?? '', '.go', index),
    )
  }
  return []
}

function filesIn(folder: string, ending: string, { byFolder }: PathIndex): readonly string[] {
  return (byFolder.get(folder) ?? []).filter((path) => path.endsWith(ending))
}

function rustTargets(written: string, from: string, index: PathIndex): readonly string[] {
  if (written.endsWith('::'))
    return (index.packages.get(written) ?? []).flatMap((folder) =>
      ['src/lib.rs', 'src/main.rs'].map((path) => join(folder, path)).filter((path) => index.tree.has(path)),
    )
  const stem = nameOf(from).replace(/\.rs$/u, '')
  const folder = /^(?:lib|main|mod|build)$/u.test(stem) ? folderOf(from) : join(folderOf(from), stem)
  return [folder, folderOf(from)]
    .flatMap((place) => [join(place, `${written}.rs`), join(place, `${written}/mod.rs`)])
    .filter((path) => index.tree.has(path))
}

function pathTargets(written: string, from: string, index: PathIndex): readonly string[] {
  return placesOf(written, from).filter((path) => index.tree.has(path))
}

/** Beside the file, and in the work folder, where most programs are started. */
function placesOf(written: string, from: string): readonly string[] {
  const beside = resolvePath(folderOf(from), written)
  const there = resolvePath('', written)
  return [...new Set([beside, there].filter((path) => path !== undefined))]
}

/** More files than these have the name by chance. */
const maxNamesakes = 4

function nameTargets(written: string, from: string, index: PathIndex): readonly string[] {
  const near = pathTargets(written, from, index)
  if (near.length > 0) return near
  const all = (index.byName.get(nameOf(written)) ?? []).filter(
    (path) => path === written || path.endsWith(`/${written}`),
  )
  return all.length > maxNamesakes ? [] : all
}

/** The folders that a path or a pattern names; never the work folder itself. */
function foldersNamed(reference: Reference, from: string, index: PathIndex): readonly string[] {
  if (reference.kind !== 'path') return []
  const pattern = reference.written.search(/[*?[{]/u)
  const written = pattern === -1 ? reference.written : folderOf(reference.written.slice(0, pattern))
  return placesOf(written, from).filter((path) => path !== '' && index.folders.has(path))
}
