import { hash } from 'node:crypto'
import { lstatSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { readText } from '../tree/existing-files.ts'
import type { Marks } from '../snapshot/manifest.ts'
import { compareMarks, readMark, treeMark } from './marks.ts'
import { readContent, packagesIn, type InstalledThing, type PackageFile } from './installed-packages.ts'

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
