/** The paths of a tree by what they are looked for: name, module, folder. */
import type { ReadableTree } from './placement.ts'

export interface PathIndex {
  readonly tree: ReadableTree
  readonly folders: ReadonlySet<string>
  readonly byFolder: ReadonlyMap<string, readonly string[]>
  /** By the last part of the path. */
  readonly byName: ReadonlyMap<string, readonly string[]>
  /** By the name that code uses for it: without its ending, and of `index` and the like that of the folder. */
  readonly byModule: ReadonlyMap<string, readonly string[]>
  /** Folders of packages of this tree, by the name in their manifest (Node, Go, Cargo). */
  readonly packages: ReadonlyMap<string, readonly string[]>
  /** Folder with a manifest of Node → the files that it names, undefined until they are asked for. */
  readonly manifests: Map<string, readonly string[] | undefined>
}

const indexes = new WeakMap<ReadableTree, PathIndex>()

/** Made once for a tree, whose answers do not change. */
export function indexOf(tree: ReadableTree): PathIndex {
  const index = indexes.get(tree) ?? makeIndex(tree)
  indexes.set(tree, index)
  return index
}

function makeIndex(tree: ReadableTree): PathIndex {
  const folders = new Set<string>([''])
  const paths = [...tree.paths()]
  const byFolder = Map.groupBy(paths, folderOf)
  const byName = Map.groupBy(paths, nameOf)
  const byModule = Map.groupBy(paths, (path) => nameOf(modulePathOf(path)))
  const packages = new Map<string, string[]>()
  const manifests = new Map<string, readonly string[] | undefined>()
  for (const path of paths) {
    for (let folder = folderOf(path); !folders.has(folder); folder = folderOf(folder)) folders.add(folder)
    if (nameOf(path) === 'package.json') manifests.set(folderOf(path), undefined)
    for (const name of packageNamesOf(tree, path)) addTo(packages, name, folderOf(path))
  }
  return { tree, folders, byFolder, byName, byModule, packages, manifests }
}

/** One more value under this key. */
export function addTo(map: Map<string, string[]>, key: string, value: string): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, [value])
  else values.push(value)
}

/** The path by which code names it: `a/b.ts` → `a/b`, `a/b/index.ts` → `a/b`. */
export function modulePathOf(path: string): string {
  const name = nameOf(path)
  const stem = name.replace(/(?:\.d)?\.\w+$/u, '')
  const folder = folderOf(path)
  const standsForFolder = /^(?:index|__init__|mod)$/u.test(stem) && folder !== ''
  return standsForFolder ? folder : join(folder, stem)
}

function packageNamesOf(tree: ReadableTree, path: string): readonly string[] {
  if (path.includes('node_modules/')) return []
  switch (nameOf(path)) {
    case 'package.json':
      return namesIn(tree.text(path), /"name"\s{0,9}:\s{0,9}"([^"\n]+)"/gu).slice(0, 1)
    case 'go.mod':
      return namesIn(tree.text(path), /^module[ \t]+"?([^\s"]+)/gmu)
    case 'Cargo.toml':
      return namesIn(tree.text(path), /^name[ \t]*=[ \t]*"([^"\n]+)"/gmu).map(
        (name) => `${name.replaceAll('-', '_')}::`,
      )
    default:
      return []
  }
}

function namesIn(text: string | null, pattern: RegExp): readonly string[] {
  return [...(text ?? '').slice(0, 65_536).matchAll(pattern)].flatMap(([, name]) => name ?? [])
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Without `.`, `..` and empty parts. Undefined: it leads out of the work folder. */
export function resolvePath(folder: string, written: string): string | undefined {
  const parts: string[] = []
  for (const part of `${folder}/${written}`.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

export function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('/')
}

/** The folder and those around it, up to the work folder. */
export function foldersAround(folder: string): readonly string[] {
  return folder === '' ? [folder] : [folder, ...foldersAround(folderOf(folder))]
}

export function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

type Fields = readonly (readonly [string, unknown])[]

export function jsonFields(text: string | null): Fields {
  try {
    return fieldsOf(JSON.parse(text ?? 'null'))
  } catch {
    return []
  }
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

/** A value that is made when it is first asked for. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
