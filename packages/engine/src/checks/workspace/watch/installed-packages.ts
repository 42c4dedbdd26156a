/** Where packages are installed, and what belongs to each of them. */
import { lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs'
import { join, relative } from 'node:path'
import { isFolder, readText } from '../tree/existing-files.ts'

/** A package, a single file that stands beside packages, such as a program of one, or a link to a folder of the tree. */
export interface InstalledThing {
  /** Its path relative to the work folder. */
  readonly name: string
  /** Where it really lies. */
  readonly path: string
  readonly kind: 'package' | 'file' | 'tree'
}

/** Packages and programs in one folder of the project, in the order of their names. Those inside of packages come with these. */
export function packagesIn(workFolder: string, folder: string): readonly InstalledThing[] {
  const place = join(workFolder, folder)
  return [...nodeModules(workFolder, join(place, 'node_modules')), ...virtualEnvironments(workFolder, place)]
}

function nodeModules(workFolder: string, modules: string): readonly InstalledThing[] {
  const programs = namesIn(join(modules, '.bin')).map((name) =>
    fileAt(workFolder, join(modules, '.bin', name)),
  )
  const packages = namesIn(modules).flatMap((name) => {
    if (name.startsWith('@')) return namesIn(join(modules, name)).map((inner) => join(modules, name, inner))
    return name.startsWith('.') ? [] : [join(modules, name)]
  })
  // One store that all packages are links into.
  const stored = namesIn(join(modules, '.pnpm')).flatMap((name) =>
    nodeModules(workFolder, join(modules, '.pnpm', name, 'node_modules')),
  )
  return [...programs, ...packages.flatMap((path) => packageAt(workFolder, path)), ...stored]
}

/** A link into another folder of installed packages is one of these; one that leads into the tree is work. */
function packageAt(workFolder: string, path: string): readonly InstalledThing[] {
  if (!isFolder(path)) return []
  const name = relative(workFolder, path)
  if (!lstatSync(path).isSymbolicLink()) return [{ name, path, kind: 'package' }]
  const real = realpathSync(path)
  const link = fileAt(workFolder, path)
  const isInTree = real.startsWith(`${workFolder}/`)
  const isPackage = real.split('/').includes('node_modules')
  if (isInTree) return [isPackage ? link : { name, path, kind: 'tree' }]
  return isPackage ? [link, { name: `${name}/`, path: real, kind: 'package' }] : [link]
}

function virtualEnvironments(workFolder: string, folder: string): readonly InstalledThing[] {
  return ['.venv', 'venv'].flatMap((name) => {
    const place = join(folder, name)
    const libraries = namesIn(join(place, 'lib')).map((version) =>
      join(place, 'lib', version, 'site-packages'),
    )
    const programs = namesIn(join(place, 'bin')).map((program) => join(place, 'bin', program))
    const modules = libraries.flatMap((library) => namesIn(library).map((inner) => join(library, inner)))
    return [
      ...[join(place, 'pyvenv.cfg'), ...programs].map((path) => fileAt(workFolder, path)),
      ...modules.flatMap((path) => pythonModule(workFolder, path)),
    ]
  })
}

/** Of what an installer notes of a package this is read by programs, which load what it names; one that only adds commands adds no more. */
const entryPoints = 'entry_points.txt'

function plugIns(workFolder: string, path: string): readonly InstalledThing[] {
  const groups = readText(path).match(/^\s*\[[^\]]+\]/gm) ?? []
  return groups.every((group) => /(?:console|gui)_scripts/.test(group)) ? [] : [fileAt(workFolder, path)]
}

function pythonModule(workFolder: string, path: string): readonly InstalledThing[] {
  if (path.endsWith('/__pycache__')) return []
  if (/\.(?:dist|egg)-info$/.test(path)) return plugIns(workFolder, join(path, entryPoints))
  return isFolder(path)
    ? [{ name: relative(workFolder, path), path, kind: 'package' }]
    : [fileAt(workFolder, path)]
}

function fileAt(workFolder: string, path: string): InstalledThing {
  return { name: relative(workFolder, path), path, kind: 'file' }
}

export interface PackageFile {
  readonly path: string
  readonly stats: Stats
}

/** Caches, and what a runner compiles from its own files at its first use. */
const leftAlone = /^(\.cache|\.vite|\.vitest|\.vite-temp|__pycache__)$/
/** Read by people alone. */
const forPeople = /\.(?:map|md|markdown|flow)$|^(?:LICEN[CS]E|CHANGELOG|README)\b/i

export interface PackageContent {
  readonly files: readonly PackageFile[]
  /** Folders of packages inside of it. */
  readonly inner: readonly string[]
}

/** Undefined: it is not there any more. @throws the system's error for a folder that cannot be listed */
export function readContent({ path, kind }: InstalledThing): PackageContent | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  return kind === 'package' ? contentOfFolder(path) : { files: [{ path, stats }], inner: [] }
}

function contentOfFolder(folder: string): PackageContent {
  const [files, inner]: [PackageFile[], string[]] = [[], []]
  const waiting = [folder]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      const path = join(next, entry.name)
      if (entry.isDirectory()) {
        if (entry.name === 'node_modules') inner.push(next)
        else if (!leftAlone.test(entry.name)) waiting.push(path)
      } else if (!forPeople.test(entry.name)) {
        const stats = lstatSync(path, { throwIfNoEntry: false })
        if (stats !== undefined) files.push({ path, stats })
      }
    }
  }
  return { files, inner }
}

function namesIn(folder: string): readonly string[] {
  return isFolder(folder) ? readdirSync(folder).sort() : []
}
