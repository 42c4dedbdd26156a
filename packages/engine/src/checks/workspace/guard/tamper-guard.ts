import { isAbsolute, relative } from 'node:path'
import { UsageError, realPath } from '../../../base/index.ts'
import type { VerifierDescription } from '@donecheck/core/internal/events/settings'
import { type ProtectOptions, protectionOf } from '../../../analysis/protect/index.ts'
import {
  type FaultTrial,
  type Guard,
  type GuardedTree,
  type GuardRequest,
  type VerifierResult,
} from '../../../ports/checks.ts'
import {
  ContentDigests,
  fileReader,
  storeTree,
  readWholeTree,
  type TreeEntries,
  textOf,
  type BytePath,
  treeOfRevision,
} from '../../../system/trees/index.ts'
import { openSnapshots, type Manifest } from '../snapshots.ts'
import { remember, emptyMemory, contextOf } from './authority.ts'
import { changesSince, readableTrees, splitBySide } from './sided-changes.ts'
import { asItIs, treeToCheck } from './tree-to-check.ts'
import {
  openRulings,
  rulingsOn,
  type Ruling,
  refusalReport,
  failureReport,
  reasonOf,
  waitingReport,
  passedReport,
} from './findings.ts'
import { settle } from './question.ts'
import { heldOutOverlay } from './independent-tree.ts'
import { checkScripts, lookAtScripts, scriptFindings } from './check-scripts.ts'
import type { TamperFinding } from '../../../analysis/tamper/index.ts'
import { assertWaivers, type TamperGuardOptions, withScripts, type GuardParts } from './options.ts'
import { tryToFail } from '../fault-trial.ts'
import { Calibrations } from '../clean-room/calibration.ts'
import { CleanRooms } from '../clean-room/clean-room.ts'

const description: VerifierDescription = {
  name: 'tamper guard',
  required: true,
  weight: 0,
  deterministic: true,
  reads: 'workspace',
  role: 'guard',
}

/**
 * Decides on which trees checks run: the delivered one and, if check files changed, the independent one. The
 * rest needs approval; unreadable is `error`.
 * @throws {UsageError} for a snapshot folder inside the work folder, or an invalid waiver
 */
export function tamperGuard(options: TamperGuardOptions): Guard {
  assertWaivers(options.waivers ?? [])
  const parts = partsOf(options)
  return {
    description,
    async prepare(request, signal) {
      try {
        signal.throwIfAborted()
        return await (request.trigger === 'baseline' && options.snapshotRunId === undefined
          ? rememberBaseline(request, parts, signal)
          : examine(request, parts, signal))
      } catch (error) {
        return asItIs(failureReport(error, signal), parts)
      }
    },
  }
}

/** For checks without a baseline. @param given called when the trial is needed */
export function faultTrial(given: () => TamperGuardOptions): FaultTrial {
  return {
    async tryToFail(line, ask, signal) {
      const parts = partsOf(given())
      const { tree } = await readWholeTree(parts.workFolder, [], parts.digests, signal)
      await parts.rooms.rememberStart(trialId, tree, signal)
      const room = parts.rooms.open(trialId)
      try {
        return await tryToFail({ parts, room, tree, mayInstall: false }, line, ask, signal)
      } finally {
        await room.close()
      }
    },
  }
}

const trialId = 'trial'

function partsOf(options: TamperGuardOptions): GuardParts {
  const workFolder = realPath(options.workFolder)
  const snapshotFolder = realPath(options.snapshotFolder)
  assertOutside(workFolder, 'snapshot folder', snapshotFolder)
  if (options.heldOutFiles !== undefined)
    assertOutside(workFolder, 'folder of held-out files', realPath(options.heldOutFiles))
  const { protect = [], mayChange = [], checkCommands = [] } = options
  const snapshots = openSnapshots(snapshotFolder)
  const digests = new ContentDigests(fileReader)
  const protectOptions: ProtectOptions = { protect, mayChange, checkCommands }
  const rooms = new CleanRooms(workFolder, snapshotFolder, snapshots)
  const calibrations = new Calibrations(snapshotFolder, () => options.clock.nowMs())
  return { options, workFolder, snapshots, digests, protect: protectOptions, rooms, calibrations }
}

function assertOutside(workFolder: string, what: string, folder: string): void {
  const way = relative(workFolder, folder)
  if (way.startsWith('..') || isAbsolute(way)) return
  throw new UsageError(
    `the ${what} ${folder} is inside the work folder ${workFolder}, where the agent could read and edit it; name a place outside`,
  )
}

async function examine(request: GuardRequest, given: GuardParts, signal: AbortSignal): Promise<GuardedTree> {
  const { options, workFolder, snapshots } = given
  const { runId } = request
  const manifest = await snapshots.load(options.snapshotRunId ?? runId, signal)
  const parts = withScripts(given, manifest.watched.scripts)
  const { protect } = parts
  const scripts = Object.keys(manifest.watched.scripts)
  const { tree } = await readWholeTree(workFolder, scripts, parts.digests, signal)
  // A check in the work folder may overwrite what is delivered.
  await storeTree(snapshots.trees, workFolder, tree, signal)
  const { testFiles } = remember(snapshots, runId, {
    open: [],
    ...(request.testFiles === undefined ? {} : { testFiles: [...request.testFiles] }),
  })
  const changes = changesSince(manifest, tree, workFolder, snapshots.objects)
  const trees = readableTrees(manifest, tree, workFolder, snapshots.objects)
  const sides = splitBySide(changes, trees, protect, { testFiles })
  const found = { changes, sides, beside: findScriptChanges(manifest, tree, parts) }
  const rule = () => rulingsOn(found, contextOf(parts, runId))
  const stop = await stopOn(rule, request, parts, signal)
  if (stop.report !== undefined) return asItIs(stop.report, parts)
  const heldOut = heldOutFilesOf(request, options)
  const { rulings } = stop
  return treeToCheck({ request, rulings, sides, trees, tree, manifest, notes: [], heldOut }, parts)
}

interface Stop {
  readonly rulings: readonly Ruling[]
  /** Undefined if checks run. */
  readonly report?: VerifierResult
}

async function stopOn(
  rule: () => readonly Ruling[],
  request: GuardRequest,
  parts: GuardParts,
  signal: AbortSignal,
): Promise<Stop> {
  const rulings = rule()
  const refusals = openRulings(rulings, 'refuse')
  const open = openRulings(rulings, 'ask')
  if (refusals.length + open.length === 0) return { rulings }
  const changes = refusals.length > 0 ? [] : open
  const keys = [...refusals, ...open].map(({ key }) => key)
  const question = { changes, reason: reasonOf(open), failing: [] }
  const answer = await settle(question, keys, { parts, request, signal })
  if (answer.kind === 'allowed') return { rulings: rule() }
  if (answer.kind === 'waiting') return { rulings, report: waitingReport(answer.reason, rulings) }
  const response = refusals.length > 0 ? 'refuse' : 'ask'
  return { rulings, report: refusalReport(response, rulings, answer.kind !== 'refused') }
}

/** Only at the end: no other check may see them. */
function heldOutFilesOf({ trigger }: GuardRequest, { heldOutFiles }: TamperGuardOptions) {
  if (trigger !== 'held-out' || heldOutFiles === undefined) return undefined
  return heldOutOverlay(realPath(heldOutFiles))
}

/** Saves the current tree, or that of the revision. Everything outside the tree is read now. */
async function rememberBaseline(
  request: GuardRequest,
  given: GuardParts,
  signal: AbortSignal,
): Promise<GuardedTree> {
  const { runId } = request
  const { options, workFolder, snapshots } = given
  const { checkCommands: commands } = given.protect
  const scripts = checkScripts({ workFolder, home: options.home, commands })
  const parts = withScripts(given, scripts)
  const { protect } = parts
  const { tree } = await readWholeTree(workFolder, Object.keys(scripts), parts.digests, signal)
  const isProtected = (path: string) => protectionOf(path, protect) !== undefined
  const common = { runId, workFolder, takenAtMs: Date.now(), watched: { scripts } }
  remember(snapshots, runId, emptyMemory)
  await parts.rooms.rememberStart(runId, tree, signal)
  if (options.baseline !== undefined) {
    const revision = await treeOfRevision(workFolder, options.baseline, snapshots.trees, signal)
    const { commit, stored } = revision
    const manifest = await snapshots.save({ ...common, commit, tree: stored }, signal)
    return layRevision(revision, runId, notesOf(manifest, isProtected), parts, signal)
  }
  const stored = await storeTree(snapshots.trees, workFolder, tree, signal)
  const manifest = await snapshots.save({ ...common, commit: null, tree: stored }, signal)
  const notes = notesOf(manifest, isProtected)
  const trees = readableTrees(manifest, tree, workFolder, snapshots.objects)
  const sides = { checkSide: [], unsure: [], product: [], placements: new Map() }
  const reason = 'the baseline tree is remembered'
  return treeToCheck({ request, rulings: [], sides, trees, tree, manifest, notes, reason }, parts)
}

function notesOf({ entries, commit }: Manifest, isProtected: (path: string) => boolean): readonly string[] {
  const protectedFiles = entries.filter(({ path }) => isProtected(textOf(path))).length
  const source = commit === null ? 'as it was at the start' : `of commit ${commit}`
  return [`the tree ${source}: ${entries.length} files, ${protectedFiles} of them protected`]
}

async function layRevision(
  { commit, tree, notes: more }: Awaited<ReturnType<typeof treeOfRevision>>,
  runId: string,
  notes: readonly string[],
  { rooms }: GuardParts,
  signal: AbortSignal,
): Promise<GuardedTree> {
  const reason = `commit ${commit.slice(0, 12)} is remembered as the baseline tree`
  const room = rooms.open(runId)
  const laid = { tree, overlay: new Map<BytePath, null>(), mayInstall: false, commit }
  try {
    const folder = await room.run(laid, signal, (cleanRoom) => Promise.resolve(cleanRoom.folder))
    return {
      report: passedReport(reason, { rulings: [], notes: [...notes, ...more] }),
      folder,
      kind: 'clean-room',
      variant: `commit:${commit}`,
      dispose: () => room.close(),
    }
  } catch (error) {
    await room.close()
    throw error
  }
}

function findScriptChanges(
  { entries, watched: { scripts: before } }: Manifest,
  tree: TreeEntries,
  { workFolder }: GuardParts,
): readonly TamperFinding[] {
  const inTree = new Set([...entries.map(({ path }) => path), ...tree.keys()])
  return scriptFindings(before, lookAtScripts(workFolder, Object.keys(before)), (path) => inTree.has(path))
}
