import { matchesAny } from '../protect/index.ts'
import { nameSays, testFolder } from './by-name.ts'
import { checkRunsOf } from './check-runs.ts'
import { isAssertionLibrary } from './languages.ts'
import { folderOf, isWithin, join, jsonFields, nameOf } from './paths.ts'
import { placeEarlier } from './place-earlier.ts'
import { findTakenName, placeNew } from './place-new.ts'
import {
  type Placement,
  placementOf,
  type ReadableTree,
  type SideReason,
  type SidesRequest,
} from './placement.ts'
import { type Project, projectOf } from './project.ts'
import { canSuppress, independentText, isSplitByName } from './split/independent-text.ts'
import { holdsOwnChecks } from './split/own-checks.ts'
import { judgeTrial, shadowTrial } from './trial/trials.ts'

/** Returns each changed file's side. The baseline decides: no change can make a check file product. */
export function placeChanges(request: SidesRequest): ReadonlyMap<string, Placement> {
  const project = projectOf(request)
  return new Map(request.changed.map((path) => [path, withTrial(placeOne(path, project), project)]))
}

const mayAsk: readonly SideReason[] = ['source', 'used-by-product', 'own-program']

function withTrial(placement: Placement, project: Project): Placement {
  const { path, reason } = placement
  if (!mayAsk.includes(reason)) return placement
  const isNew = !project.request.baseline.has(path)
  const trial = isNew ? shadowTrial(path, project) : judgeTrial(path, project)
  return trial === undefined ? placement : { ...placement, trial }
}

function placeOne(path: string, project: Project): Placement {
  const { protect, baseline } = project.request
  if (matchesAny(path, protect))
    return placementOf(path, 'named-by-user', `${path} fits a glob that the user protects.`)
  const installed = placeInstalled(path, project)
  if (installed !== undefined) return installed
  const manifest = placeManifest(path, project)
  if (manifest !== undefined) return manifest
  if (isOfNewPackage(path, project)) return placementOf(path, 'product-part')
  if (isSplitByName(path)) return placeSplit(path, project)
  const says = nameSays(path)
  // An interpreter runs any file it gets, whatever its name.
  const isStarted =
    says.kind === 'settled' && says.reason === 'documentation' && project.runs().started.has(path)
  if (isStarted) return placementOf(path, 'check-script')
  if (says.kind === 'settled') return placementOf(path, says.reason)
  const placement = baseline.has(path) ? placeEarlier(path, says, project) : placeNew(path, says, project)
  return placement.side === 'product' && canSuppress(path) ? placeSource(path, placement, project) : placement
}

/** Whether this is a new folder's manifest: no earlier check can be below it. */
function isOfNewPackage(path: string, { request: { baseline } }: Project): boolean {
  const folder = folderOf(path)
  if (!isSplitByName(path) || folder === '' || testFolder.test(path)) return false
  for (const earlier of baseline.paths()) if (isWithin(earlier, folder)) return false
  return true
}

/** Keys that decide which file an import of the folder means, and how it is loaded. */
const leadingKeys = new Set(['main', 'module', 'exports', 'browser', 'type', 'imports'])

/** @returns undefined unless it redirects an import of the tests */
function placeManifest(path: string, project: Project): Placement | undefined {
  if (nameOf(path) !== 'package.json' || path === 'package.json') return undefined
  const { baseline, delivered } = project.request
  const taken = baseline.has(path) ? undefined : findTakenName(path, project)
  if (taken?.kind === 'taken') return placementOf(path, 'takes-a-name', taken.because)
  const leads = (text: string | null) =>
    JSON.stringify(jsonFields(text).filter(([key]) => leadingKeys.has(key)))
  if (!testFolder.test(path) || leads(baseline.text(path)) === leads(delivered.text(path))) return undefined
  const because = `${path} says which file an import of its folder means, in a folder of tests.`
  return placementOf(path, 'configuration', because)
}

const ofNode = /(?:^|\/)node_modules\/(.+)$/u
const ofVendor = /^(|.*\/)vendor\/(.+)$/u

/** Places an installed dependency: assertion libraries are check files, others follow the lock file. */
function placeInstalled(path: string, project: Project): Placement | undefined {
  const [, folder = '', vendored] = ofVendor.exec(path) ?? []
  const isVendored =
    vendored !== undefined &&
    ['go.mod', 'composer.json'].some((name) => isIn(join(folder.slice(0, -1), name), project))
  const name = ofNode.exec(path)?.[1] ?? (isVendored ? vendored : undefined)
  if (name === undefined) return undefined
  const isAsking = isAssertionLibrary(name, isVendored ? 'go' : 'javascript')
  return placementOf(path, !isAsking && isLockChanged(project) ? 'dependencies' : 'installed-dependency')
}

function isIn(path: string, { request }: Project): boolean {
  return request.baseline.has(path) || request.delivered.has(path)
}

function isLockChanged({ changed }: Project): boolean {
  return [...changed].some((path) => {
    const says = nameSays(path)
    return says.kind === 'settled' && says.reason === 'dependencies'
  })
}

function placeSplit(path: string, { request: { baseline, delivered } }: Project): Placement {
  const before = baseline.text(path)
  // A deleted source is wholly product if no tests were deleted with it.
  const after = delivered.text(path) ?? (isSplitByName(path) || delivered.has(path) ? null : '')
  const text = independentText(path, before, after)
  if (text === undefined || (after === '' && text.trim() !== '')) return placementOf(path, 'cannot-be-split')
  if (text === after) return placementOf(path, path.endsWith('.rs') ? 'source' : 'product-part')
  return placementOf(path, text === before ? 'check-part' : 'both-parts')
}

/** Rust sources may contain tests, any source checker comments. Compares moved files with the old path. */
function placeSource(path: string, placement: Placement, project: Project): Placement {
  const { baseline, delivered } = project.request
  const from = baseline.has(path) ? undefined : project.moves().get(path)
  const before = baseline.text(from ?? path)
  if (path.endsWith('.rs') && from === undefined)
    return isMovedAway(path, project) ? placement : placeSplit(path, project)
  const after = delivered.text(path)
  const text = independentText(path, before, after)
  const isSplit = path.endsWith('.rs') || holdsOwnChecks(path, before ?? '')
  const found =
    text === (after ?? undefined)
      ? placement
      : placementOf(path, isSplit ? 'both-parts' : 'silences-a-checker')
  return from === undefined ? found : { ...found, movedFrom: from }
}

function isMovedAway(path: string, { request, moves }: Project): boolean {
  return !request.delivered.has(path) && [...moves().values()].includes(path)
}

/** Placeholder for a test script, as `npm init` writes it. */
const placeholder = /^\s*(?:echo\b[^;&|]*(?:&&|;)?)?\s*(?:exit\s+\d+|true|false|:)?\s*$/u

/** Whether a check's first tests are new: the baseline has no test or script that it starts. */
export function areTestsNew(checkLine: string, baseline: ReadableTree, delivered: ReadableTree): boolean {
  const before = checkRunsOf([checkLine], baseline)
  const isEarlier = ([path, from]: readonly [string, string]) =>
    baseline.has(path) || (from === checkLine && delivered.has(path) && !isTest(path))
  if ([...before.started].some(isEarlier)) return false
  if ([...baseline.paths()].some((path) => isTest(path) && baseline.text(path)?.trim() !== '')) return false
  const now = new Set(checkRunsOf([checkLine], delivered).lines.map(({ text }) => text))
  return before.lines.every(({ text }) => placeholder.test(text) || now.has(text))
}

const ofTests: readonly SideReason[] = ['test', 'test-helper', 'test-data', 'snapshot']

function isTest(path: string): boolean {
  const says = nameSays(path)
  if (says.kind === 'plain') return false
  return ofTests.includes(says.reason) || /(?:^|\/)tests?\.(?:py|[cm]?[jt]s)$/u.test(path)
}
