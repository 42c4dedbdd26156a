import { changesIn, type CheckFolder } from '../steady.ts'
import { protectionOf } from '../../../analysis/protect/index.ts'
import { type GuardRequest, type VerifierReport, undecidedReport } from '../../../ports/checks.ts'
import { isLoadedUnasked } from '../../../analysis/sides/index.ts'
import { bytePathOfText, textOf, type BytePath } from '../tree/tree-entry.ts'
import type { Manifest } from '../snapshot/manifest.ts'
import { lookAtCaches } from '../watch/caches.ts'
import { lookAtScripts } from '../watch/check-scripts.ts'
import { compareMarks } from '../watch/marks.ts'
import { lookAtRunners, packagesPutBack } from '../watch/runners.ts'
import { grantFor } from './authority/authority.ts'
import { openRulings, rulingsOn } from './findings.ts'
import { besideOf, noWork, foldersOf, lookBeside, type Observation } from './trees/observation.ts'
import { readMemory, remember } from './memory.ts'
import { contextOf, type GuardParts } from './guard-parts.ts'
import { listPaths, refusalReport, failureReport } from './reports.ts'

/** What there was before the checks. */
export interface BeforeChecks {
  readonly request: GuardRequest
  /** Nobody but the checks has worked yet. */
  readonly isBaseline: boolean
  readonly manifest: Manifest
  readonly seen: Observation
  /** The work folder, and every copy that was laid for the checks. */
  readonly laid: readonly CheckFolder[]
  /** The checks ran in the work folder itself. */
  readonly isInPlace: boolean
}

/**
 * Looks again, after the checks: a tree that changed under them was not checked. Undefined: nothing was changed, or the
 * checks did it on the baseline tree as well. Never rejects.
 */
export async function recheck(
  before: BeforeChecks,
  parts: GuardParts,
  signal: AbortSignal,
): Promise<VerifierReport | undefined> {
  try {
    await trustCaches(before, parts, signal)
    if (!before.isBaseline) return await lookAgain(before, parts, signal)
    await learnWhatChecksWrite(before, parts, signal)
    return undefined
  } catch (error) {
    if (before.isBaseline) return undefined
    return failureReport(error, signal, 'what the checks left behind cannot be looked at: ')
  }
}

/**
 * What the checks themselves wrote in the work folder is theirs. Where they ran in a copy, or the drive had written to
 * caches before, nothing is known anew.
 */
async function trustCaches(
  { request, seen, isInPlace }: BeforeChecks,
  { workFolder, trustedCaches }: GuardParts,
  signal: AbortSignal,
): Promise<void> {
  if (!isInPlace) return
  trustedCaches.set(request.runId, await lookAtCaches(workFolder, foldersOf(seen.tree), signal))
}

/** What they write then is their own doing, later on too. */
async function learnWhatChecksWrite(
  { request, seen, laid }: BeforeChecks,
  { workFolder, snapshots }: GuardParts,
  signal: AbortSignal,
): Promise<void> {
  const scripts = lookAtScripts(workFolder, Object.keys(seen.watched.scripts))
  const trees = await Promise.all(laid.map((each) => changesIn(each, signal)))
  const paths = new Set([
    ...trees.flatMap(({ changed, restamped, appeared }) => [
      ...changed,
      ...restamped,
      ...appeared.filter(isReport),
    ]),
    ...compareMarks(seen.watched.scripts, scripts).map(({ name }) => bytePathOfText(name)),
  ])
  remember(snapshots, request.runId, { written: [...paths].sort() })
}

async function lookAgain(
  before: BeforeChecks,
  parts: GuardParts,
  signal: AbortSignal,
): Promise<VerifierReport | undefined> {
  const { runId } = before.request
  const written = new Set(readMemory(parts.snapshots, runId).written)
  const context = contextOf(parts, runId)
  const installed = await besideSince(before, parts, signal)
  const rulings = rulingsOn({ changes: [], sides: noSides, beside: installed.findings }, context)
  if (openRulings(rulings, 'ask').length > 0)
    return refusalReport('ask', rulings, true, ['found after the checks had run'])
  const trees = await Promise.all(before.laid.map((each) => changesIn(each, signal)))
  for (const { appeared } of trees) learn(appeared, parts, runId)
  const moved = trees.flatMap(({ changed, restamped, appeared }) => [
    ...changed,
    // Written and equal again is usual where something is built; what decides a check has no reason to be.
    ...restamped.filter((path) => protectionOf(textOf(path), parts.protect) !== undefined),
    ...appeared.filter((path) => isLoadedUnasked(textOf(path))),
  ])
  const unsteady = moved
    .filter((path) => !written.has(path))
    .map(textOf)
    // Package managers write locks as they please.
    .filter((path) => protectionOf(path, parts.protect) !== 'lock')
    .filter((path) => grantFor({ path, key: '' }, context) === undefined)
  const all = [...unsteady, ...installed.restamped]
  return all.length === 0
    ? undefined
    : undecidedReport(
        `${listPaths(all)} changed while the checks ran, so it is not known what they saw; leave the files alone while they run, and name with --may-change what a check itself writes`,
      )
}

/** Nothing that decides a later check. */
function isReport(path: BytePath): boolean {
  return !isLoadedUnasked(textOf(path))
}

/** What first appears while checks run is theirs, such as a report: they will write it again. */
function learn(appeared: readonly BytePath[], { snapshots }: GuardParts, runId: string): void {
  const reports = appeared.filter(isReport)
  if (reports.length === 0) return
  const { written } = readMemory(snapshots, runId)
  remember(snapshots, runId, { written: [...new Set([...written, ...reports])].sort() })
}

const noSides = { checkSide: [], product: [], placements: new Map() }

/** What is new beside the tree, and installed packages that were written to and are equal again. */
async function besideSince(
  { request, manifest, seen }: BeforeChecks,
  parts: GuardParts,
  signal: AbortSignal,
) {
  const installed = await lookAtRunners(parts.workFolder, foldersOf(seen.tree), seen.watched, signal)
  const watched = await lookBeside(parts, Object.keys(seen.watched.scripts), signal)
  const { written } = readMemory(parts.snapshots, request.runId)
  const known = besideOf(manifest, seen, noWork, written, parts)
  const later = besideOf(manifest, { ...seen, watched: { ...watched, ...installed } }, noWork, written, parts)
  const findings = later.filter(
    ({ rule, path }) => !known.some((one) => one.rule === rule && one.path === path),
  )
  return { findings, restamped: packagesPutBack(seen.watched, installed) }
}
