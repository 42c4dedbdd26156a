/** Where packages are installed, and what belongs to each of them. */
import { hash } from 'node:crypto'
import { lstatSync, realpathSync, readdirSync, type Stats } from 'node:fs'
import { join, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { readText, isFolder } from '../tree/tree-entry.ts'
import type { Marks } from '../snapshots.ts'
import { compareMarks, readMark, treeMark } from './marks.ts'

/** What runs the checks, or is imported by them, and is not in the tree: by path relative to the work folder. */
export interface Installed {
  /** Another one when a package, or a program, is: its version and a digest of its files; or that nobody has read it. */
  readonly runners: Marks
  /** Another one when a file of the package was written: nobody can set the time of the last change. */
  readonly runnerStamps: Marks
}

export const nothingInstalled: Installed = { runners: {}, runnerStamps: {} }

/** Files that are looked at, and the content that is read of them: those of known runners first. */
const maxFiles = 100_000
const maxBytes = 512 * 1024 * 1024
const filesAtOnce = 256

/** They are looked at first: packages that run tests and other checks, and those that decide what an assertion says. */
const knownRunner =
  /\/(?:@?(?:vitest|jest|eslint|playwright|typescript-eslint|tapjs|fast-check)(?:\/|$)|(?:vite|jest|expect|chai|should|power-assert|supertest|nock|mocha|ava|tap|tape|uvu|jasmine|karma|cypress|c8|nyc|istanbul|typescript|prettier|biome|tsx|ts-node|sinon|_?pytest|pluggy|coverage|hypothesis|mypy|ruff)(?:$|[-_]))/

/** @param name of a package, or a path that ends with one */
export function isKnownRunner(name: string): boolean {
  return knownRunner.test(`/${name}`)
}

/**
 * Looks at the files of all installed packages, and reads those of which it is not known from before what they hold.
 * @param folders of the work folder, in which packages may be installed; relative to it
 * @param known from an earlier look: a package with the stamp of then is not read again
 */
export async function lookAtRunners(
  workFolder: string,
  folders: readonly string[],
  known: Installed,
  signal: AbortSignal,
): Promise<Installed> {
  const [runners, runnerStamps]: [Record<string, string>, Record<string, string>] = [{}, {}]
  const [seen, waiting] = [new Set<string>(), runnersLast(workFolder, folders)]
  let [files, bytes, filesAtRest] = [0, 0, 0]
  for (let next = waiting.pop(); next !== undefined && files < maxFiles; next = waiting.pop()) {
    const { name, path } = next
    if (seen.has(path)) continue
    seen.add(path)
    if (files - filesAtRest > filesAtOnce) {
      filesAtRest = files
      await setImmediate()
    }
    signal.throwIfAborted()
    const content = readContent(next)
    if (content === undefined) continue
    waiting.push(...content.inner.flatMap((folder) => packagesIn(workFolder, relative(workFolder, folder))))
    files += content.files.length
    const [stamp, mark] = [readStamp(path, content.files), known.runners[name]]
    const isKnown = mark !== undefined && known.runnerStamps[name] === stamp
    if (!isKnown) bytes += content.files.reduce((sum, { stats }) => sum + stats.size, 0)
    // What was not read once cannot be compared by its content later.
    const isRead = bytes < maxBytes && mark?.startsWith('unread ') !== true
    runnerStamps[name] = stamp
    if (next.kind === 'tree') runners[name] = treeMark(relative(workFolder, realpathSync(path)))
    else runners[name] = isKnown ? mark : isRead ? digestOf(next, content.files) : `unread ${stamp}`
  }
  return { runners, runnerStamps }
}

/** To be taken from the end. */
function runnersLast(workFolder: string, folders: readonly string[]): InstalledThing[] {
  const found = folders.flatMap((folder) => packagesIn(workFolder, folder)).reverse()
  const isRunner = ({ name }: InstalledThing) => isKnownRunner(name)
  return [...found.filter((thing) => !isRunner(thing)), ...found.filter(isRunner)]
}

/**
 * The folder's own number and the time of its making first: an installer makes a new folder, whoever edits a file does not. The
 * number alone may be given again.
 */
function readStamp(folder: string, files: readonly PackageFile[]): string {
  const lines = files.map(({ path, stats: { ino, size, mtimeMs, ctimeMs, mode } }) =>
    [path, ino, size, mtimeMs, ctimeMs, mode].join(' '),
  )
  const { ino, birthtimeMs } = lstatSync(folder)
  return `${ino}-${birthtimeMs} ${hash('sha256', lines.sort().join('\n'))}`
}

function digestOf({ path: folder, kind }: InstalledThing, files: readonly PackageFile[]): string {
  if (kind === 'file') return readMark(folder) ?? 'gone'
  const lines = files.map(({ path }) => `${relative(folder, path)} ${readMark(path) ?? ''}`).sort()
  return `${readVersion(folder)} ${hash('sha256', lines.join('\n'))}`
}

/** As the package says; a text without spaces. */
function readVersion(folder: string): string {
  return /"version"\s*:\s*"([^"\s]+)"/.exec(readText(join(folder, 'package.json')))?.[1] ?? 'none'
}

/** Packages that were written to between two looks, not by an installer, and are equal again. */
export function packagesPutBack(before: Installed, now: Installed): readonly string[] {
  const folderOf = (stamp = '') => stamp.split(' ')[0]
  return compareMarks(before.runnerStamps, now.runnerStamps)
    .filter(({ name }) => before.runners[name] === now.runners[name])
    .filter(({ name }) => folderOf(before.runnerStamps[name]) === folderOf(now.runnerStamps[name]))
    .map(({ name }) => name)
}

/** A package, a single file that stands beside packages, such as a program of one, or a link to a folder of the tree. */
interface InstalledThing {
  /** Its path relative to the work folder. */
  readonly name: string
  /** Where it really lies. */
  readonly path: string
  readonly kind: 'package' | 'file' | 'tree'
}

/** Packages and programs in one folder of the project, in the order of their names. Those inside of packages come with these. */
function packagesIn(workFolder: string, folder: string): readonly InstalledThing[] {
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

interface PackageFile {
  readonly path: string
  readonly stats: Stats
}

/** Caches, and what a runner compiles from its own files at its first use. */
const leftAlone = /^(\.cache|\.vite|\.vitest|\.vite-temp|__pycache__)$/
/** Read by people alone. */
const forPeople = /\.(?:map|md|markdown|flow)$|^(?:LICEN[CS]E|CHANGELOG|README)\b/i

interface PackageContent {
  readonly files: readonly PackageFile[]
  /** Folders of packages inside of it. */
  readonly inner: readonly string[]
}

/** Undefined: it is not there any more. @throws the system's error for a folder that cannot be listed */
function readContent({ path, kind }: InstalledThing): PackageContent | undefined {
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
