import type { DecidedReport, GuardRequest, VerifierResult } from '../../../ports/checks.ts'
import { kindOf } from '../../../analysis/protect/index.ts'
import { calibrationKey } from '../clean-room/calibration.ts'
import type { OpenRoom } from '../clean-room/clean-room.ts'
import { type TreeEntries, textOf, type BytePath } from '../../../system/trees/index.ts'
import type { Asked } from './confirmation.ts'
import { canBePutBack, overlayOf, type Overlay } from './independent-tree.ts'
import { listPaths, type GuardParts } from './options.ts'
import type { SidedChanges } from './sided-changes.ts'
import { authorityEvidence, contextOf, grantFor, keyOf } from './authority.ts'
import { settle } from './question.ts'

type Unconfirmed = Omit<Asked, 'delivered'>

interface Decided {
  readonly parts: GuardParts
  readonly request: GuardRequest
  readonly tree: TreeEntries
  readonly sides: SidedChanges
  readonly room: OpenRoom
  readonly heldOut: Overlay
}

export function listCheckFiles({
  tree,
  parts,
  request: { testFiles = [] },
}: Pick<Decided, 'tree' | 'parts' | 'request'>): readonly BytePath[] {
  const reported = new Set(testFiles)
  return [...tree.keys()].filter((bytePath) => {
    const path = textOf(bytePath)
    return reported.has(path) || comparedWith.includes(kindOf(path, parts.protect) ?? '')
  })
}

const comparedWith = ['test', 'test-helper', 'snapshot', 'fixture', 'test-config', 'check-script', 'extra']

/** Checks that a pass comes neither from the check's own run nor from outside the tree. */
export async function doubtGreen(
  decided: DecidedReport,
  rewritten: ReadonlySet<string>,
  asked: Unconfirmed,
  deciding: Decided,
): Promise<DecidedReport> {
  const { report, tree } = decided
  const { check, parts } = asked
  if (report.status !== 'passed' || tree === 'work-folder') return decided
  const known = parts.calibrations.rewritesOf(rewritesKey(asked))
  const others = [...rewritten].filter((path) => !known.includes(path))
  if (others.length > 0) return { report: rewrittenReport(report, others, check.name), tree }
  if (check.wasRed !== true || report.evidence.some(({ kind }) => kind === 'tests')) return decided
  const seen = await runWithoutChanges(asked, deciding)
  if (seen?.status !== 'passed') return decided
  return askAboutDoubt(greenWithoutChanges(seen, asked), { ...asked, delivered: report })
}

/** Remembers what the check's run rewrites before the first turn, so it may later. */
export function rememberRewrites(rewritten: ReadonlySet<string>, asked: Unconfirmed): void {
  if (rewritten.size > 0) asked.parts.calibrations.rememberRewrites(rewritesKey(asked), [...rewritten])
}

function rewritesKey({ parts, check }: Unconfirmed): string {
  return calibrationKey(parts.workFolder, check, [])
}

function rewrittenReport(
  { evidence }: VerifierResult,
  paths: readonly string[],
  name: string,
): VerifierResult {
  return {
    status: 'failed',
    reason: `the run of ${name} itself wrote over files of the checks, which it did not do before the first turn: ${listPaths(paths)}`,
    canRetry: true,
    qualifiers: ['tampered'],
    evidence,
  }
}

/** Runs with tree and packages from before the first turn. @returns undefined if incomplete */
async function runWithoutChanges(
  { check, signal }: Unconfirmed,
  { sides, tree, room, heldOut, parts }: Decided,
): Promise<VerifierResult | undefined> {
  const product = sides.product.map((change) => ({ change, text: undefined }))
  const checkSide = sides.checkSide.map(({ change }) => ({ change, text: undefined }))
  const all = [...product, ...checkSide]
  if (!all.every(canBePutBack)) return undefined
  const overlay: Overlay = new Map([...overlayOf(all, parts.snapshots.objects), ...heldOut])
  return room.run({ tree, overlay, mayInstall: false }, signal, (cleanRoom) =>
    check.ask({ folder: cleanRoom.folder, mayBeGone: 'any', cleanRoom }, signal),
  )
}

interface Doubt {
  /** Distinguishes questions about one check. */
  readonly of: 'clean room' | 'world outside'
  readonly reason: string
  /** Report where the check fails, or must fail. */
  readonly seen: VerifierResult
}

/** Fails in the clean room although no check file changed. */
export function redInRoom(seen: VerifierResult, { check }: Pick<Asked, 'check'>): Doubt {
  const reason = `${check.name} passes in the work folder and not in the clean room, where it has the tree alone, with a home of its own and what was installed before the first turn: ${seen.reason}`
  return { of: 'clean room', reason, seen }
}

/** Failed before the first turn and now passes even without the run's changes. */
function greenWithoutChanges(seen: VerifierResult, { check }: Pick<Asked, 'check'>): Doubt {
  const reason = `${check.name} was red before the first turn and passes now with every change of the run taken back: something outside of the tree makes it pass; vouch for it with --trust-check "${check.name}"`
  return { of: 'world outside', reason, seen }
}

export async function askAboutDoubt({ of, reason, seen }: Doubt, asked: Asked): Promise<DecidedReport> {
  const { parts, request, check, delivered } = asked
  const path = `${of} of ${check.name}`
  const change = { path, key: keyOf(of, check.name, check.definition) }
  const approved = () => {
    const grant = grantFor(change, contextOf(parts, request.runId))
    if (grant === undefined) return undefined
    const report: VerifierResult = {
      ...delivered,
      qualifiers: [...delivered.qualifiers, 'in-place'],
      evidence: [...delivered.evidence, ...authorityEvidence([[path, grant]])],
    }
    return { report, tree: 'work-folder' } as const
  }
  const before = approved()
  if (before !== undefined) return before
  const answer = await settle({ changes: [change], reason, failing: [] }, [change.key], asked)
  const red = { ...seen, status: 'failed', reason, canRetry: answer.kind !== 'refused' } as const
  switch (answer.kind) {
    case 'allowed':
      return approved() ?? { report: red, tree: 'clean-room' }
    case 'waiting':
      return { report: { ...red, status: 'pending', reason: answer.reason }, tree: 'clean-room' }
    case 'denied':
      return { report: { ...red, reason: answer.reason }, tree: 'clean-room' }
    case 'told':
    case 'refused':
      return { report: red, tree: 'clean-room' }
  }
}
