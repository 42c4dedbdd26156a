/** Runs a check that passes on the working tree again on the independent one. */
import type { VerdictQualifier, Evidence, TestCase } from '@donecheck/core/internal/events/verdicts'
import type { CheckOnTree, GuardRequest, VerifierResult } from '../../../ports/checks.ts'
import { excusedPaths } from '../../../analysis/tamper/index.ts'
import { authorityEvidence, contextOf, grantsOf, openOf } from './authority.ts'
import { type GuardParts, listPaths } from './options.ts'
import { settle } from './question.ts'
import type { CheckSideChange, SidedChanges, Trees } from './sided-changes.ts'
import { findProduct } from './trials.ts'
import { type Overlay, movedTrees } from './independent-tree.ts'
import { protectionOf, type ProtectOptions, conventionOf } from '../../../analysis/protect/index.ts'
import {
  filesReachedFrom,
  startedByChecks,
  type ReadableTree,
  areTestsNew,
  type SideReason,
} from '../../../analysis/sides/index.ts'

export interface Confirmation {
  readonly parts: GuardParts
  readonly request: GuardRequest
  readonly changes: readonly CheckSideChange[]
  /** Unsure changes that experiments showed to be product. */
  readonly proven: Set<CheckSideChange>
  readonly sides: SidedChanges
  readonly trees: Trees
  /** `copy`: the tree with the user's environment, for checks that differ in the clean room. */
  readonly place: 'clean-room' | 'copy'
  /** Runs the check on the working tree with these changes undone and this overlay. */
  readonly runOn: (
    undone: readonly CheckSideChange[],
    overlay: Overlay,
    place: Confirmation['place'],
    check: CheckOnTree,
    mayBeGone: readonly string[] | undefined,
    signal: AbortSignal,
  ) => Promise<VerifierResult>
}

export interface Asked extends Confirmation {
  readonly check: CheckOnTree
  readonly delivered: VerifierResult
  readonly signal: AbortSignal
}

export interface IndependentReport {
  readonly report: VerifierResult
  /** How the tree follows moved files; absent if it does not. */
  readonly note?: string
}

type Unconfirmed = Omit<Asked, 'delivered'>

/** Unapproved changes, and possible check changes. Approval may arrive while checks run. */
export function openChanges({
  changes,
  sides,
  proven,
  parts,
  request,
}: Confirmation): readonly CheckSideChange[] {
  const unsure = sides.unsure.filter((change) => !proven.has(change))
  return openOf([...changes, ...unsure], contextOf(parts, request.runId))
}

/** Runs the check with these changes undone, then in trees that follow moves, until one passes. */
export async function runWithout(
  undone: readonly CheckSideChange[],
  asked: Unconfirmed,
  first?: VerifierResult,
): Promise<IndependentReport> {
  let report = first ?? (await runIn(undone, new Map(), asked))
  if (report.status === 'passed' || undone.length === 0) return { report }
  const { sides, trees, parts, check, signal } = asked
  for (const { overlay, note, needsCounts } of movedTrees(undone, sides, trees, parts.snapshots.objects)) {
    if (signal.aborted || (needsCounts && check.countsTests !== true)) continue
    const moved = await runIn(undone, overlay, asked)
    const isCounted = moved.evidence.some(({ kind }) => kind === 'tests')
    if (moved.status === 'passed' && (isCounted || !needsCounts)) return { report: moved, note }
    if (moved.status === 'failed') report = moved
  }
  if (report.status !== 'failed') return { report }
  const product = await findProduct(undone, (those, overlay) => runIn(those, overlay, asked))
  for (const change of product) asked.proven.add(change)
  const rest = undone.filter((change) => !product.includes(change))
  return product.length === 0 ? { report } : runWithout(rest, asked)
}

export function runIn(
  undone: readonly CheckSideChange[],
  overlay: Overlay,
  { runOn, changes, check, place, signal }: Unconfirmed,
): Promise<VerifierResult> {
  const kept = changes.filter((change) => !undone.includes(change)).map(({ path }) => path)
  return runOn(undone, overlay, place, check, kept.length === 0 ? undefined : kept, signal)
}

/** Reruns a failing check with excused or since approved changes. */
export async function explain(
  first: IndependentReport,
  undone: readonly CheckSideChange[],
  asked: Asked,
): Promise<VerifierResult> {
  const excused = excusedPaths(asked.changes.map(({ change }) => change))
  const open = openChanges(asked).filter(({ path }) => !excused.has(path))
  if (open.length === 0) return concludeConfirmation(null, open, asked)
  const answer = open.length < undone.length ? await runWithout(open, asked) : first
  if (answer.report.status !== 'failed') return concludeConfirmation(answer, open, asked)
  return decide({ check: asked.check.name, independent: answer.report, open }, asked)
}

async function decide(difference: Difference, asked: Asked): Promise<VerifierResult> {
  const { parts, trees } = asked
  const withFirstTests = await acceptFirstTests(difference, asked)
  if (withFirstTests !== undefined) return withFirstTests
  const reason = differenceReason(difference)
  const unchanged = findUnchangedTests(difference, trees.baseline, parts.protect)
  if (unchanged.length > 0)
    return red(difference, `${reason}; not changed, and red: ${listPaths(unchanged.map(({ name }) => name))}`)
  const question = { changes: difference.open, reason, failing: failingTests(difference) }
  const answer = await settle(question, ['difference'], asked)
  if (answer.kind === 'told') return red(difference, reason)
  if (answer.kind === 'refused') return { ...red(difference, reason), canRetry: false }
  if (answer.kind === 'waiting') return { ...red(difference, answer.reason, []), status: 'pending' }
  if (answer.kind === 'denied') return red(difference, answer.reason)
  const undone = openChanges(asked)
  return concludeConfirmation(undone.length === 0 ? null : await runWithout(undone, asked), undone, asked)
}

/** @returns undefined if there were tests before, or other changes than tests are needed */
async function acceptFirstTests(difference: Difference, asked: Asked): Promise<VerifierResult | undefined> {
  if (!hadNoTests(difference, asked.delivered, asked.trees)) return undefined
  const undone = unneededByTests(difference.open)
  if (undone.length > 0 && (await runWithout(undone, asked)).report.status !== 'passed') return undefined
  const kept = difference.open.filter((change) => !undone.includes(change))
  return heldByNewTests(asked.delivered, kept)
}

function red(
  difference: Difference,
  reason: string,
  qualifiers: readonly VerdictQualifier[] = ['tampered'],
): VerifierResult {
  const evidence = differenceEvidence(difference)
  return { status: 'failed', reason, canRetry: true, qualifiers, evidence }
}

/** Decides by the independent result. @param answer null if nothing remained to undo */
export function concludeConfirmation(
  answer: IndependentReport | null,
  undone: readonly CheckSideChange[],
  { delivered, changes, proven, parts, request }: Asked,
): VerifierResult {
  if (answer !== null && answer.report.status !== 'passed')
    return { ...answer.report, reason: `on the restored tree: ${answer.report.reason}` }
  const known = contextOf(parts, request.runId)
  const kept = changes.filter((change) => !undone.includes(change))
  const granted = grantsOf(kept, known)
  const excused = openOf(kept, known)
  const unneeded = undone.filter((change) => !proven.has(change))
  const notes = [
    ...(unneeded.length === 0
      ? []
      : [
          answer?.note ??
            `green as well without the changes of ${listPaths(unneeded.map(({ path }) => path))}`,
        ]),
    ...(excused.length === 0
      ? []
      : [`only formatted or renamed, so nobody is asked: ${listPaths(excused.map(({ path }) => path))}`]),
  ].map((text) => ({ kind: 'note' as const, text }))
  return { ...delivered, evidence: [...delivered.evidence, ...authorityEvidence(granted), ...notes] }
}

/** Result of a check with check changes undone. */
interface Difference {
  readonly check: string
  readonly independent: VerifierResult
  readonly open: readonly CheckSideChange[]
}

function failingTests({ independent: { evidence } }: Difference): readonly TestCase[] {
  return evidence.flatMap((piece) => (piece.kind === 'tests' ? piece.failed : []))
}

/** Failing earlier tests, all unchanged: only new files make them pass. Without a file: changed. */
function findUnchangedTests(
  difference: Difference,
  baseline: ReadableTree,
  protect: ProtectOptions,
): readonly TestCase[] {
  const changed = difference.open.filter(({ change }) => change.earlier !== undefined).map(({ path }) => path)
  const failing = failingTests(difference)
  // A check whose script did not exist has no earlier tests.
  if (difference.open.some(({ placement }) => placement.reason === 'check-script')) return []
  if (changed.length === 0) return failing.length > 0 ? failing : [{ name: difference.check }]
  if (changed.some((path) => protectionOf(path, protect) !== 'test')) {
    // A helper or setting may affect every test without an import.
    return []
  }
  return failing.filter(({ file }) => {
    if (file === undefined || !baseline.has(file)) return false
    const reached = filesReachedFrom(file, baseline)
    return !changed.some((path) => reached.has(path))
  })
}

function differenceReason(difference: Difference): string {
  const { check, independent, open } = difference
  return `${check} passes only with the changes of ${listPaths(open.map(({ path }) => path))}; with the checks as they were: ${independent.reason}`
}

/** Names what failed, and why each change is a check change. The diff is shown to the user. */
function differenceEvidence({ independent, open }: Difference): readonly Evidence[] {
  return [
    ...independent.evidence,
    ...open.map(({ placement: { because } }) => ({ kind: 'note' as const, text: because })),
  ]
}

/** Whether the earlier checks failed because there was no test. */
function hadNoTests(
  { independent, open }: Difference,
  { evidence }: VerifierResult,
  { baseline, delivered }: Trees,
): boolean {
  const line = evidence.find((piece) => piece.kind === 'command')?.command
  if (line === undefined || open.length === 0) return false
  // Linters, and tests inside sources, have no first test.
  const runsNewTests =
    hasRunTests(evidence) || [...startedByChecks([line], delivered)].some((path) => delivered.has(path))
  return runsNewTests && !hasRunTests(independent.evidence) && areTestsNew(line, baseline, delivered)
}

function hasRunTests(evidence: readonly Evidence[]): boolean {
  return evidence.some(
    (piece) => piece.kind === 'tests' && piece.counts.passed + piece.counts.failed + piece.counts.errored > 0,
  )
}

const neverOfTests: readonly SideReason[] = ['named-by-user', 'silences-a-checker', 'installed-dependency']
const ofOtherChecks = ['lint-config', 'type-config', 'ci', 'ignore', 'git-hook', 'donecheck-config']

/** Changes unrelated to new tests: linter and compiler settings, and suppressions. */
function unneededByTests(open: readonly CheckSideChange[]): readonly CheckSideChange[] {
  return open.filter(({ path, change, placement: { reason } }) => {
    const isSettingOfOthers = change.before !== null && ofOtherChecks.includes(conventionOf(path) ?? '')
    return isSettingOfOthers || neverOfTests.includes(reason)
  })
}

/** The delivered report, limited: only this run's own tests vouch for the work. */
function heldByNewTests(delivered: VerifierResult, kept: readonly CheckSideChange[]): VerifierResult {
  const paths = listPaths(kept.map(({ path }) => path))
  const text = `there was no test before, so only tests of this run hold it: ${paths}`
  return {
    ...delivered,
    qualifiers: [...delivered.qualifiers, 'only-new-tests'],
    evidence: [...delivered.evidence, { kind: 'note', text }],
  }
}
