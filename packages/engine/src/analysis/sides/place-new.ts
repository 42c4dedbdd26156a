import { isOwnProgram, nameSays, type NameSays } from './by-name.ts'
import { isCode, isKnownPythonModule, languageOf } from './languages.ts'
import { indexOf, namesIn, pythonBases, pythonFiles } from './names.ts'
import { folderOf, isWithin, modulePathOf, nameOf } from './paths.ts'
import { isGivenToRunner, placeEarlier } from './place-earlier.ts'
import { describeFiles, type Placement, placementOf } from './placement.ts'
import type { Project } from './project.ts'

export function placeNew(path: string, says: NameSays, project: Project): Placement {
  const taken = findTakenName(path, project)
  if (taken?.kind === 'moved') {
    const former = placeEarlier(taken.from, nameSays(taken.from), project)
    if (former.side === 'check')
      return placementOf(path, former.reason, `${path} takes the place of ${taken.from}, which is gone.`)
  }
  if (taken?.kind === 'taken') return placementOf(path, 'takes-a-name', taken.because)
  if (usualCommand.test(nameOf(path)))
    return placementOf(path, 'takes-a-name', `${path} takes the name of a command that checks may look for.`)
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
  if (finders.length === 0) return placementOf(path, 'source')
  const because = `${path} lies where ${describeFiles(finders)} looks for files.`
  return placementOf(path, 'matched-by-check', because)
}

/** In the same folder with the same first or last word: whatever finds one may find the other. */
function isNamedLike(path: string, test: string): boolean {
  if (folderOf(path) !== folderOf(test)) return false
  const [one, other] = [nameOf(path).split(/[._-]/u), nameOf(test).split(/[._-]/u)]
  if (one.length < 3 || one.at(-1) !== other.at(-1)) return false
  return one[0] === other[0] || (one.at(-2) === other.at(-2) && other.length > 2)
}

const benchmark = /\.bench\.[cm]?[jt]sx?$/u

/** Command names that shadow system programs if a check puts their folder first. */
const usualCommand =
  /^(?:\[|(?:ba|da|z|k)?sh|env|test|expr|diff|cmp|[ef]?grep|sed|[gmn]?awk|cat|ls|find|xargs|sort|uniq|head|tail|tr|cut|wc|printf|echo|true|false|seq|sleep|timeout|dirname|basename|date|g?make|cmake|ctest|node|npm|npx|pnpm|yarn|bun|deno|tsc|tsx|vitest|jest|mocha|eslint|(?:python|pip)[\d.]*|pytest|uv|tox|nox|go|gofmt|cargo|rustc|gcc|cc|clang|java|javac|mvn|gradle|ruby|rake|rspec|bundle|php|composer|phpunit|perl|prove|bats|git|jq|curl|docker)$/u

/** Only a changed file can newly import a new one. */
function isImportedByNewSource(path: string, { request, changed }: Project): boolean {
  const index = indexOf(request.delivered)
  const reached = new Set(
    [...changed].filter((file) => file !== path && isSource(file) && request.delivered.has(file)),
  )
  for (const file of reached)
    for (const target of namesIn(file, index).imports) if (changed.has(target)) reached.add(target)
  return reached.has(path)
}

function isSource(path: string): boolean {
  return isCode(path) && nameSays(path).kind === 'plain'
}

/** Returns checks that scan the folder, if it has no product sources. */
function whoFinds(path: string, project: Project): readonly string[] {
  const { folders, tree } = project.index()
  const folder = folderOf(path)
  if (folder === '' || !folders.has(folder)) return []
  for (const file of tree.paths()) if (isWithin(file, folder) && isSource(file)) return []
  const earlier = project.earlier()
  return earlier.isNamedByProduct(path) ? [] : earlier.checksNaming(path)
}

type TakenName =
  /** `moved`: the file of that name is gone. */
  { readonly kind: 'moved'; readonly from: string } | { readonly kind: 'taken'; readonly because: string }

/** Whether a check may load the new file instead. @returns undefined if no check imports it */
export function findTakenName(path: string, project: Project): TakenName | undefined {
  if (kindOf(path) === undefined) return undefined
  const module = nameOf(path) === 'package.json' ? folderOf(path) : modulePathOf(path)
  const twins = (project.index().byModule.get(nameOf(module)) ?? []).filter(
    (other) => other !== path && modulePathOf(other) === module && kindOf(other) === kindOf(path),
  )
  for (const file of twins) {
    const [by] = project.earlier().checksNaming(file)
    if (by === undefined) continue
    if (!project.request.delivered.has(file)) return { kind: 'moved', from: file }
    return { kind: 'taken', because: `${path} takes the name of ${file}, which ${by} names.` }
  }
  const by = kindOf(path) === 'python' ? findImporterOfInstalled(path, project) : undefined
  if (by === undefined) return undefined
  return { kind: 'taken', because: `${path} takes the name of an installed module that ${by} imports.` }
}

function kindOf(path: string): 'python' | 'javascript' | undefined {
  if (/\.(?:py|so|pyd|pyc)$/u.test(path)) return 'python'
  return /\.(?:[cm]?[jt]sx?|json|node|vue|svelte)$/u.test(path) ? 'javascript' : undefined
}

/** Finds a check that imports an outside Python module and would load this file instead. */
function findImporterOfInstalled(path: string, project: Project): string | undefined {
  if (!modulePathOf(path).split('/').some(isKnownPythonModule)) return undefined
  const { tree } = project.index()
  const filesOf = (module: string, by: string) => pythonBases(module, by).flatMap(pythonFiles)
  return project.earlier().checkFiles.find(
    (by) =>
      languageOf(by) === 'python' &&
      [...namesIn(by, project.index()).modules].some((module) => {
        const [top = ''] = module.split('.')
        if (!isKnownPythonModule(top) || !filesOf(module, by).includes(path)) return false
        return ![...filesOf(module, by), ...filesOf(top, by)].some((file) => tree.has(file))
      }),
  )
}
