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
  /** Files that a runner reports as tests and that contain no product parts. */
  readonly tests: ReadonlySet<string>
  /** New path → previous path of its content. */
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

/** Rust tests are inside the sources they test. */
function isOfBothSides(path: string, text: string): boolean {
  return holdsOwnChecks(path, text) || (path.endsWith('.rs') && nameSays(path).kind === 'plain')
}

export interface EarlierFiles {
  readonly sources: ReadonlySet<string>
  /** All check sources: tests, helpers, scripts. */
  readonly checkFiles: readonly string[]
  /** Files that the product imports, transitively. */
  readonly reachedByProduct: ReadonlySet<string>
  /** Whether a product file mentions it in any way. */
  readonly isNamedByProduct: (path: string) => boolean
  /** Check files that mention it or its folder. */
  readonly checksNaming: (path: string) => readonly string[]
  /** Whether a check that mentions the file imports a product source next to it, which is then under test. */
  readonly isBesideProduct: (path: string) => boolean
}

/** Code that builds, demonstrates or measures: product, but its imports need not be. */
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

/** Shell scripts and manifests mention files that are not part of the product. */
function vouches(path: string): boolean {
  return !['shell', 'make', 'settings'].includes(languageOf(path) ?? 'settings')
}

/** Products assert too, so the library counts only in files named as checks. */
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

/** File, or folder with a trailing `/` → files that mention it. @param builders for tests only */
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
