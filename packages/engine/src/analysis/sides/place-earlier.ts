/** Files that were there before the agent came. */
import { matchesAny } from '../protect/index.ts'
import { nodeOf } from './nodes.ts'
import { stringsIn } from './javascript-modules.ts'
import { folderOf, foldersAround, join, resolvePath } from './path-index.ts'
import { toolSettings } from './split/independent-text.ts'
import { isOwnProgram, namesACheck, type NameSays, testFolder } from './place/by-name.ts'
import { type Project } from './project.ts'
import { describeFiles, type Placement, placementOf, type SideReason } from './placement.ts'
import { holdsTests, judgesByItself, languageOf } from './references.ts'

export function placeEarlier(path: string, says: NameSays, project: Project): Placement {
  if (says.kind === 'settled') return placementOf(path, says.reason)
  if (says.kind === 'unless-product-reaches') return unlessReached(path, says.reason, project)
  if (project.tests.has(path)) return unlessReached(path, 'reported-test', project)
  const giver = project.runs().handed.get(path)
  if (giver !== undefined && !isProgramText(path))
    return placementOf(path, 'given-to-check', `${path} is handed to what \`${giver}\` starts.`)
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
      if (nodeOf(path, project.index()).asserts) return placeAsserting(path, project)
      return findLoader(path, project) ?? findLister(path, project) ?? placementOf(path, 'source')
  }
}

/** Undefined: no configuration of a runner or a linter names it, or it may be what is built. */
function findLoader(path: string, project: Project): Placement | undefined {
  if (isOwnProgram(path)) return undefined
  const index = project.index()
  const isNamedBy = (file: string) => nodeOf(file, index).targets.includes(path)
  const manifest = join(
    foldersAround(folderOf(path)).find((folder) => index.manifests.has(folder)) ?? '',
    'package.json',
  )
  const settings = toolSettings(project.request.baseline.text(manifest)).flatMap(stringsIn)
  const isInManifest = settings.some(
    (text) => resolvePath(folderOf(manifest), text.replace(/^<rootDir>\//u, '')) === path,
  )
  const configurations = project.configurations()
  const loader = isInManifest ? manifest : configurations.find(isNamedBy)
  if (loader === undefined) return undefined
  // What others import, or tests ask about, is more than that.
  const { sources, checksThatReach } = project.earlier()
  const isAsked = [...checksThatReach(path)].some((file) => !configurations.includes(file))
  if (isAsked || sources.some((file) => file !== path && isNamedBy(file))) return undefined
  return placementOf(path, 'configuration', `${path} is loaded by ${loader}.`)
}

/** Undefined: it does not judge by itself, or no script of a check looks for files in its folder. */
function findLister(path: string, project: Project): Placement | undefined {
  const folder = folderOf(path)
  if (isOwnProgram(path) || folder === '' || !judgesByItself(project.request.baseline.text(path) ?? ''))
    return undefined
  const lister = [...project.runs().started.keys()].find((script) =>
    nodeOf(script, project.index()).folders.includes(folder),
  )
  if (lister === undefined) return undefined
  return placementOf(path, 'matched-by-check', `${path} lies where ${lister} looks for files.`)
}

/** Code that is handed over is worked on; data decides how. */
function isProgramText(path: string): boolean {
  const language = languageOf(path)
  return language !== undefined && language !== 'settings'
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
  const readers = [...checks].filter((file) => !isList(file))
  if (earlier.isNamedByProduct(path)) {
    const named = readers.filter((file) => nodeOf(file, project.index()).targets.includes(path))
    if (named.length === 0) return placementOf(path, 'source')
    return placementOf(
      path,
      'read-by-both',
      `${path} is read by ${describeFiles(named)}, and by the product.`,
    )
  }
  if (readers.length === 0 || !earlier.isBesideProduct(path)) return placementOf(path, 'source')
  const because = `${path} is read by ${describeFiles(readers)}, and by nothing of the product.`
  return placementOf(path, 'test-data', because)
}
