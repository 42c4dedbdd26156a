/** Files that the agent added. Earlier checks cannot miss them, unless they take the place of something or are found unasked. */
import { candidateOrders, relativeBase } from './javascript-modules.ts'
import { nodeOf, pythonBases, pythonFiles } from './nodes.ts'
import { folderOf, indexOf, isWithin, modulePathOf, nameOf } from './path-index.ts'
import { isGivenToRunner, placeEarlier } from './place-earlier.ts'
import { isOwnProgram, nameSays, type NameSays } from './place/by-name.ts'
import { type Project } from './project.ts'
import { describeFiles, type Placement, placementOf } from './placement.ts'
import { isKnownPythonModule, type Language, languageOf } from './references.ts'

export function placeNew(path: string, says: NameSays, project: Project): Placement {
  const taken = findTakenName(path, project)
  if (taken?.kind === 'moved') {
    const former = placeEarlier(taken.from, nameSays(taken.from), project)
    if (former.side === 'check')
      return placementOf(path, former.reason, `${path} takes the place of ${taken.from}, which is gone.`)
  }
  if (taken?.kind === 'taken') return placementOf(path, 'takes-a-name', taken.because)
  const searcher = project.runs().searched.get(folderOf(path))
  if (searcher !== undefined && isCommand(path)) {
    const because = `${path} may take the name of a command that \`${searcher}\` looks for.`
    return placementOf(path, 'takes-a-name', because)
  }
  const reader = project.sourced().get(path)
  if (reader !== undefined) return placementOf(path, 'check-script', `${path} is read in by ${reader}.`)
  if (isImportedByNewSource(path, project))
    return placementOf(path, says.kind === 'plain' ? 'source' : 'used-by-product')
  if (says.kind !== 'plain') return placementOf(path, says.reason)
  if (benchmark.test(path)) return placementOf(path, 'test')
  const starter = project.runs().started.get(path)
  if (starter !== undefined && !isOwnProgram(path) && languageOf(path) !== 'python')
    return placementOf(path, 'check-script', `${path} is started by \`${starter}\`.`)
  if (isGivenToRunner(path, project)) return placementOf(path, 'test')
  if ([...project.tests].some((test) => isNamedLike(path, test))) return placementOf(path, 'reported-test')
  const finders = whoFinds(path, project)
  if (finders.size === 0) return placementOf(path, 'source')
  const because = `${path} lies where ${describeFiles(finders)} looks for files.`
  return placementOf(path, 'matched-by-check', because)
}

/** In the same folder, with the same first or last word in its name: what finds the one may find the other. */
function isNamedLike(path: string, test: string): boolean {
  if (folderOf(path) !== folderOf(test)) return false
  const [one, other] = [nameOf(path).split(/[._-]/u), nameOf(test).split(/[._-]/u)]
  if (one.length < 3 || one.at(-1) !== other.at(-1)) return false
  return one[0] === other[0] || (one.at(-2) === other.at(-2) && other.length > 2)
}

/** A runner finds it by its name. */
const benchmark = /\.bench\.[cm]?[jt]sx?$/u

/** Where programs of the product lie, a new one is most likely what the checks ask for. */
const programFolder = /(?:^|\/)(?:bin|build|dist|target|out|src|cmd|lib)(?:\/|$)/u
const usualCommand =
  /^(?:\[|(?:ba|da|z|k)?sh|env|test|expr|diff|cmp|[ef]?grep|sed|[gmn]?awk|cat|ls|find|xargs|sort|uniq|head|tail|tr|cut|wc|printf|echo|true|false|seq|sleep|timeout|dirname|basename|date|g?make|cmake|ctest|node|npm|npx|pnpm|yarn|bun|deno|tsc|tsx|vitest|jest|mocha|eslint|(?:python|pip)[\d.]*|pytest|uv|tox|nox|go|gofmt|cargo|rustc|gcc|cc|clang|java|javac|mvn|gradle|ruby|rake|rspec|bundle|php|composer|phpunit|perl|prove|bats|git|jq|curl|docker)$/u

/** Commands of the system have no ending. */
function isCommand(path: string): boolean {
  const name = nameOf(path)
  if (usualCommand.test(name)) return true
  return !name.slice(1).includes('.') && !programFolder.test(folderOf(path))
}

/** Only a file that changed can have begun to import a new one. */
function isImportedByNewSource(path: string, { request, changed }: Project): boolean {
  const index = indexOf(request.delivered)
  const reached = new Set(
    [...changed].filter((file) => file !== path && isSource(file) && request.delivered.has(file)),
  )
  for (const file of reached)
    for (const target of nodeOf(file, index).targets) if (changed.has(target)) reached.add(target)
  return reached.has(path)
}

function isSource(path: string): boolean {
  const language = languageOf(path)
  return language !== undefined && language !== 'settings' && nameSays(path).kind === 'plain'
}

/** A folder that a check looks into, and in which no source of the product lies. */
function whoFinds(path: string, project: Project): ReadonlySet<string> {
  const { folders, tree } = project.index()
  const folder = folderOf(path)
  if (folder === '' || !folders.has(folder)) return new Set()
  for (const file of tree.paths()) if (isWithin(file, folder) && isSource(file)) return new Set()
  const earlier = project.earlier()
  return earlier.isNamedByProduct(path) ? new Set() : earlier.checksThatReach(path)
}

type TakenName =
  /** The file that had the name is gone: a move. */
  { readonly kind: 'moved'; readonly from: string } | { readonly kind: 'taken'; readonly because: string }

/** Undefined: no test meant another file by the name of this one. */
export function findTakenName(path: string, project: Project): TakenName | undefined {
  const twins = (project.index().byModule.get(nameOf(modulePathOf(path))) ?? []).filter(
    (twin) => twin !== path,
  )
  const isPython = /\.(?:py|so|pyd|pyc)$/u.test(path)
  if (twins.length === 0 && !(isPython && isExternalPath(path, project)) && nameOf(path) !== 'package.json')
    return undefined
  const meant = isPython ? meantInPython(path, project) : meantInJavaScript(path, project)
  if (meant === undefined) return undefined
  const { file, by } = meant
  if (file !== undefined && !project.request.delivered.has(file)) return { kind: 'moved', from: file }
  const whose = file === undefined ? `an installed module that ${by} imports` : `${file}, which ${by} imports`
  return { kind: 'taken', because: `${path} takes the name of ${whose}.` }
}

/** What a test means by a name for which the new file comes first. No file: something installed. */
interface Meant {
  readonly file: string | undefined
  readonly by: string
}

function meantInJavaScript(path: string, project: Project): Meant | undefined {
  const { tree } = project.index()
  for (const { written, by } of importsOfChecks('javascript', project)) {
    const base = relativeBase(written, by)
    for (const order of base === undefined ? [] : candidateOrders(base)) {
      const file = order.find((candidate) => tree.has(candidate))
      const at = order.indexOf(path)
      if (file !== undefined && at !== -1 && at < order.indexOf(file)) return { file, by }
    }
  }
  return undefined
}

function meantInPython(path: string, project: Project): Meant | undefined {
  const { tree } = project.index()
  const filesOf = (module: string, by: string) => pythonBases(module, by).flatMap(pythonFiles)
  for (const { written, by } of importsOfChecks('python', project)) {
    const order = filesOf(written, by)
    const at = order.indexOf(path)
    if (at === -1) continue
    const file = order.find((candidate) => tree.has(candidate))
    if (file !== undefined && at < order.indexOf(file)) return { file, by }
    const [top = ''] = written.split('.')
    const isOwn = filesOf(top, by).some((candidate) => tree.has(candidate))
    if (file === undefined && !isOwn && isExternal(top, project)) return { file, by }
  }
  return undefined
}

function* importsOfChecks(language: Language, project: Project) {
  for (const by of project.earlier().checkFiles.filter((file) => languageOf(file) === language))
    for (const { kind, written } of nodeOf(by, project.index()).references)
      if (kind === 'import') yield { written, by }
}

function isExternalPath(path: string, project: Project): boolean {
  return modulePathOf(path)
    .split('/')
    .some((part) => isExternal(part, project))
}

/** A module that nobody declares may be one that is still to be written. */
function isExternal(name: string, { request: { baseline } }: Project): boolean {
  if (isKnownPythonModule(name)) return true
  const declared = new RegExp(
    `(?:^|["'\\s])${name.replaceAll(/[^\w]/gu, '').replaceAll('_', '[-_.]')}(?=["'\\s=<>~!;,[@]|$)`,
    'imu',
  )
  return manifests.some((manifest) => declared.test(baseline.text(manifest) ?? ''))
}

const manifests =
  'requirements.txt requirements-dev.txt dev-requirements.txt pyproject.toml setup.cfg setup.py Pipfile'.split(
    ' ',
  )
