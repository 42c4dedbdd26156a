/** The files of a tree that a reference means. */
import { languageOf } from '../references/references-of.ts'
import type { Reference } from '../references/reference.ts'
import { javascriptTargets } from './javascript-modules.ts'
import type { PathIndex } from './path-index.ts'
import { folderOf, foldersAround, join, nameOf, resolvePath } from './paths.ts'

/** Empty: nothing of this tree. */
export function targetsOf({ kind, written }: Reference, from: string, index: PathIndex): readonly string[] {
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

export function filesIn(folder: string, ending: string, { byFolder }: PathIndex): readonly string[] {
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
export function foldersNamed(reference: Reference, from: string, index: PathIndex): readonly string[] {
  if (reference.kind !== 'path') return []
  const pattern = reference.written.search(/[*?[{]/u)
  const written = pattern === -1 ? reference.written : folderOf(reference.written.slice(0, pattern))
  return placesOf(written, from).filter((path) => path !== '' && index.folders.has(path))
}
