/** Places files that existed before the agent started. */
import { isOwnProgram, nameSays, namesACheck, type NameSays, testFolder } from './by-name.ts'
import { matchesAny } from '../protect/index.ts'
import { holdsTests, isCode, judgesByItself, languageOf } from './languages.ts'
import { namesIn, pythonBases, pythonFiles } from './names.ts'
import { folderOf, foldersAround, isWithin, join, nameOf, resolvePath, stringsIn } from './paths.ts'
import { describeFiles, type Placement, placementOf, type SideReason } from './placement.ts'
import { asserts, type Project } from './project.ts'
import { toolSettings } from './split/independent-text.ts'

export function placeEarlier(path: string, says: NameSays, project: Project): Placement {
  if (says.kind === 'settled') return placementOf(path, says.reason)
  if (says.kind === 'unless-product-reaches') return unlessReached(path, says.reason, project)
  if (project.tests.has(path)) return unlessReached(path, 'reported-test', project)
  const giver = project.runs().handed.get(path)
  if (giver !== undefined && !isCode(path) && !isProductCode(path))
    return placementOf(path, 'given-to-check', `${path} is handed to what \`${giver}\` starts.`)
  const starter = project.runs().started.get(path)
  if (starter !== undefined) return placeStarted(path, starter, project)
  if (isGivenToRunner(path, project)) return unlessReached(path, 'test', project)
  if (!isCode(path) || isOfValues(path, project))
    return placeRequired(path, project) ?? placeData(path, project)
  const isHelper = asserts(path, project.index()) || path.endsWith('.rs')
  return (
    (isHelper ? placeHelper(path, project) : undefined) ??
    placeTestPackage(path, project) ??
    findLoader(path, project) ??
    findLister(path, project) ??
    placementOf(path, 'source')
  )
}

/** Source in a language recognized by name only; what a runner loads first may be under test. */
function isProductCode(path: string): boolean {
  return /\.(?:php|rb|pl|lua)$/u.test(path) && isOwnProgram(path)
}

function unlessReached(path: string, reason: SideReason, project: Project): Placement {
  if (project.earlier().reachedByProduct.has(path)) return placementOf(path, 'used-by-product')
  return reason === 'test' && isCalledTest(path, project)
    ? placementOf(path, 'source')
    : placementOf(path, reason)
}

/** Whether a file imported by tests, without tests and outside test folders, is only named like a test. */
function isCalledTest(path: string, project: Project): boolean {
  if (testFolder.test(path) || holdsTests(project.request.baseline.text(path) ?? '')) return false
  return project
    .earlier()
    .checksNaming(path)
    .some((file) => !isList(file))
}

/** Makefiles and settings list built and compared files alike. */
const isList = (path: string): boolean => ['make', 'settings'].includes(languageOf(path) ?? '')

/** A file included by test helpers may be a product library, but not if it sets something for them. */
const definesFunction = /^[ \t]*(?:function[ \t]+[\w-]+|[\w-]+[ \t]*\([ \t]*\))/mu

/** A started file is a check unless it is a known product program or decides nothing alone. */
function placeStarted(path: string, starter: string, project: Project): Placement {
  const because = `${path} is started by \`${starter}\``
  const own = placementOf(path, 'own-program', `${because}, and is a program of the product.`)
  const says = nameSays(starter)
  const isLibrary =
    says.kind === 'unless-product-reaches' &&
    says.reason === 'test-helper' &&
    definesFunction.test(project.request.baseline.text(path) ?? '')
  if (isOwnProgram(path) || isLibrary) return own
  const { reachedByProduct, checksNaming } = project.earlier()
  if (!namesACheck(path)) {
    const text = project.request.baseline.text(path)
    const isScript = [undefined, 'shell'].includes(languageOf(path))
    if (!isScript && text !== null && !judgesByItself(text)) return own
    const { started } = project.runs()
    if (checksNaming(path).some((file) => !started.has(file) && !isList(file))) return own
  }
  return reachedByProduct.has(path) ? own : placementOf(path, 'check-script', `${because}.`)
}

/** Whether a test runner gets the file, or a folder without product sources by name. */
export function isGivenToRunner(path: string, project: Project): boolean {
  const { tests } = project.runs()
  if (tests.size === 0) return false
  const patterns = [...tests].filter((word) => word.includes('*'))
  const folders = foldersAround(folderOf(path)).filter(
    (folder) => folder !== '' && !/(?:^|\/)(?:src|lib|app|packages)$/u.test(folder),
  )
  return tests.has(path) || matchesAny(path, patterns) || folders.some((folder) => tests.has(folder))
}

/** @returns undefined if the product reaches it, or it is under test itself */
function placeHelper(path: string, project: Project): Placement | undefined {
  const { reachedByProduct, checksNaming, isBesideProduct } = project.earlier()
  const checks = checksNaming(path)
  if (reachedByProduct.has(path))
    return path.endsWith('.rs') ? undefined : placementOf(path, 'used-by-product')
  if (path.endsWith('.rs'))
    return checks.length === 0
      ? undefined
      : placementOf(path, 'test-helper', `${path} is declared for tests only, by ${describeFiles(checks)}.`)
  // A file only asked about is product, whatever it imports; a file that nothing reaches helps nothing.
  const isHelper =
    checks.length > 0 ? isBesideProduct(path) : holdsTests(project.request.baseline.text(path) ?? '')
  if (!isHelper) return undefined
  return placementOf(path, 'test-helper', `${path} asserts, and only ${describeFiles(checks)} names it.`)
}

/** Go: a package without tests that only tests of other packages import. Rust: a crate that is a dependency of tests alone. */
function placeTestPackage(path: string, project: Project): Placement | undefined {
  const users = path.endsWith('.rs') ? manifestsForTests(path, project) : testsImporting(path, project)
  return users.length === 0
    ? undefined
    : placementOf(path, 'test-helper', `${path} is in a package that only ${describeFiles(users)} uses.`)
}

function testsImporting(path: string, project: Project): readonly string[] {
  if (!path.endsWith('.go')) return []
  const [index, folder] = [project.index(), folderOf(path)]
  const { sources, checksNaming, isBesideProduct } = project.earlier()
  const hasTests = (index.byFolder.get(folder) ?? []).some((file) => file.endsWith('_test.go'))
  const isOfProduct = [...sources].some(
    (file) => folderOf(file) !== folder && namesIn(file, index).imports.has(path),
  )
  return hasTests || isOfProduct || !isBesideProduct(path) ? [] : checksNaming(path)
}

function manifestsForTests(path: string, project: Project): readonly string[] {
  const { byName, tree } = project.index()
  const manifests = byName.get('Cargo.toml') ?? []
  const crate = foldersAround(folderOf(path)).find((folder) => tree.has(join(folder, 'Cargo.toml')))
  if (crate === undefined || [...tree.paths()].some((file) => isWithin(file, join(crate, 'tests')))) return []
  const uses = manifests.flatMap((manifest) =>
    (tree.text(manifest) ?? '')
      .split(/^(?=\[)/mu)
      .filter((table) =>
        [...table.matchAll(/\bpath\s*=\s*"([^"\n]+)"/gu)].some(
          ([, way = '']) => resolvePath(folderOf(manifest), way) === crate,
        ),
      )
      .map((table) => ({ manifest, isForTests: /^\[[^\]\n]*dev-dependencies/u.test(table) })),
  )
  return uses.every(({ isForTests }) => isForTests) ? uses.map(({ manifest }) => manifest) : []
}

/** @returns undefined if no runner or linter configuration lists it, or it may be built */
function findLoader(path: string, project: Project): Placement | undefined {
  if (isOwnProgram(path)) return undefined
  const index = project.index()
  const { checksNaming, sources } = project.earlier()
  const namers = checksNaming(path)
  const configures = (file: string): boolean => {
    const says = nameSays(file)
    return says.kind !== 'plain' && ['configuration', 'loaded-unasked'].includes(says.reason)
  }
  const manifest = foldersAround(folderOf(path))
    .map((folder) => join(folder, 'package.json'))
    .find((file) => index.tree.has(file))
  const settings = toolSettings(project.request.baseline.text(manifest ?? '')).flatMap(stringsIn)
  const isInManifest = settings.some(
    (text) => resolvePath(folderOf(manifest ?? ''), text.replace(/^<rootDir>\//u, '')) === path,
  )
  const loader = isInManifest
    ? manifest
    : (findPluginSettings(path, project) ??
      namers.find((file) => configures(file) && languageOf(file) !== 'make'))
  if (loader === undefined || namers.some((file) => !configures(file) && !isList(file))) return undefined
  for (const source of sources)
    if (source !== path && namesIn(source, index).files.has(path)) return undefined
  return placementOf(path, 'configuration', `${path} is loaded by ${loader}.`)
}

/** @returns settings that make pytest load the file as a plugin, with its option `-p` */
function findPluginSettings(path: string, project: Project): string | undefined {
  const { byName, tree } = project.index()
  const settings = ['pytest.ini', 'pyproject.toml', 'setup.cfg', 'tox.ini'].flatMap(
    (name) => byName.get(name) ?? [],
  )
  return settings.find((file) =>
    [...(tree.text(file) ?? '').matchAll(/(?<=[\s"'])-p[ \t=]*([\w.]+)/gu)].some(([, module = '']) =>
      pythonBases(module, file).some((base) => pythonFiles(base).includes(path)),
    ),
  )
}

/** @returns undefined unless a check script searches its folder for files */
function findLister(path: string, project: Project): Placement | undefined {
  const folder = folderOf(path)
  if (isOwnProgram(path) || folder === '' || !judgesByItself(project.request.baseline.text(path) ?? ''))
    return undefined
  const lister = [...project.runs().started.keys()].find((script) =>
    namesIn(script, project.index()).folders.has(folder),
  )
  if (lister === undefined) return undefined
  return placementOf(path, 'matched-by-check', `${path} lies where ${lister} looks for files.`)
}

const complaints = /\b(?:raise|throw|fail\w*|assert\w*|abort|exit|trigger_error|Assert|Matchers?)\b/u

/** Ruby and PHP: a file outside of the product's folders that complains, which tests load beside the product. */
function placeRequired(path: string, project: Project): Placement | undefined {
  const { byName, tree } = project.index()
  const extension = /\.(?:rb|php)$/u.exec(path)?.[0]
  if (extension === undefined || isOwnProgram(path) || !complaints.test(tree.text(path) ?? ''))
    return undefined
  const mentions = (file: string, other: string): boolean => {
    const stem = nameOf(other)
      .slice(0, -extension.length)
      .replaceAll(/\W/gu, String.raw`\$&`)
    return new RegExp(String.raw`(?<![\w-])${stem}(?![\w-])`, 'u').test(tree.text(file) ?? '')
  }
  const same = [...tree.paths()].filter((file) => file.endsWith(extension) && file !== path)
  const product = same.filter((file) => nameSays(file).kind === 'plain' && isOwnProgram(file))
  if (product.some((file) => mentions(file, path))) return undefined
  const settings = byName.get('.rspec')?.find((file) => mentions(file, path))
  if (settings !== undefined) return placementOf(path, 'configuration', `${path} is loaded by ${settings}.`)
  const tests = same.filter((file) => nameSays(file).kind !== 'plain' && mentions(file, path))
  return tests.some((test) => product.some((file) => mentions(test, file)))
    ? placementOf(path, 'test-helper', `${path} complains, and only ${describeFiles(tests)} names it.`)
    : undefined
}

/** A source with values only: tests cannot test it. */
function isOfValues(path: string, project: Project): boolean {
  if (!['javascript', 'python'].includes(languageOf(path) ?? '') || nameOf(path) === '__init__.py')
    return false
  const text = project.request.baseline.text(path) ?? ''
  const does = /\b(?:function|class|def|lambda|type|interface|import|require|from)\b|=>|\w\(/u
  return text.length < 262_144 && !does.test(text) && /=|\bexport\s+default\b/u.test(text)
}

const data = /\.(?:json5?|jsonl|ndjson|ya?ml|toml|csv|tsv|txt|xml|ini|out|expected|golden|dat|bin|in)$/u
const expectation = /(?:^|[./_-])(?:expected|golden|reference|snapshot|approved|want)(?:[./_-]|$)/u

function placeData(path: string, project: Project): Placement {
  if (!data.test(path) && !isCode(path)) return placementOf(path, 'source')
  const { named } = project.runs()
  const isGone = !project.request.delivered.has(path)
  const isInLine =
    named.has(path) ||
    matchesAny(
      path,
      [...named].filter((word) => word.includes('*')),
    )
  if (isInLine && isGone)
    return placementOf(path, 'matched-by-check', `${path} is gone, and a check line names it.`)
  const earlier = project.earlier()
  const checks = earlier.checksNaming(path)
  if (isGone && checks.length > 0 && !earlier.isNamedByProduct(path))
    return placementOf(path, 'matched-by-check', `${path} is gone, and ${describeFiles(checks)} reads it.`)
  if (expectation.test(path) && (isInLine || checks.length > 0)) return placementOf(path, 'test-data')
  const readers = checks.filter((file) => !isList(file))
  if (earlier.isNamedByProduct(path)) {
    // Values that both import are more often product settings than expectations.
    if (isCode(path)) return placementOf(path, 'source')
    const named = readers.filter((file) => namesIn(file, project.index()).files.has(path))
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
