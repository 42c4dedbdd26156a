/** Files that the agent added. Earlier checks cannot miss them, unless they take the place of something or are found unasked. */
import { isOwnProgram, nameSays, type NameSays } from './by-name.ts'
import { isGivenToRunner, placeEarlier } from './place-earlier.ts'
import type { Project } from '../project.ts'
import { describeFiles, placementOf, type Placement } from '../reasons.ts'
import { languageOf } from '../references/references-of.ts'
import { findTakenName } from './taken-names.ts'
import { nodeOf } from '../tree/nodes.ts'
import { indexOf } from '../tree/path-index.ts'
import { folderOf, isWithin, nameOf } from '../tree/paths.ts'

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
  const finders = whoFinds(path, project)
  if (finders.size === 0) return placementOf(path, 'source')
  const because = `${path} lies where ${describeFiles(finders)} looks for files.`
  return placementOf(path, 'matched-by-check', because)
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
