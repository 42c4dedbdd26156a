import { languageOf } from './languages.ts'
import {
  folderOf,
  foldersAround,
  join,
  jsonFields,
  modulePathOf,
  nameOf,
  resolvePath,
  stringsIn,
} from './paths.ts'
import type { ReadableTree } from './placement.ts'

export interface Named {
  /** Files it imports, sources or includes. */
  readonly imports: ReadonlySet<string>
  /** Imports that only a test build follows. */
  readonly forTests: ReadonlySet<string>
  readonly files: ReadonlySet<string>
  /** Never contains the work folder. */
  readonly folders: ReadonlySet<string>
  /** Imported modules, as written. */
  readonly modules: ReadonlySet<string>
}

export interface NameIndex {
  readonly tree: ReadableTree
  readonly folders: ReadonlySet<string>
  readonly folderNames: ReadonlySet<string>
  readonly byFolder: ReadonlyMap<string, readonly string[]>
  readonly byName: ReadonlyMap<string, readonly string[]>
  readonly byModule: ReadonlyMap<string, readonly string[]>
  /** Package name in the manifest → its folder in this tree. */
  readonly packages: ReadonlyMap<string, string>
  readonly known: Map<string, Named>
}

const indexes = new WeakMap<ReadableTree, NameIndex>()

export function indexOf(tree: ReadableTree): NameIndex {
  const index = indexes.get(tree) ?? makeIndex(tree)
  indexes.set(tree, index)
  return index
}

const packageName: Readonly<Record<string, RegExp>> = {
  'package.json': /"name"\s{0,9}:\s{0,9}"([^"\n]+)"/u,
  'go.mod': /^module[ \t]+"?([^\s"]+)/mu,
}

function makeIndex(tree: ReadableTree): NameIndex {
  const paths = [...tree.paths()]
  const folders = new Set<string>([''])
  const packages = new Map<string, string>()
  for (const path of paths) {
    for (let folder = folderOf(path); !folders.has(folder); folder = folderOf(folder)) folders.add(folder)
    const pattern = packageName[nameOf(path)]
    const name = pattern?.exec(path.includes('node_modules/') ? '' : (tree.text(path) ?? ''))?.[1]
    if (name !== undefined) packages.set(name, folderOf(path))
  }
  return {
    tree,
    folders,
    folderNames: new Set([...folders].map(nameOf)),
    byFolder: Map.groupBy(paths, folderOf),
    byName: Map.groupBy(paths, nameOf),
    byModule: Map.groupBy(paths, (path) => nameOf(modulePathOf(path))),
    packages,
    known: new Map(),
  }
}

/** UTF-16 units: no hand-written file imports after this. */
const maxLength = 262_144
const maxLineLength = 4_096

export function namesIn(path: string, index: NameIndex): Named {
  const known = index.known.get(path)
  if (known !== undefined) return known
  const found = readNames(path, (index.tree.text(path) ?? '').slice(0, maxLength), index)
  index.known.set(path, found)
  return found
}

function readNames(path: string, text: string, index: NameIndex): Named {
  const sets = {
    ...{ imports: new Set<string>(), forTests: new Set<string>(), files: new Set<string>() },
    ...{ folders: new Set<string>(), modules: new Set<string>() },
  }
  const add = (targets: readonly string[], ...into: readonly Set<string>[]): void => {
    for (const target of targets) for (const set of into) if (target !== path) set.add(target)
  }
  const isProgram = !['shell', 'make', 'settings', undefined].includes(languageOf(path))
  if (path.endsWith('.go')) add(goPackage(folderOf(path), index), sets.imports, sets.files)
  let isForTests = false
  for (const line of text.split('\n')) {
    if (/^\s*(?:\/\/(?!go:embed)|\*|#(?![[\w])|#!)/u.test(line)) continue
    const isImport =
      importing.test(line) || (path.endsWith('.go') && /^\s*(?:[\w.]+\s+)?"[^"]+"\s*$/u.test(line))
    for (const module of isImport ? modulesIn(line.slice(0, maxLineLength), path) : []) {
      sets.modules.add(module)
      const targets = moduleTargets(module, path, index)
      if (isForTests) add(targets, sets.forTests)
      else add(targets, sets.imports, sets.files)
    }
    for (const { 0: token, index: at } of line.slice(0, maxLineLength).matchAll(pathLike)) {
      if (!mayBePath(token, index)) continue
      add(fileTargets(token, path, index), sets.files)
      const isText = !isProgram || token.includes('/') || /["'`]/u.test(line[at - 1] ?? '')
      if (isText) add(folderTargets(token, path, index), sets.folders)
    }
    isForTests = /#\[cfg\s{0,9}\(\s{0,9}(?:(?:any|all)\s{0,9}\(\s{0,9})?test\b/u.test(line)
  }
  return sets
}

/** Whether the last part is a name in the tree; most words are not. */
function mayBePath(token: string, { byName, folderNames }: NameIndex): boolean {
  const name = nameOf(token.endsWith('/') ? token.slice(0, -1) : token)
  return byName.has(name) || folderNames.has(name) || token.includes('*')
}

const importing =
  /^\s*(?:from|import|export|use|(?:pub(?:\([^)]*\))?\s+)?mod|extern crate|-?s?include|source|\.)\s|(?:^|[;&|({]|\bthen)\s*(?:\.|source)\s|\bfrom\s*['"]|\b(?:require|import|importorskip|import_module|__import__|\w*[mM]ock|\w*[aA]ctual|register|resolve|patch)\s*\(\s*['"`]|\bpytest_plugins\b/u
const pathLike = /[\w@~.+*-]+(?:\/[\w@.+~*-]+)*\/?/gu
const quoted = /["'`]([^"'`\n]{1,300})["'`]/gu

function modulesIn(line: string, path: string): readonly string[] {
  const language = languageOf(path)
  const texts = [...line.matchAll(quoted)].flatMap(([, text = '']) => text)
  if (language === 'python') {
    const [, from = '', list = ''] = /^\s*from\s+([.\w]+)\s+import\s+\(?([^#]*)/u.exec(line) ?? []
    const plain = /^\s*import\s+([\w., \t]+)/u.exec(line)?.[1] ?? ''
    const names = (items: string) =>
      items.split(',').flatMap((item) => /^\w[\w.]*/u.exec(item.trim())?.[0] ?? [])
    const parts = names(list).map((name) => (from.endsWith('.') ? `${from}${name}` : `${from}.${name}`))
    return [
      ...(from === '' ? [] : [from]),
      ...parts,
      ...names(plain),
      ...texts.filter((text) => /^[\w.]+$/u.test(text)),
    ]
  }
  if (language === 'rust') return [/\bmod\s+(?:r#)?(\w+)\s*;/u.exec(line)?.[1] ?? []].flat()
  if (language === 'javascript' || language === 'go')
    return texts.map((text) => text.replace(/(?!^)[?#].*$/u, ''))
  return [
    ...line.matchAll(
      /(?:^|[\s;&|({])(?:\.|source|-?s?include)\s+("?\$(?:\([^()]*\)|\{[^{}]*\}|\w+)"?\/)?["']?([\w@~.+/-]+)/gu,
    ),
  ].flatMap(([, , written]) => written ?? [])
}

function moduleTargets(module: string, from: string, index: NameIndex): readonly string[] {
  const folder = folderOf(from)
  switch (languageOf(from)) {
    case 'python':
      return pythonTargets(module, from, index)
    case 'rust': {
      const stem = nameOf(from).replace(/\.rs$/u, '')
      const own = /^(?:lib|main|mod|build)$/u.test(stem) ? folder : join(folder, stem)
      return [own, folder].flatMap((place) => modulesAt(join(place, module), index))
    }
    case 'go':
      return packageTargets(module, index).flatMap((place) => goPackage(place, index))
    case 'javascript':
      return javascriptTargets(module, folder, index)
    default:
      return placesOf(module, from).filter((path) => index.tree.has(path))
  }
}

function javascriptTargets(module: string, folder: string, index: NameIndex): readonly string[] {
  if (/^\.{1,2}(?:\/|$)/u.test(module)) {
    const base = resolvePath(folder, module)
    return base === undefined ? [] : modulesAt(base, index)
  }
  const places = packageTargets(module, index)
  if (places.length > 0)
    return places.flatMap((place) =>
      [place, place.replace(/^(.*?)([^/]+)$/u, '$1src/$2')].flatMap((way) => modulesAt(way, index)),
    )
  // `@/a/b`, `~/a/b`, `#a/b`, `src/a/b`: files whose path ends this way.
  const rest = module.replace(/^(?:[@~]\/|#\/?)/u, '').replace(/\.[cm]?[jt]sx?$/u, '')
  if (rest === module && !rest.includes('/')) return []
  return (index.byModule.get(nameOf(rest)) ?? []).filter((path) =>
    `/${modulePathOf(path)}`.endsWith(`/${rest}`),
  )
}

const isModule = /\.(?:[cm]?[jt]sx?|json|vue|svelte|node|rs)$/u

/** Returns files that a path may mean, unordered; for a folder with a manifest also its entries. */
function modulesAt(base: string, index: NameIndex): readonly string[] {
  const stem = base.replace(/\.[cm]?jsx?$/u, '')
  const modules = [base, stem].flatMap((module) =>
    (index.byModule.get(nameOf(module)) ?? []).filter(
      (path) => modulePathOf(path) === module && isModule.test(path),
    ),
  )
  return [...new Set([...(index.tree.has(base) ? [base] : []), ...modules, ...entriesOf(base, index)])]
}

/** Returns files of this tree that the folder's manifest exports, built ones by their sources. */
export function entriesOf(folder: string, index: NameIndex): readonly string[] {
  const manifest = jsonFields(
    index.folders.has(folder) ? index.tree.text(join(folder, 'package.json')) : null,
  )
  if (manifest.length === 0) return []
  const keys = ['main', 'module', 'bin', 'exports', 'types', 'browser']
  const named = manifest.flatMap(([key, value]) => (keys.includes(key) ? stringsIn(value) : []))
  const built = /^(?:\.\/)?(?:dist|lib|build|out|esm|cjs)(?:\/(?:esm|cjs))?\//u
  const ways = [
    ...named,
    ...named.map((path) => path.replace(built, 'src/')),
    'index',
    'src/index',
    'lib/index',
    'src/main',
  ]
  return ways.flatMap((way) => {
    const base = resolvePath(folder, way)?.replace(/(?:\.d)?\.[cm]?[jt]sx?$/u, '')
    return base === undefined || base === folder
      ? []
      : (index.byModule.get(nameOf(base)) ?? []).filter(
          (path) => modulePathOf(path) === base || path.startsWith(`${base}.`),
        )
  })
}

/** Matches the package of this tree with the longest name that starts the module. */
function packageTargets(module: string, { packages }: NameIndex): readonly string[] {
  const parts = module.split('/')
  for (let length = parts.length; length > 0; length -= 1) {
    const folder = packages.get(parts.slice(0, length).join('/'))
    if (folder !== undefined) return [join(folder, ...parts.slice(length))]
  }
  return []
}

/** Returns candidate bases of Python modules: next to the file, in parent folders, and in their sources. */
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

/** In order of preference: package, extension, source. */
export function pythonFiles(base: string): readonly string[] {
  return [join(base, '__init__.py'), `${base}.so`, `${base}.pyd`, `${base}.py`, `${base}.pyc`]
}

function pythonTargets(written: string, from: string, { tree }: NameIndex): readonly string[] {
  return pythonBases(written, from).flatMap((base) => {
    // What stands in a package runs the package first.
    const packages = foldersAround(folderOf(base)).map((folder) => join(folder, '__init__.py'))
    return [...pythonFiles(base), ...packages.slice(0, -1)].filter((path) => tree.has(path))
  })
}

/** Files of a Go package see each other; tests see them all, and nothing sees a test. */
function goPackage(folder: string, { byFolder }: NameIndex): readonly string[] {
  return (byFolder.get(folder) ?? []).filter((path) => path.endsWith('.go') && !path.endsWith('_test.go'))
}

/** Next to the file, and in the work folder, where most programs start. */
function placesOf(written: string, from: string): readonly string[] {
  const places = [resolvePath(folderOf(from), written), resolvePath('', written)]
  return [...new Set(places.filter((path) => path !== undefined))]
}

/** More files than these match by chance. */
const maxNamesakes = 4

/** Finds a file by path, or by its last parts if the folder is unknown. */
function fileTargets(token: string, from: string, index: NameIndex): readonly string[] {
  const near = placesOf(token, from).filter((path) => index.tree.has(path))
  if (near.length > 0 || !/^[^*]*\w\.\w+$/u.test(token)) return near
  const rest = token.replace(/^(?:\.{1,2}\/)+/u, '')
  const all = (index.byName.get(nameOf(rest)) ?? []).filter((path) => `/${path}`.endsWith(`/${rest}`))
  return all.length > maxNamesakes ? [] : all
}

function folderTargets(token: string, from: string, index: NameIndex): readonly string[] {
  const pattern = token.search(/[*?[{]/u)
  const written = pattern === -1 ? token : folderOf(token.slice(0, pattern))
  if (written === '') return []
  return placesOf(written, from).filter((path) => path !== '' && index.folders.has(path))
}
