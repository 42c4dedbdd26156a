import { changesIn, type CheckFolder, markTree } from '../tree/steady.ts'
import { protectionOf } from '../../../analysis/protect/index.ts'
import { type GuardRequest, type VerifierReport, undecidedReport } from '../../../ports/checks.ts'
import { isLoadedUnasked } from '../../../analysis/sides/index.ts'
import { bytePathOfText, textOf, type BytePath, parentOf } from '../tree/tree-entry.ts'
import type { Manifest } from '../snapshots.ts'
import { lookAtScripts, namedScripts, scriptFindings } from '../watch/check-scripts.ts'
import { compareMarks } from '../watch/marks.ts'
import { lookAtRunners, packagesPutBack, type Installed } from '../watch/runners.ts'
import { grantFor, readMemory, remember, contextOf } from './authority.ts'
import { openRulings, rulingsOn, refusalReport, failureReport } from './findings.ts'
import { type GuardParts, listPaths } from './options.ts'
import type { TamperFinding } from '../../../analysis/tamper/index.ts'
import { isAsked, endLeftOvers, leftOverProcesses, type LeftOver } from '../left-over.ts'
import { listTree } from '../tree/list-tree.ts'
import { readWholeTree, type TreeEntries } from '../tree/read-tree.ts'
import { gitFindings, lookAtGit, lookOutside, outsideFindings } from '../watch/outside.ts'
import { installedPackage, updatesIn } from '../watch/updates.ts'
import { foldUpdates, runnerFindings } from '../watch/runner-findings.ts'
import type { TreeChange } from './sided-changes.ts'

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
    if (!before.isBaseline) return await lookAgain(before, parts, signal)
    await learnWhatChecksWrite(before, parts, signal)
    return undefined
  } catch (error) {
    if (before.isBaseline) return undefined
    return failureReport(error, signal, 'what the checks left behind cannot be looked at: ')
  }
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

const noSides = { checkSide: [], unsure: [], product: [], placements: new Map() }

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

/** The tree, and what stands beside it. */
interface Observation {
  /** With ignored files that decide checks. */
  readonly tree: TreeEntries
  /** Which of them git ignores. */
  readonly ignored: ReadonlySet<BytePath>
  readonly watched: Manifest['watched']
  /** The tree, marked before it was read. */
  readonly inPlace: CheckFolder
}

/**
 * @param scripts names of scripts of the checks
 * @param known what an earlier look has read
 * @throws the system's error for what is there and cannot be listed
 */
export async function observe(
  parts: GuardParts,
  scripts: readonly string[],
  known: Installed,
  signal: AbortSignal,
): Promise<Observation> {
  const { workFolder, digests } = parts
  // What comes into the folder after it was listed is found by the look after the checks.
  const listing = await listTree(workFolder, signal)
  const mark = await markTree(workFolder, [], signal, listing)
  const { tree, ignored } = await readWholeTree(workFolder, scripts, digests, signal, listing)
  const beside = await lookBeside(parts, scripts, signal)
  const installed = await lookAtRunners(workFolder, foldersOf(tree), known, signal)
  return {
    tree,
    ignored,
    watched: { ...beside, ...installed },
    inPlace: { mark, known: tree, isCopy: false },
  }
}

/** What stands beside the tree, without installed packages, whose files are many. Throws as `observe` does. */
async function lookBeside(
  { workFolder, options }: GuardParts,
  scripts: readonly string[],
  signal: AbortSignal,
): Promise<Omit<Manifest['watched'], keyof Installed>> {
  return {
    git: await lookAtGit(workFolder, signal),
    outside: lookOutside(workFolder, options.home),
    scripts: lookAtScripts(workFolder, scripts),
  }
}

/** Every folder that a file of the tree is in, relative to the work folder. */
export function foldersOf(tree: TreeEntries): readonly string[] {
  return [...new Set(['', ...[...tree.keys()].map(parentOf)])].map(textOf)
}

/** What the drive did in the tree. */
interface Work {
  readonly changes: readonly TreeChange[]
  /** See `Installers`. */
  readonly hasMoved: (from: string, to: string) => boolean
}

const noWork: Work = { changes: [], hasMoved: () => false }

/**
 * What became of what stands beside the tree: installed packages, git, configuration and scripts elsewhere.
 * @param written what the checks themselves wrote before anybody else had worked
 */
export function besideOf(
  { entries, watched: before }: Manifest,
  { tree, watched }: Observation,
  { changes, hasMoved }: Work,
  written: readonly BytePath[],
  { workFolder, options, protect }: GuardParts,
): readonly TamperFinding[] {
  const inTree = new Set([...entries.map(({ path }) => path), ...tree.keys()])
  return [
    ...foldUpdates(
      runnerFindings(before.runners, watched.runners, {
        isUpdate: updatesIn(workFolder, changes, tree),
        isNoted: (path) => installedPackage(workFolder, path) !== undefined,
        hasMoved,
      }),
    ),
    ...gitFindings(before.git, watched.git),
    ...outsideFindings(before.outside, watched.outside),
    ...scriptFindings(before.scripts, watched.scripts, {
      named: namedScripts({ workFolder, home: options.home, commands: protect.checkCommands }),
      isInTree: (path) => inTree.has(path),
      isWrittenByChecks: (path) => written.includes(path),
    }),
  ]
}

interface ObservedProcesses {
  readonly findings: readonly TamperFinding[]
  readonly notes: readonly string[]
  /** One that may answer for a check: nothing can be decided while it runs. Undefined: there is none. */
  readonly problem: string | undefined
}

/** Ends what the drive has left running, but for what a check asks. */
export async function observeProcesses(
  { workFolder, options: { asked = [] } }: GuardParts,
  sinceMs: number,
): Promise<ObservedProcesses> {
  const find = () => leftOverProcesses(workFolder, sinceMs)?.filter((one) => !isAsked(one, asked, workFolder))
  const found = find()
  if (found === undefined)
    return {
      findings: [],
      notes: ['this system does not tell which processes run: none that was left behind is ended'],
      problem: undefined,
    }
  const areEnded = !found.some(({ isMarked }) => isMarked) || (await endLeftOvers(() => find() ?? []))
  const inTheWay = found.find((one) => one.isInTheWay || (one.isMarked && !areEnded))
  return {
    notes: [],
    problem: inTheWay === undefined ? undefined : problemOf(inTheWay),
    findings: found.map(({ id, command, isMarked, why }) => ({
      rule: 'process.left-over',
      path: `process ${id}`,
      message: `"${command}" was left running${isMarked ? ' and is ended' : ''}: ${why}`,
      atMost: 'note',
    })),
  }
}

function problemOf({ id, command, listensOn, why }: LeftOver): string {
  const where = listensOn.length === 0 ? '' : ` and listens on port ${listensOn.join(', ')}`
  return `"${command}" (process ${id}) still runs${where}; ${why}. What it answers to a check proves nothing. Stop it: kill ${id}`
}
