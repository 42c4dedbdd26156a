/** A check that is green on the delivered tree, run again on the independent one. */
import type { VerdictQualifier } from '@donecheck/core/verdicts'
import type { CheckOnTree, GuardRequest, IndependentTree, VerifierReport } from '../../../ports/checks.ts'
import { excusedPaths } from '../../../analysis/tamper/index.ts'
import { authorityEvidence, grantsOf, openOf } from './authority/authority.ts'
import { askForAuthority } from './authority/ask-for-authority.ts'
import {
  differenceEvidence,
  differenceReason,
  failingTests,
  findUnchangedTests,
  type Difference,
} from './compare/difference.ts'
import { hadNoTests, heldByNewTests, unneededByTests } from './compare/first-tests.ts'
import { readMemory, remember } from './memory.ts'
import { contextOf, type GuardParts } from './guard-parts.ts'
import { listPaths, failureReport, isFinal, askToAllow } from './reports.ts'
import type { CheckSideChange, SidedChanges, Trees } from './compare/sided-changes.ts'
import type { Overlay } from './trees/independent-tree.ts'
import { movedTrees } from './trees/moved-trees.ts'

export interface Confirmation {
  readonly parts: GuardParts
  readonly request: GuardRequest
  /** Of the check side, allowed or not. */
  readonly changes: readonly CheckSideChange[]
  readonly sides: SidedChanges
  readonly trees: Trees
  /** The folder of a copy in which these changes are undone, and this is laid over it. */
  readonly lay: (undone: readonly CheckSideChange[], overlay: Overlay, signal: AbortSignal) => Promise<string>
}

/** One check that is to be confirmed. */
interface Asked extends Confirmation {
  readonly check: CheckOnTree
  /** What it said of the delivered tree. */
  readonly delivered: VerifierReport
  readonly signal: AbortSignal
}

/** What the check says of an independent tree. */
interface Answer {
  readonly report: VerifierReport
  /** How that tree follows what moved. Absent: it does not. */
  readonly note?: string
}

/** See the port. Checks are decided on one at a time, so that nobody is asked twice. */
export function independentTree(confirmation: Confirmation): IndependentTree {
  let queue: Promise<unknown> = Promise.resolve()
  const oneAtATime = (work: () => Promise<VerifierReport>): Promise<VerifierReport> => {
    const done = queue.then(work, work)
    queue = done
    return done
  }
  return {
    async confirm(delivered, check, signal) {
      const asked = { ...confirmation, delivered, check, signal }
      try {
        const undone = openChanges(asked)
        const answer = await runWithout(undone, asked)
        if (answer?.report.status !== 'failed') return concludeConfirmation(answer, undone, asked)
        return await oneAtATime(() => explain(answer, undone, asked))
      } catch (error) {
        return failureReport(error, signal, 'the independent tree cannot be checked: ')
      }
    },
  }
}

/** What nobody has allowed, as of now: authority may come while checks run. */
function openChanges({ changes, parts, request }: Confirmation): readonly CheckSideChange[] {
  return openOf(changes, contextOf(parts, request.runId))
}

/**
 * Asks again in the trees that follow what moved, until one is green.
 * @returns null: without any of them undone it would be what the check has passed already
 */
async function runWithout(undone: readonly CheckSideChange[], asked: Asked): Promise<Answer | null> {
  if (undone.length === 0) return null
  let report = await runIn(undone, new Map(), asked)
  if (report.status === 'passed') return { report }
  const { sides, trees, parts, check, signal } = asked
  for (const { overlay, note, needsCounts } of movedTrees(undone, sides, trees, parts.snapshots.objects)) {
    if (signal.aborted || (needsCounts && check.countsTests !== true)) continue
    const moved = await runIn(undone, overlay, asked)
    const isCounted = moved.evidence.some(({ kind }) => kind === 'tests')
    if (moved.status === 'passed' && (isCounted || !needsCounts)) return { report: moved, note }
    if (moved.status === 'failed') report = moved
  }
  return { report }
}

function runIn(
  undone: readonly CheckSideChange[],
  overlay: Overlay,
  { lay, changes, check, signal }: Asked,
): Promise<VerifierReport> {
  const kept = changes.filter((change) => !undone.includes(change)).map(({ path }) => path)
  return lay(undone, overlay, signal).then((folder) =>
    check.ask({ folder, ...(kept.length === 0 ? {} : { mayBeGone: kept }) }, signal),
  )
}

/** A red check is run once more where changes are excused, or were allowed meanwhile. */
async function explain(
  first: Answer,
  undone: readonly CheckSideChange[],
  asked: Asked,
): Promise<VerifierReport> {
  const excused = excusedPaths(asked.changes.map(({ change }) => change))
  const open = openChanges(asked).filter(({ path }) => !excused.has(path))
  const answer = open.length < undone.length ? await runWithout(open, asked) : first
  if (answer?.report.status !== 'failed') return concludeConfirmation(answer, open, asked)
  return decide({ check: asked.check.name, independent: answer.report, open }, asked)
}

async function decide(difference: Difference, asked: Asked): Promise<VerifierReport> {
  const { parts, request, trees, signal } = asked
  const withFirstTests = await acceptFirstTests(difference, asked)
  if (withFirstTests !== undefined) return withFirstTests
  const wasTold = recordOpen(difference.open, request, parts)
  const reason = differenceReason(difference)
  const unchanged = findUnchangedTests(difference, trees.baseline, parts.protect)
  if (unchanged.length > 0)
    return red(difference, `${reason}; not changed, and red: ${listPaths(unchanged.map(({ name }) => name))}`)
  if (!isFinal(request, wasTold)) return red(difference, reason)
  if (parts.options.onTamper === 'refuse') return { ...red(difference, reason), canRetry: false }
  const question = { changes: difference.open, reason, failing: failingTests(difference) }
  const answer = await askForAuthority(question, parts, request.runId, signal)
  if (answer === undefined || 'openQuestion' in answer)
    return { ...red(difference, askToAllow(reason, request, answer), []), status: 'pending' }
  if (!answer.approved) return red(difference, `${reason}; refused by ${answer.by}: ${answer.reason}`)
  const undone = openChanges(asked)
  return concludeConfirmation(await runWithout(undone, asked), undone, asked)
}

/**
 * Where no test existed before, earlier checks are red whatever the work is like. The delivered report stands if it needs
 * no change of what is beside the tests. @returns undefined if there were tests, or it does
 */
async function acceptFirstTests(difference: Difference, asked: Asked): Promise<VerifierReport | undefined> {
  if (!hadNoTests(difference, asked.delivered, asked.trees)) return undefined
  const undone = unneededByTests(difference.open)
  const answer = await runWithout(undone, asked)
  if (answer !== null && answer.report.status !== 'passed') return undefined
  const kept = difference.open.filter((change) => !undone.includes(change))
  return heldByNewTests(asked.delivered, kept)
}

const difference = 'difference'

/** Keeps what waits for authority. @returns whether the drive has been told of a difference before */
function recordOpen(
  open: readonly CheckSideChange[],
  { runId }: GuardRequest,
  { snapshots }: GuardParts,
): boolean {
  const memory = readMemory(snapshots, runId)
  const known = new Set(memory.open.map(({ key }) => key))
  const news = open.filter(({ key }) => !known.has(key)).map(({ path, key }) => ({ path, key }))
  const wasTold = memory.told.includes(difference)
  remember(snapshots, runId, {
    told: wasTold ? memory.told : [...memory.told, difference],
    open: [...memory.open, ...news],
  })
  return wasTold
}

function red(
  difference: Difference,
  reason: string,
  qualifiers: readonly VerdictQualifier[] = ['tampered'],
): VerifierReport {
  const evidence = differenceEvidence(difference)
  return { status: 'failed', reason, canRetry: true, qualifiers, evidence }
}

/** Green there too, or not decided there. @param answer null: there was nothing left to undo */
function concludeConfirmation(
  answer: Answer | null,
  undone: readonly CheckSideChange[],
  { delivered, changes, parts, request }: Asked,
): VerifierReport {
  if (answer !== null && answer.report.status !== 'passed')
    return { ...answer.report, reason: `on the independent tree: ${answer.report.reason}` }
  const known = contextOf(parts, request.runId)
  const kept = changes.filter((change) => !undone.includes(change))
  const granted = grantsOf(kept, known)
  const excused = openOf(kept, known)
  const notes = [
    ...(undone.length === 0
      ? []
      : [
          answer?.note ?? `green as well without the changes of ${listPaths(undone.map(({ path }) => path))}`,
        ]),
    ...(excused.length === 0
      ? []
      : [`only formatted or renamed, so nobody is asked: ${listPaths(excused.map(({ path }) => path))}`]),
  ].map((text) => ({ kind: 'note' as const, text }))
  return { ...delivered, evidence: [...delivered.evidence, ...authorityEvidence(granted), ...notes] }
}
