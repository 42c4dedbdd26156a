/** Files that were there before the agent came. */
import { matchesAny } from '../protect/index.ts'
import type { CheckRuns } from './check-runs.ts'
import { entriesOf, packagesOfTests } from './javascript-modules.ts'
import { nodeOf } from './nodes.ts'
import { addTo, folderOf, foldersAround, isWithin, join, once, type PathIndex } from './path-index.ts'
import { isOwnProgram, namesACheck, nameSays, type NameSays, testFolder } from './place/by-name.ts'
import { describeFiles, type Placement, placementOf, type Project, type SideReason } from './project.ts'
import { holdsTests, judgesByItself, languageOf } from './references.ts'

export function placeEarlier(path: string, says: NameSays, project: Project): Placement {
  if (says.kind === 'settled') return placementOf(path, says.reason)
  if (says.kind === 'unless-product-reaches') return unlessReached(path, says.reason, project)
  const starter = project.runs().started.get(path)
  if (starter !== undefined) return placeStarted(path, starter, project)
  const reader = mayBeSourced.test(path) ? project.sourced().get(path) : undefined
  if (reader !== undefined) return placementOf(path, 'check-script', `${path} is read in by ${reader}.`)
  if (isGivenToRunner(path, project)) return unlessReached(path, 'test', project)
  switch (languageOf(path)) {
    case undefined:
    case 'settings':
      return placeData(path, project)
    case 'rust':
      return placeRust(path, project)
    case 'javascript':
    case 'python':
    case 'go':
    case 'shell':
    case 'make':
      return nodeOf(path, project.index()).asserts
        ? placeAsserting(path, project)
        : placementOf(path, 'source')
  }
}

const mayBeSourced = /\.(?:ba|z|k)?sh$|\.(?:inc|env|conf|rc)$|(?:^|\/)[^/.]+$/u

function unlessReached(path: string, reason: SideReason, project: Project): Placement {
  if (project.earlier().reachedByProduct.has(path)) return placementOf(path, 'used-by-product')
  return reason === 'test' && isCalledTest(path, project)
    ? placementOf(path, 'source')
    : placementOf(path, reason)
}

/** A file that tests import, that holds no tests and lies in no folder of tests, is only called like one. */
function isCalledTest(path: string, project: Project): boolean {
  if (testFolder.test(path) || holdsTests(project.request.baseline.text(path) ?? '')) return false
  return [...project.earlier().checksThatReach(path)].some((file) => !isList(file))
}

/** What a line starts is a check, unless it is known as a program of the product or says nothing by itself. */
function placeStarted(path: string, starter: string, project: Project): Placement {
  const because = `${path} is started by \`${starter}\``
  const own = `${because}, and is a program of the product.`
  const language = languageOf(path)
  const isScript = language === undefined || language === 'shell'
  if (isOwnProgram(path)) return placementOf(path, 'own-program', own)
  if (!namesACheck(path)) {
    const text = project.request.baseline.text(path)
    if (!isScript && text !== null && !judgesByItself(text)) return placementOf(path, 'own-program', own)
    const { started } = project.runs()
    const tests = [...project.earlier().checksThatReach(path)].filter(
      (file) => !started.has(file) && !isList(file),
    )
    if (tests.length > 0)
      return placementOf(path, 'own-program', `${own.slice(0, -1)} that ${describeFiles(tests)} asks.`)
  }
  if (project.earlier().reachedByProduct.has(path)) return placementOf(path, 'own-program', own)
  return placementOf(path, 'check-script', `${because}.`)
}

/** Whether a test runner is given the file, or a folder that holds no source of the product by name. */
export function isGivenToRunner(path: string, project: Project): boolean {
  const { tests } = project.runs()
  if (tests.size === 0) return false
  const isGiven = (place: string): boolean => tests.has(place) || matchesAny(place, patternsOf(tests))
  if (isGiven(path)) return true
  return foldersAround(path).some(
    (folder) => folder !== '' && !/(?:^|\/)(?:src|lib|app|packages)$/u.test(folder) && tests.has(folder),
  )
}

function patternsOf(words: ReadonlySet<string>): readonly string[] {
  return [...words].filter((word) => word.includes('*'))
}

function placeAsserting(path: string, project: Project): Placement {
  const earlier = project.earlier()
  if (earlier.reachedByProduct.has(path)) return placementOf(path, 'used-by-product')
  const checks = earlier.checksThatReach(path)
  // What is asked about alone is the product, whatever it imports; what nothing reaches helps nobody.
  const isHelper =
    checks.size > 0 ? earlier.isBesideProduct(path) : holdsTests(project.request.baseline.text(path) ?? '')
  if (!isHelper) return placementOf(path, 'source')
  return placementOf(path, 'test-helper', `${path} asserts, and only ${describeFiles(checks)} reaches it.`)
}

/** A module of Rust that no module of the product declares belongs to the tests that declare it. */
function placeRust(path: string, project: Project): Placement {
  const earlier = project.earlier()
  const checks = earlier.reachedByProduct.has(path) ? new Set<string>() : earlier.checksThatReach(path)
  if (checks.size === 0) return placementOf(path, 'source')
  return placementOf(path, 'test-helper', `${path} is declared for tests only, by ${describeFiles(checks)}.`)
}

const data = /\.(?:json5?|jsonl|ndjson|ya?ml|toml|csv|tsv|txt|xml|ini|out|expected|golden|dat|bin|in)$/u
const expectation = /(?:^|[./_-])(?:expected|golden|reference|snapshot|approved|want)(?:[./_-]|$)/u
/** Makefiles and settings name what is built as well as what is compared. */
const isList = (path: string): boolean => ['make', 'settings'].includes(languageOf(path) ?? '')

function placeData(path: string, project: Project): Placement {
  if (!data.test(path)) return placementOf(path, 'source')
  const { named } = project.runs()
  const isGone = !project.request.delivered.has(path)
  const isInLine = named.has(path) || matchesAny(path, patternsOf(named))
  if (isInLine && isGone)
    return placementOf(path, 'matched-by-check', `${path} is gone, and a check line names it.`)
  const earlier = project.earlier()
  const checks = earlier.checksThatReach(path)
  if (isGone && checks.size > 0 && !earlier.isNamedByProduct(path))
    return placementOf(path, 'matched-by-check', `${path} is gone, and ${describeFiles(checks)} reads it.`)
  if (expectation.test(path) && (isInLine || checks.size > 0)) return placementOf(path, 'test-data')
  if (earlier.isNamedByProduct(path)) return placementOf(path, 'source')
  const readers = [...checks].filter((file) => !isList(file))
  if (readers.length === 0 || !earlier.isBesideProduct(path)) return placementOf(path, 'source')
  const because = `${path} is read by ${describeFiles(readers)}, and by nothing of the product.`
  return placementOf(path, 'test-data', because)
}

export interface EarlierFiles {
  /** What the product reaches by import and by whole paths, from its own files on. */
  readonly reachedByProduct: ReadonlySet<string>
  /** What a file of the product names in whatever way. */
  isNamedByProduct(path: string): boolean
  /** The files of the check side that reach a file, directly or through others of the check side. */
  checksThatReach(path: string): ReadonlySet<string>
  /** Whether one of these reaches a source of the product beside that file, which is then not what they ask about. */
  isBesideProduct(path: string): boolean
  /** All files that ask: tests, their helpers, scripts of checks. */
  readonly checkFiles: readonly string[]
  /** Folders of packages that only tests import. */
  packagesOfTests(): ReadonlySet<string>
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

export function earlierFiles(index: PathIndex, runs: CheckRuns): EarlierFiles {
  const all = [...index.tree.paths()]
  const sources = all.filter((path) => isSourceByName(path, runs) && !nodeOf(path, index).asserts)
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
    checkFiles,
    packagesOfTests: once(() => packagesOfTests(index, { checkFiles, sources: vouching })),
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
