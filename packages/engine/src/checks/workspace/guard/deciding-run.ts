/**
 * The deciding run: builds a clean room from the working tree with the baseline's check files. A changed
 * check file needs both trees to pass; red here but green in the work folder goes to the agent, then to the
 * user.
 */
import type { DecidedReport, DecidingRun, GuardRequest, VerifierResult } from '../../../ports/checks.ts'
import { calibrationKey, describeDifference, type Calibration } from '../clean-room/calibration.ts'
import type { OpenRoom } from '../clean-room/clean-room.ts'
import { renameFolder } from '../clean-room/folders.ts'
import type { OverlayFile, TreeEntries, BytePath } from '../../../system/trees/index.ts'
import { rememberLaidFiles } from '../clean-room/rewritten-files.ts'
import {
  concludeConfirmation,
  explain,
  openChanges,
  runIn,
  runWithout,
  type Asked,
  type Confirmation,
} from './confirmation.ts'
import { tryToFail } from '../fault-trial.ts'
import { askAboutDoubt, doubtGreen, listCheckFiles, redInRoom, rememberRewrites } from './doubted-green.ts'
import { failureReport } from './findings.ts'
import { isFinal } from './question.ts'
import { canBePutBack, overlayOf, type Overlay } from './independent-tree.ts'
import type { GuardParts } from './options.ts'
import type { CheckSideChange } from './sided-changes.ts'

interface Deciding extends Omit<Confirmation, 'runOn' | 'place' | 'proven'> {
  readonly isBaseline: boolean
  /** The working tree. */
  readonly tree: TreeEntries
  readonly room: OpenRoom
  /** Held-out files, which override everything. */
  readonly heldOut: ReadonlyMap<BytePath, OverlayFile>
  /** Dependency lists changed, so new packages may exist. */
  readonly mayInstall: boolean
  /** Digests of lock files: different ones allow different packages. */
  readonly locks: readonly string[]
}

const claims: readonly GuardRequest['trigger'][] = ['claim', 'held-out', 'cap']

/** See the port. Serial if a person may be asked, so nobody is asked twice. */
export function decidingRun(deciding: Deciding): DecidingRun {
  const { request, parts, isBaseline } = deciding
  const { checkIn } = parts.options
  let queue: Promise<unknown> = Promise.resolve()
  return {
    isFirst:
      checkIn !== 'work-folder' && (isBaseline ? checkIn === 'clean-room' : claims.includes(request.trigger)),
    decide(inPlace, check, signal) {
      const work = async (): Promise<DecidedReport> => {
        try {
          const rewritten = new Set<string>()
          const own = { proven: new Set<CheckSideChange>(), check, signal }
          const asked = { ...confirmationOf(deciding, rewritten), ...own }
          if (!isBaseline)
            return await doubtGreen(await decide(inPlace, asked, deciding), rewritten, asked, deciding)
          const calibrated = await calibrate(inPlace, asked, deciding)
          rememberRewrites(rewritten, asked)
          return calibrated
        } catch (error) {
          const report = failureReport(error, signal, 'the deciding run is not possible: ')
          return { report, tree: 'clean-room' }
        }
      }
      const done = queue.then(work)
      queue = done
      return done
    },
    tryToFail: (line, ask, signal) => tryToFail(deciding, line, ask, signal),
  }
}

type Unconfirmed = Omit<Asked, 'delivered'>

/** @param rewritten collects check files that a run rewrites */
function confirmationOf(deciding: Deciding, rewritten: Set<string>): Omit<Confirmation, 'proven'> {
  const { parts, tree, room, heldOut, mayInstall } = deciding
  let checkFiles: readonly BytePath[] | undefined
  const runOn: Confirmation['runOn'] = (undone, overlay, place, check, mayBeGone, signal) => {
    const files = layered(undone, overlay, heldOut, parts)
    return room.run({ tree, overlay: files, mayInstall }, signal, async (cleanRoom) => {
      const there = mayBeGone === undefined ? {} : { mayBeGone }
      const { folder } = cleanRoom
      if (place !== 'clean-room' || !check.runsPrograms) return check.ask({ folder, ...there }, signal)
      checkFiles ??= listCheckFiles(deciding)
      const listRewritten = rememberLaidFiles({ folder, tree, overlay: files }, checkFiles)
      const report = await check.ask({ folder, ...there, cleanRoom }, signal)
      for (const path of await listRewritten(signal)) rewritten.add(path)
      return report
    })
  }
  return { ...deciding, runOn, place: 'clean-room' }
}

function layered(
  undone: readonly CheckSideChange[],
  overlay: Overlay,
  heldOut: Deciding['heldOut'],
  { snapshots }: GuardParts,
): Overlay {
  return new Map([...overlayOf(undone.filter(canBePutBack), snapshots.objects), ...overlay, ...heldOut])
}

/** Before the first turn, runs the check in both places unless the comparison is cached. */
async function calibrate(
  inPlace: VerifierResult | undefined,
  asked: Unconfirmed,
  deciding: Deciding,
): Promise<DecidedReport> {
  const { parts, check, signal } = asked
  if (inPlace === undefined) return { report: await runIn([], new Map(), asked), tree: 'clean-room' }
  const isTried = check.runsPrograms && parts.options.checkIn === undefined && inPlace.status !== 'pending'
  if (!isTried) return { report: inPlace, tree: 'work-folder' }
  const key = calibrationKey(parts.workFolder, check, deciding.locks)
  const known = parts.calibrations.recall(key)
  if (known.kind === 'different')
    return { report: withNote(inPlace, inPlaceNote(known)), tree: 'work-folder' }
  if (known.kind === 'same') return { report: inPlace, tree: 'work-folder' }
  const inRoom = await runIn([], new Map(), asked)
  signal.throwIfAborted()
  const difference = describeDifference(inPlace, inRoom)
  parts.calibrations.remember(key, difference)
  if (difference === null) return { report: inPlace, tree: 'work-folder' }
  return { report: withNote(inPlace, inPlaceNote({ kind: 'different', difference })), tree: 'work-folder' }
}

function inPlaceNote(calibration: Calibration): string {
  if (calibration.kind === 'different')
    return `this check says something else in a clean room, so it decides in the work folder: ${calibration.difference}`
  return 'this check was not compared in a clean room before the first turn, so it decides in the work folder'
}

async function decide(
  inPlace: VerifierResult | undefined,
  asked: Unconfirmed,
  deciding: Deciding,
): Promise<DecidedReport> {
  const { parts, check } = asked
  const { checkIn } = parts.options
  if (deciding.heldOut.size > 0) return decideHidden(asked)
  if (!check.runsPrograms) return decideInFolder(inPlace, undefined, asked)
  if (checkIn === 'work-folder')
    return decideInFolder(inPlace, 'it decides in the work folder by --check-in', asked)
  const known = parts.calibrations.find(calibrationKey(parts.workFolder, check, deciding.locks))
  if (checkIn === undefined && known.kind === 'different')
    return decideInFolder(inPlace, inPlaceNote(known), asked)
  const isTrusted = checkIn === 'clean-room' || known.kind === 'same'
  return decideInRoom(inPlace, isTrusted, asked)
}

/** Hidden files exist only in the room, so there is no other place to run. */
async function decideHidden(asked: Unconfirmed): Promise<DecidedReport> {
  const undone = openChanges(asked)
  const tree = undone.length === 0 ? 'clean-room' : 'independent-tree'
  const report = await runIn(undone, new Map(), asked)
  if (report.status === 'passed' || asked.parts.options.checkIn === 'clean-room') return { report, tree }
  const outside = await runIn(undone, new Map(), { ...asked, place: 'copy' })
  if (outside.status !== 'passed') return { report, tree }
  return { report: limited(outside, `${describeDifference(outside, report)}`), tree }
}

/** @param why undefined if a room makes no difference to the check */
async function decideInFolder(
  inPlace: VerifierResult | undefined,
  why: string | undefined,
  asked: Unconfirmed,
): Promise<DecidedReport> {
  const report = inPlace ?? (await askInFolder(asked))
  const delivered = why === undefined ? report : limited(report, why)
  const undone = openChanges(asked)
  if (report.status !== 'passed' || undone.length === 0) return { report: delivered, tree: 'work-folder' }
  const outside: Asked = { ...asked, place: 'copy', delivered }
  return { report: await judgeWithout(undone, outside), tree: 'both-trees' }
}

/** @param first result with these changes undone, if known */
async function judgeWithout(
  undone: readonly CheckSideChange[],
  asked: Asked,
  first?: VerifierResult,
): Promise<VerifierResult> {
  const answer = await runWithout(undone, asked, first)
  return answer.report.status === 'failed'
    ? explain(answer, undone, asked)
    : concludeConfirmation(answer, undone, asked)
}

async function decideInRoom(
  inPlace: VerifierResult | undefined,
  isTrusted: boolean,
  asked: Unconfirmed,
): Promise<DecidedReport> {
  const undone = openChanges(asked)
  const inRoom = await runIn(undone, new Map(), asked)
  const isGreen = inRoom.status === 'passed'
  // Planted tests showed that the check accepts wrong results; the work folder has none.
  if (inRoom.qualifiers.includes('tampered'))
    return { report: asSeenInFolder(inRoom, asked), tree: 'clean-room' }
  if (isGreen && undone.length === 0) return { report: inRoom, tree: 'clean-room' }
  if (!isGreen && undone.length === 0 && inPlace === undefined && isTrusted && !isUnexplained(asked))
    return { report: asSeenInFolder(inRoom, asked), tree: 'clean-room' }
  const delivered = inPlace ?? (await askInFolder(asked))
  if (delivered.status !== 'passed') return { report: delivered, tree: 'work-folder' }
  const both: Asked = { ...asked, delivered }
  if (isGreen) return { report: concludeConfirmation({ report: inRoom }, undone, both), tree: 'both-trees' }
  if (undone.length > 0 && (await runIn([], new Map(), asked)).status === 'passed')
    return { report: await judgeWithout(undone, both, inRoom), tree: 'both-trees' }
  if (!isTrusted) return decideInFolder(delivered, inPlaceNote({ kind: 'unknown' }), asked)
  return askAboutDoubt(redInRoom(asSeenInFolder(inRoom, asked), both), both)
}

/** Whether the agent claims again after a failure, or can no longer be told. */
function isUnexplained({ request, check }: Unconfirmed): boolean {
  return check.isInsistedOn === true || isFinal(request, false)
}

function askInFolder({ check, parts, changes, signal }: Unconfirmed): Promise<VerifierResult> {
  const { workFolder } = parts.options
  return check.ask({ folder: workFolder, ...(changes.length === 0 ? {} : { mayBeGone: 'any' }) }, signal)
}

function limited(report: VerifierResult, why: string): VerifierResult {
  return withNote({ ...report, qualifiers: [...report.qualifiers, 'in-place'] }, why)
}

function withNote(report: VerifierResult, text: string): VerifierResult {
  return { ...report, evidence: [...report.evidence, { kind: 'note', text }] }
}

/** Replaces room paths with the work folder, the only one the agent knows. */
function asSeenInFolder(report: VerifierResult, { parts }: Unconfirmed): VerifierResult {
  const folder = report.evidence.find((piece) => piece.kind === 'command')?.folder
  if (folder === undefined) return report
  const rename = (text: string) => renameFolder(text, folder, parts.options.workFolder)
  return {
    ...report,
    reason: rename(report.reason),
    evidence: report.evidence.map((piece) => {
      if (piece.kind !== 'command') return piece
      const { head, tail } = piece.output
      return { ...piece, output: { ...piece.output, head: rename(head), tail: rename(tail) } }
    }),
  }
}
