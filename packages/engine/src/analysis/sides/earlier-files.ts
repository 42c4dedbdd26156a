/** The earlier files of a project, as far as they are asked for. */
import type { CheckRuns } from './check-runs.ts'
import { languageOf } from './references.ts'
import { nameSays, isOwnProgram } from './place/by-name.ts'
import { type PathIndex, join, foldersAround, folderOf, isWithin, addTo } from './path-index.ts'
import { nodeOf } from './nodes.ts'
import { entriesOf } from './javascript-modules.ts'

export interface EarlierFiles {
  /** What the product reaches by import and by whole paths, from its own files on. */
  readonly reachedByProduct: ReadonlySet<string>
  /** What a file of the product names in whatever way. */
  isNamedByProduct(path: string): boolean
  /** The files of the check side that reach a file, directly or through others of the check side. */
  readonly checksThatReach: (path: string) => ReadonlySet<string>
  /** Whether one of these reaches a source of the product beside that file, which is then not what they ask about. */
  isBesideProduct(path: string): boolean
  /** Sources of the product by name. */
  readonly sources: readonly string[]
  /** All files that ask: tests, their helpers, scripts of checks. */
  readonly checkFiles: readonly string[]
}

/** Code that builds, shows or measures: it belongs to the product, and what it imports need not. */
const besides =
  /(?:^|\/)(?:scripts?|tools?|bench(?:mark)?s?|perf|examples?|docs?|website|ci|\.[\w-]+)\/|\.(?:stories|bench|config)\.[cm]?[jt]sx?$|(?:^|\/)(?:gulpfile|Gruntfile|noxfile|setup)\.[\w.]+$/u

/** Whether its name makes a file a source of the product; what it holds may say more. */
function isSourceByName(path: string, runs: CheckRuns): boolean {
  const language = languageOf(path)
  if (language === undefined || language === 'settings' || nameSays(path).kind !== 'plain') return false
  return !runs.started.has(path) || isOwnProgram(path)
}

/** @param tests files that a runner reports as those of tests, with no part of the product in them */
export function earlierFiles(index: PathIndex, runs: CheckRuns, tests: ReadonlySet<string>): EarlierFiles {
  const all = [...index.tree.paths()]
  const sources = all.filter(
    (path) => isSourceByName(path, runs) && !tests.has(path) && !nodeOf(path, index).asserts,
  )
  const sourceSet = new Set(sources)
  const entries = [...new Set([...index.packages.values()].flat())]
    .filter((folder) => nameSays(join(folder, 'index.js')).kind === 'plain')
    .flatMap((folder) => entriesOf(folder, index))
  const targetsOfFile = (path: string): readonly string[] =>
    vouches(path) ? nodeOf(path, index).targets : []
  const ofTestBuilds = closure(
    sources.flatMap((path) => nodeOf(path, index).testTargets),
    targetsOfFile,
    () => true,
  )
  const vouching = sources.filter((path) => !besides.test(path) && !ofTestBuilds.has(path) && vouches(path))
  const reachedByProduct = closure([...entries, ...vouching], targetsOfFile, (path) => !isSettledCheck(path))
  const isProduct = (path: string): boolean =>
    reachedByProduct.has(path) || (sourceSet.has(path) && !path.endsWith('.rs'))
  const checkFiles = all.filter((path) => mayAsk(path, runs) && !isProduct(path))
  const named = productNames([...sources, ...reachedByProduct], index)
  const reachers = reverseReferences(checkFiles, sources, index)
  const checksThatReach = (path: string): ReadonlySet<string> => {
    const direct = [
      path,
      ...foldersAround(folderOf(path))
        .filter((folder) => folder !== '')
        .map((folder) => `${folder}/`),
    ]
    const first = direct.flatMap((key) => reachers.get(key) ?? []).filter((file) => file !== path)
    return closure(
      first,
      (file) => reachers.get(file) ?? [],
      (file) => file !== path,
    )
  }
  return {
    reachedByProduct,
    sources,
    checkFiles,
    checksThatReach,
    isNamedByProduct: (path) =>
      named.files.has(path) || named.folders.some((folder) => isWithin(path, folder)),
    isBesideProduct: (path) =>
      [path, ...checksThatReach(path)].some((file) =>
        nodeOf(file, index).targets.some((target) => target !== path && sourceSet.has(target)),
      ),
  }
}

/** Scripts of a shell and manifests name what is worked on, which is not what the product is made of. */
function vouches(path: string): boolean {
  return !['shell', 'make', 'settings'].includes(languageOf(path) ?? 'settings')
}

function isSettledCheck(path: string): boolean {
  const says = nameSays(path)
  return says.kind === 'settled' && says.reason !== 'documentation' && says.reason !== 'dependencies'
}

/** Tests, their helpers, configuration and scripts of checks, and sources by name that assert. */
function mayAsk(path: string, runs: CheckRuns): boolean {
  const language = languageOf(path)
  return (language !== undefined && language !== 'settings') || runs.started.has(path) || isSettledCheck(path)
}

function closure(
  from: Iterable<string>,
  next: (path: string) => readonly string[],
  mayEnter: (path: string) => boolean,
): ReadonlySet<string> {
  const reached = new Set([...from].filter(mayEnter))
  for (const path of reached) for (const target of next(path)) if (mayEnter(target)) reached.add(target)
  return reached
}

function productNames(
  sources: readonly string[],
  index: PathIndex,
): { readonly files: ReadonlySet<string>; readonly folders: readonly string[] } {
  const nodes = [...new Set(sources)].map((path) => nodeOf(path, index))
  const files = new Set(nodes.flatMap(({ targets, namesakes }) => [...targets, ...namesakes]))
  return { files, folders: [...new Set(nodes.flatMap(({ folders }) => folders))] }
}

/** File, or folder with `/` behind it → the files of the check side that name it. */
function reverseReferences(
  checkFiles: readonly string[],
  sources: readonly string[],
  index: PathIndex,
): ReadonlyMap<string, readonly string[]> {
  const reachers = new Map<string, string[]>()
  for (const file of sources)
    for (const target of nodeOf(file, index).testTargets) addTo(reachers, target, file)
  for (const file of checkFiles) {
    const { targets, testTargets, namesakes, folders } = nodeOf(file, index)
    const named = new Set([
      ...targets,
      ...testTargets,
      ...namesakes,
      ...folders.map((folder) => `${folder}/`),
    ])
    for (const target of named) addTo(reachers, target, file)
  }
  return reachers
}
