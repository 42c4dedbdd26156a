import { z } from 'zod'
import { basename, dirname, join } from 'node:path'
import type { FileChange } from '../../../analysis/tamper/index.ts'
import { textOf } from '../tree/tree-entry.ts'
import type { TreeEntries } from '../tree/read-tree.ts'
import { isKnownRunner } from './runners.ts'
import { jsonOf } from '../../../base/index.ts'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'

/** They name every installed package with its version. */
const lockFile =
  /^(package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|uv\.lock|poetry\.lock|Pipfile\.lock|pdm\.lock)$/
/** They name what was asked for. */
const listFile = /^(package\.json|pyproject\.toml|requirements.*\.txt)$/

/**
 * Whether an installed package, or the one behind a program, came with the lock file. Where there is none, or one that came
 * with the change, the package itself must be asked for otherwise than before; what runs the checks is then never taken for an
 * update, because a list is soon written and nobody can tell what it brought.
 */
export function updatesIn(
  workFolder: string,
  changes: readonly FileChange[],
  tree: TreeEntries,
): (path: string) => boolean {
  const added = new Set(changes.filter(({ before }) => before === null).map(({ path }) => path))
  const hasLock = [...tree.keys()]
    .map(textOf)
    .some((path) => lockFile.test(basename(path)) && !added.has(path))
  const pattern = hasLock ? lockFile : listFile
  const changed = changes.filter(
    ({ path, before, after }) =>
      pattern.test(basename(path)) && after !== null && !(hasLock && before === null),
  )
  if (changed.length === 0) return () => false
  return (path) => {
    const found = installedPackage(workFolder, path)
    if (found === undefined) return false
    const isRunner = isKnownRunner(found.name) || isKnownRunner(path)
    return changed.some(({ path: file, before, after }) => {
      // A file that was no text, or a very long one, tells nobody what it names.
      if (before?.text === null) return !isRunner
      const [then, now] = [before?.text ?? '', after?.text ?? '']
      return hasLock ? isNewInLock(found, then, now) : !isRunner && isAskedAnew(file, found.name, then, now)
    })
  }
}

/** Which version of one package a list of what the project wants asks for. */

const keys = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
  'resolutions',
]

/** Whether this package is asked for otherwise than before; what else the list says does not matter. */
function isAskedAnew(path: string, name: string, then: string, now: string): boolean {
  const earlier = new Set(requestsIn(path, name, then))
  return requestsIn(path, name, now).some((request) => !earlier.has(request))
}

function requestsIn(path: string, name: string, text: string): readonly string[] {
  if (basename(path) === 'package.json') return nodeRequests(name, text)
  const written = `${packageNamePattern(name)}(?:\\s*\\[[^\\]\\n]*\\])?\\s*`
  const patterns = path.endsWith('.toml')
    ? [`["']${written}([<>=!~@(][^"';\\n]*)`, `^\\s*["']?${written}["']?\\s*=([^\\n]+)`]
    : [`^[ \\t]*${written}([<>=!~@(][^;\\n]*)`]
  const plain = text.replaceAll(/(^|\s)#[^\n]*/g, '$1')
  return patterns
    .flatMap((pattern) => [...plain.matchAll(new RegExp(pattern, 'gim'))])
    .map(([, request = '']) => request.replaceAll(/[\s,]+$|\s+/g, ''))
}

/** What is no object asks for nothing. */
const fields = z.record(z.string(), z.unknown()).catch({})

function nodeRequests(name: string, text: string): readonly string[] {
  const manifest = fields.parse(jsonOf(text))
  return keys.flatMap((key) => {
    const request = new Map(Object.entries(fields.parse(manifest[key]))).get(name)
    return typeof request === 'string' ? [request.trim()] : []
  })
}

/** What a lock file says of the content of a package: where it is from, or a digest of it. */
const seal =
  /(?<![\w./-])(?:resolved|checksum|tarball|commit)["']?[ \t]*[: ][ \t]*["']?([^\s"',}\]]+)|(?<![\w./-])(sha\d{1,3}[-:][\w+/=]+)/g
/** Where what is said of the next package begins, in one format or another. */
const nextEntry = /\n[ \t]*\r?\n|\n\[\[|"version"|"node_modules\//g
const maxEntryLength = 20_000

/**
 * Whether the package came with this change of a lock file: it stands there now in this version and did not before. In a file
 * with seals those of the package are others, too, because another version has other content.
 */
function isNewInLock(found: InstalledPackage, then: string, now: string): boolean {
  const pattern = entryPattern(found)
  const [known, seals] = [sealsIn(then), sealsIn(now)]
  if (known.length === 0 && seals.length === 0)
    return now.search(pattern) !== -1 && then.search(pattern) === -1
  const earlier = new Set(known)
  const isSealed = (entry: readonly string[]): boolean => entry.length > 0
  return (
    !sealsOfEntries(then, pattern).some(isSealed) &&
    sealsOfEntries(now, pattern).some((entry) => isSealed(entry) && entry.every((one) => !earlier.has(one)))
  )
}

/** A name, and not far behind it the version. */
function entryPattern({ name, version }: InstalledPackage): RegExp {
  return new RegExp(
    `(?<![\\w-])${packageNamePattern(name)}(?![\\w-])[^\\n]{0,1000}\\n?[^\\n]{0,200}?(?<![\\w.])${escapePattern(version)}(?![\\w.-])`,
    'gi',
  )
}

/** The source of a pattern for a name, however its parts are joined. */
function packageNamePattern(name: string): string {
  return escapePattern(name).replaceAll(/\\[-.]|_/g, '[-_.]')
}

function escapePattern(text: string): string {
  return text.replaceAll(/[^\w]/g, '\\$&')
}

function sealsOfEntries(text: string, pattern: RegExp): readonly (readonly string[])[] {
  return [...text.matchAll(pattern)].map(({ index, 0: { length } }) => {
    const rest = text.slice(index + length, index + length + maxEntryLength)
    const end = rest.search(nextEntry)
    return sealsIn(text.slice(index, index + length) + (end === -1 ? rest : rest.slice(0, end)))
  })
}

function sealsIn(text: string): readonly string[] {
  return [...text.matchAll(seal)].map(([, place, digest]) => place ?? digest ?? '')
}

interface InstalledPackage {
  readonly name: string
  readonly version: string
}

/**
 * The package that a folder of it or one of its programs belongs to. Undefined: it does not say what it is.
 * @param path relative to the work folder
 */
export function installedPackage(workFolder: string, path: string): InstalledPackage | undefined {
  const file = join(workFolder, path)
  try {
    if (path.includes('site-packages'))
      return packageNoted(file) ?? pythonPackage(dirname(file), basename(file))
    if (/\.?venv\/bin\//.test(path)) return ofPythonProgram(file)
    return nodePackage(/\/\.bin\/[^/]+$/.test(path) ? ofProgram(file) : file)
  } catch {
    // What cannot be read is no update.
    return undefined
  }
}

/** Where a program leads to: by a link, by a path in a starting script, or else by its own name. */
function ofProgram(file: string): string {
  const modules = dirname(dirname(file))
  const real = realpathSync(file)
  const inPackage = packageFolder.exec(real)?.[0]
  if (inPackage !== undefined && !inPackage.endsWith('.bin')) return inPackage
  const named = /node_modules\/((?:@[\w.-]+\/)?\w[\w.-]*)\//.exec(readFileSync(real, 'utf8'))?.[1]
  return join(modules, named ?? basename(file))
}

const packageFolder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/

function nodePackage(folder: string): InstalledPackage | undefined {
  const name = /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(folder)?.[1]
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (name === undefined || typeof manifest !== 'object' || manifest === null) return undefined
  return 'version' in manifest && typeof manifest.version === 'string'
    ? { name, version: manifest.version }
    : undefined
}

function ofPythonProgram(file: string): InstalledPackage | undefined {
  const libraries = join(dirname(dirname(file)), 'lib')
  return readdirSync(libraries)
    .map((version) => pythonPackage(join(libraries, version, 'site-packages'), basename(file)))
    .find((found) => found !== undefined)
}

const notes = /^(.+)-([^-]+)\.dist-info$/

/** A file in the folder in which the installer says what it installed. */
function packageNoted(file: string): InstalledPackage | undefined {
  const [, name = '', version] = notes.exec(basename(dirname(file))) ?? []
  return version === undefined ? undefined : { name, version }
}

/** By the folder in which the installer says what it installed: its name, or the files that it lists. */
function pythonPackage(library: string, module: string): InstalledPackage | undefined {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[-_.]+/g, '_')
      .replaceAll(/^_|(?<=^pip)[\d_]+$/g, '')
  const all = readdirSync(library).flatMap((entry) => {
    const [, name = '', version] = notes.exec(entry) ?? []
    return version === undefined ? [] : [{ entry, name, version }]
  })
  const found =
    all.find(({ name }) => plain(name) === plain(module)) ??
    all.find(({ entry }) => listsModule(join(library, entry, 'RECORD'), module))
  return found && { name: found.name, version: found.version }
}

function listsModule(record: string, module: string): boolean {
  if (!existsSync(record)) return false
  const lines = readFileSync(record, 'utf8').split('\n')
  return lines.some((line) => line.startsWith(`${module}/`) || line.startsWith(`${module},`))
}
