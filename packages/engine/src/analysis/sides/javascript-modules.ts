/** Which files a module of JavaScript may mean. */
import {
  fieldsOf,
  folderOf,
  join,
  jsonFields,
  modulePathOf,
  nameOf,
  type PathIndex,
  resolvePath,
} from './path-index.ts'

/** The path that an import with a relative or absolute place names. Undefined: it names a package. */
function relativeBase(written: string, from: string): string | undefined {
  return /^\.{1,2}(?:\/|$)/u.test(written) ? resolvePath(folderOf(from), written) : undefined
}

export function javascriptTargets(written: string, from: string, index: PathIndex): readonly string[] {
  const base = relativeBase(written, from)
  if (base !== undefined) return filesAt(base, index)
  const inPackage = packageTargets(written, index)
  return inPackage.length > 0 ? inPackage : aliasTargets(written, index)
}

/** The files that a path may mean, in whatever order; of a folder with a manifest, also what that names. */
function filesAt(base: string, index: PathIndex): readonly string[] {
  const stem = base.replace(/\.[cm]?jsx?$/u, '')
  const modules = [base, stem].flatMap((module) =>
    (index.byModule.get(nameOf(module)) ?? []).filter(
      (path) => modulePathOf(path) === module && isModule.test(path),
    ),
  )
  const exact = index.tree.has(base) ? [base] : []
  return [...new Set([...exact, ...modules, ...(index.manifests.has(base) ? entriesOf(base, index) : [])])]
}

const isModule = /\.(?:[cm]?[jt]sx?|json|vue|svelte|node)$/u

/** `@scope/name/sub` of a package of this tree: its folder, with `src` and the like between. */
function packageTargets(written: string, index: PathIndex): readonly string[] {
  const parts = written.split('/')
  const length = written.startsWith('@') ? 2 : 1
  const folders = index.packages.get(parts.slice(0, length).join('/')) ?? []
  const rest = parts.slice(length).join('/')
  return folders.flatMap((folder) =>
    rest === ''
      ? entriesOf(folder, index)
      : ['', 'src', 'lib'].flatMap((way) => filesAt(join(folder, way, rest), index)),
  )
}

/** The files of this tree that the manifest of a folder names as the package itself, built ones by their sources. */
export function entriesOf(folder: string, index: PathIndex): readonly string[] {
  const known = index.manifests.get(folder)
  if (known !== undefined) return known
  // A manifest may name its own folder.
  index.manifests.set(folder, [])
  const manifest = jsonFields(index.tree.text(join(folder, 'package.json')))
  const named = manifest.flatMap(([key, value]) => (entryKeys.includes(key) ? stringsIn(value) : []))
  const usual = ['index', 'src/index', 'lib/index', 'src/main']
  const sources = named.map((path) =>
    path.replace(/^(?:\.\/)?(?:dist|lib|build|out|esm|cjs)(?:\/(?:esm|cjs))?\//u, 'src/'),
  )
  const entries = [...named, ...sources, ...usual].flatMap((path) => {
    const base = resolvePath(folder, path)
    return base === undefined || base === folder ? [] : filesAt(base, index)
  })
  index.manifests.set(folder, [...new Set(entries)])
  return entries
}

const entryKeys = ['main', 'module', 'bin', 'exports', 'types', 'browser']

export function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return fieldsOf(value).flatMap(([, inner]) => stringsIn(inner))
}

/** `@/a/b`, `~/a/b`, `#a/b`, `src/a/b`: the files whose path ends so. */
function aliasTargets(written: string, index: PathIndex): readonly string[] {
  const alias = /^(?:[@~]\/|#\/?)/u.exec(written)?.[0]
  const rest = (alias === undefined ? written : written.slice(alias.length)).replace(/\.[cm]?[jt]sx?$/u, '')
  if (alias === undefined && !rest.includes('/')) return []
  const ways = alias === '#' || alias === undefined ? [rest] : [rest, rest.slice(rest.indexOf('/') + 1)]
  return (index.byModule.get(nameOf(rest)) ?? []).filter((path) => {
    const module = modulePathOf(path)
    return ways.some((way) => module === way || module.endsWith(`/${way}`))
  })
}
