/** The earlier files of a project, as far as the placing of a change asks for them. */
import { isOwnProgram, isSettledCheck, nameSays } from './by-name.ts'
import { type CheckRuns, checkRunsOf } from './check-runs.ts'
import { isAssertionLibrary, isCode, languageOf } from './languages.ts'
import { findMoves } from './moves.ts'
import { entriesOf, indexOf, type NameIndex, namesIn } from './names.ts'
import { folderOf, foldersAround, join, nameOf, once } from './paths.ts'
import { holdsOwnChecks } from './split/own-checks.ts'
import type { SidesRequest } from './placement.ts'

export interface Project {
  readonly request: SidesRequest
  readonly changed: ReadonlySet<string>
  readonly index: () => NameIndex
  readonly runs: () => CheckRuns
  readonly earlier: () => EarlierFiles
  /** Files that a runner reports as those of tests, with no part of the product in them. */
  readonly tests: ReadonlySet<string>
  /** New path → the path that its content had before. */
  readonly moves: () => ReadonlyMap<string, string>
}

export function projectOf(request: SidesRequest): Project {
  const { baseline, checkLines, evidence = { testFiles: [] } } = request
  const tests = new Set(evidence.testFiles.filter((path) => !isOfBothSides(path, baseline.text(path) ?? '')))
  const index = once(() => indexOf(baseline))
  const runs = once(() => checkRunsOf(checkLines, baseline))
  return {
    request,
    changed: new Set(request.changed),
    index,
    runs,
    earlier: once(() => earlierFiles(index(), runs(), tests)),
    tests,
    moves: once(() => findMoves(request)),
  }
}

/** Tests of Rust stand in the sources that they test. */
function isOfBothSides(path: string, text: string): boolean {
  return holdsOwnChecks(path, text) || (path.endsWith('.rs') && nameSays(path).kind === 'plain')
}

export interface EarlierFiles {
  readonly sources: ReadonlySet<string>
  /** All files that ask: tests, their helpers, scripts of checks. */
  readonly checkFiles: readonly string[]
  /** What the product imports, from its own files on. */
  readonly reachedByProduct: ReadonlySet<string>
  /** Whether a file of the product names it in whatever way. */
  readonly isNamedByProduct: (path: string) => boolean
  /** The files of the check side that name it, or the folder that it lies in. */
  readonly checksNaming: (path: string) => readonly string[]
  /** Whether one of the checks that name a file imports a source of the product beside it, which is then what they ask about. */
  readonly isBesideProduct: (path: string) => boolean
}

/** Code that builds, shows or measures: it belongs to the product, and what it imports need not. */
const besides =
  /(?:^|\/)(?:scripts?|tools?|bench(?:mark)?s?|perf|examples?|docs?|website|ci|\.[\w-]+)\/|\.(?:stories|bench|config)\.[cm]?[jt]sx?$|(?:^|\/)(?:gulpfile|Gruntfile|noxfile|setup)\.[\w.]+$/u

function earlierFiles(index: NameIndex, runs: CheckRuns, tests: ReadonlySet<string>): EarlierFiles {
  const all = [...index.tree.paths()]
  const isSource = (path: string): boolean =>
    isCode(path) && nameSays(path).kind === 'plain' && (!runs.started.has(path) || isOwnProgram(path))
  const sources = new Set(all.filter((path) => isSource(path) && !tests.has(path) && !asserts(path, index)))
  const importsOf = (path: string): Iterable<string> => (vouches(path) ? namesIn(path, index).imports : [])
  const ofTestBuilds = closure(
    [...sources].flatMap((path) => [...namesIn(path, index).forTests]),
    importsOf,
    () => true,
  )
  const entries = [...index.packages.values()]
    .filter((folder) => nameSays(join(folder, 'index.js')).kind === 'plain')
    .flatMap((folder) => entriesOf(folder, index))
  const vouching = [...sources].filter(
    (path) => !besides.test(path) && !ofTestBuilds.has(path) && vouches(path),
  )
  const reachedByProduct = closure([...entries, ...vouching], importsOf, (path) => !isSettledCheck(path))
  const isProduct = (path: string): boolean =>
    reachedByProduct.has(path) || (sources.has(path) && !path.endsWith('.rs'))
  const checkFiles = all.filter(
    (path) => (isCode(path) || runs.started.has(path) || isSettledCheck(path)) && !isProduct(path),
  )
  const byProduct = namersOf([...sources, ...reachedByProduct], index, false)
  const byChecks = namersOf(checkFiles, index, true, [...sources])
  const checksNaming = (path: string): readonly string[] => namersIn(byChecks, path)
  return {
    sources,
    checkFiles,
    reachedByProduct,
    isNamedByProduct: (path) => namersIn(byProduct, path).length > 0,
    checksNaming,
    isBesideProduct: (path) =>
      [path, ...checksNaming(path)].some((file) =>
        [...namesIn(file, index).imports].some((target) => target !== path && sources.has(target)),
      ),
  }
}

/** Scripts of a shell and manifests name what is worked on, which is not what the product is made of. */
function vouches(path: string): boolean {
  return !['shell', 'make', 'settings'].includes(languageOf(path) ?? 'settings')
}

/** Products assert what they rely on too: that library counts only in a file whose name says what it is for. */
export function asserts(path: string, index: NameIndex): boolean {
  const isHelper = /test|assert|expect|matcher|fixture|mock/iu.test(nameOf(path))
  return [...namesIn(path, index).modules].some(
    (module) =>
      isAssertionLibrary(module, languageOf(path)) ||
      (isHelper && /^(?:node:)?assert(?:\/strict)?$/u.test(module)),
  )
}

function closure(
  from: Iterable<string>,
  next: (path: string) => Iterable<string>,
  mayEnter: (path: string) => boolean,
): ReadonlySet<string> {
  const reached = new Set([...from].filter(mayEnter))
  for (const path of reached) for (const target of next(path)) if (mayEnter(target)) reached.add(target)
  return reached
}

type Namers = ReadonlyMap<string, readonly string[]>

/** File, or folder with `/` behind it → those of the files that name it. @param builders name modules for tests alone */
function namersOf(
  files: readonly string[],
  index: NameIndex,
  takesFolders: boolean,
  builders: readonly string[] = [],
): Namers {
  const namers = new Map<string, string[]>()
  const add = (target: string, file: string): void => {
    const known = namers.get(target)
    if (known === undefined) namers.set(target, [file])
    else known.push(file)
  }
  for (const file of builders) for (const target of namesIn(file, index).forTests) add(target, file)
  for (const file of new Set(files)) {
    const named = namesIn(file, index)
    for (const target of named.files) add(target, file)
    if (takesFolders || isCode(file)) for (const folder of named.folders) add(`${folder}/`, file)
  }
  return namers
}

function namersIn(namers: Namers, path: string): readonly string[] {
  const folders = foldersAround(folderOf(path)).filter((folder) => folder !== '')
  const keys = [path, ...folders.map((folder) => `${folder}/`)]
  return [...new Set(keys.flatMap((key) => namers.get(key) ?? []))].filter((file) => file !== path)
}
