import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Marks } from '../snapshot/manifest.ts'
import { markOf } from './mark-file.ts'

/** Files of installed runners that are looked at, in all. */
const mostFiles = 20_000
const filesAtOnce = 256

/** Packages that run tests and other checks, and those that decide what an assertion says. */
const runnerPackage =
  /^(vitest|@vitest\/.+|vite|vite-node|jest|jest-.+|@jest\/.+|ts-jest|babel-jest|expect|expect-.+|chai|chai-.+|mocha|ava|tap|@tapjs\/.+|tape|uvu|jasmine|jasmine-core|karma|karma-.+|playwright|playwright-core|@playwright\/.+|cypress|c8|nyc|istanbul-.+|eslint|@eslint\/.+|typescript|typescript-eslint|@typescript-eslint\/.+|prettier|biome|tsx|ts-node|tinypool|tinyspy|sinon|supertest|fast-check|@fast-check\/.+|power-assert|should|oxlint)$/

const pythonPackage =
  /^(_?pytest|pluggy|iniconfig|coverage|hypothesis|xdist|pytest_\w+|unittest2|nose2?|mypy|ruff|flake8|pylint|tox|nox|py|conftest)$/

/**
 * What runs the checks and is not in the tree: programs in `node_modules/.bin` and `.venv/bin`, and the files of known
 * runners' packages, by path relative to the work folder.
 * @param folders of the work folder, in which packages may be installed; relative to it
 */
export async function lookAtRunners(
  workFolder: string,
  folders: readonly string[],
  signal: AbortSignal,
): Promise<Marks> {
  const files = folders.flatMap((folder) => [
    ...nodeFiles(join(workFolder, folder)),
    ...pythonFiles(join(workFolder, folder)),
  ])
  const marks: Record<string, string> = {}
  for (const [index, file] of files.slice(0, mostFiles).entries()) {
    if (index % filesAtOnce === 0) await setImmediate()
    signal.throwIfAborted()
    const mark = markOf(file)
    if (mark !== undefined) marks[relative(workFolder, file)] = mark
  }
  return marks
}

function nodeFiles(folder: string): readonly string[] {
  const modules = join(folder, 'node_modules')
  if (!isFolder(modules)) return []
  const packages = namesIn(modules).flatMap((name) =>
    name.startsWith('@') ? namesIn(join(modules, name)).map((inner) => `${name}/${inner}`) : [name],
  )
  const programs = namesIn(join(modules, '.bin')).map((name) => join(modules, '.bin', name))
  const runners = packages.filter((name) => runnerPackage.test(name))
  return [...programs, ...runners.flatMap((name) => filesOfPackage(join(modules, name)))]
}

/** A package may be a link into another folder of installed packages; one that leads into the tree is work. */
function filesOfPackage(place: string): readonly string[] {
  if (!isFolder(place)) return []
  if (!lstatSync(place).isSymbolicLink()) return filesBelow(place)
  const real = realpathSync(place)
  return real.split('/').includes('node_modules') ? [place, ...filesBelow(real)] : [place]
}

function pythonFiles(folder: string): readonly string[] {
  return ['.venv', 'venv'].flatMap((name) => {
    const place = join(folder, name)
    if (!isFolder(place)) return []
    const libraries = namesIn(join(place, 'lib')).map((version) =>
      join(place, 'lib', version, 'site-packages'),
    )
    const packages = libraries.flatMap((library) => namesIn(library).map((inner) => join(library, inner)))
    const single = packages.filter((path) =>
      /\.pth$|^(site|user)customize\.py$|^conftest\.py$/.test(basename(path)),
    )
    const runners = packages.filter((path) => pythonPackage.test(basename(path)) && isFolder(path))
    return [
      join(place, 'pyvenv.cfg'),
      ...namesIn(join(place, 'bin')).map((program) => join(place, 'bin', program)),
      ...single,
      ...runners.flatMap(filesBelow),
    ]
  })
}

/** Caches, and what a runner compiles from its own files at its first use. */
const leftAlone = /^(\.cache|\.vite|\.vitest|\.vite-temp|__pycache__|node_modules)$/

function filesBelow(folder: string): readonly string[] {
  const files: string[] = []
  const waiting = [folder]
  for (let next = waiting.pop(); next !== undefined && files.length < mostFiles; next = waiting.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      if (!entry.isDirectory()) files.push(join(next, entry.name))
      else if (!leftAlone.test(entry.name)) waiting.push(join(next, entry.name))
    }
  }
  return files.sort()
}

function namesIn(folder: string): readonly string[] {
  return isFolder(folder) ? readdirSync(folder).sort() : []
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
