/** A check that is green on the delivered tree, run again on the independent one. */
import type { VerdictQualifier } from '../../events/index.ts'
import type { CheckOnTree, GuardRequest, IndependentTree, VerifierReport } from '../../ports.ts'
import { excusedPaths } from '../../tamper/index.ts'
import { authorityEvidence, grantFor, type AuthorityContext } from './authority.ts'
import { askForAuthority } from './ask.ts'
import {
  differenceEvidence,
  differenceReason,
  failingTests,
  unchangedTests,
  type Difference,
} from './difference.ts'
import { readMemory, remember } from './memory.ts'
import type { GuardParts } from './parts.ts'
import { listed, undecided } from './reports.ts'
import type { CheckSideChange, Trees } from './sided-changes.ts'
import { isFinal, wayToAllow } from './told.ts'

export interface Confirmation {
  readonly request: GuardRequest
  /** Of the check side, allowed or not. */
  readonly changes: readonly CheckSideChange[]
  readonly trees: Trees
  /** The folder of a copy in which these changes are undone. Null: nothing is, so it would be the delivered tree. */
  readonly lay: (undone: readonly CheckSideChange[], signal: AbortSignal) => Promise<string | null>
  /** As of now: authority may come while checks run. */
  readonly context: () => AuthorityContext
}

/** See the port. Checks are decided on one at a time, so that nobody is asked twice. */
export function independentTree(confirmation: Confirmation, parts: GuardParts): IndependentTree {
  let queue: Promise<unknown> = Promise.resolve()
  const oneAtATime = (work: () => Promise<VerifierReport>): Promise<VerifierReport> => {
    const done = queue.then(work, work)
    queue = done
    return done
  }
  return {
    async confirm(delivered, check, signal) {
      try {
        const undone = openChanges(confirmation)
        const report = await runWithout(undone, check, confirmation, signal)
        if (report?.status !== 'failed') return concluded(delivered, report, undone, confirmation)
        return await oneAtATime(() =>
          explain(delivered, report, undone, check, { confirmation, parts, signal }),
        )
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error)
        return undecided(
          signal.aborted ? 'interrupted' : `the independent tree cannot be checked: ${problem}`,
        )
      }
    },
  }
}

/** What nobody has allowed. */
function openChanges({ changes, context }: Confirmation): readonly CheckSideChange[] {
  const known = context()
  return changes.filter((change) => grantFor(change, known) === undefined)
}

/** Null: without any of them undone it would be what the check has passed already. */
async function runWithout(
  undone: readonly CheckSideChange[],
  check: CheckOnTree,
  { lay, changes }: Confirmation,
  signal: AbortSignal,
): Promise<VerifierReport | null> {
  const folder = await lay(undone, signal)
  if (folder === null) return null
  const kept = changes.filter((change) => !undone.includes(change)).map(({ path }) => path)
  return check.ask({ folder, ...(kept.length === 0 ? {} : { mayBeGone: kept }) }, signal)
}

interface Deciding {
  readonly confirmation: Confirmation
  readonly parts: GuardParts
  readonly signal: AbortSignal
}

/** A red check is run once more where changes are excused, or were allowed meanwhile. */
async function explain(
  delivered: VerifierReport,
  first: VerifierReport,
  undone: readonly CheckSideChange[],
  check: CheckOnTree,
  deciding: Deciding,
): Promise<VerifierReport> {
  const { confirmation, signal } = deciding
  const open = openChanges(confirmation)
  const excused = excusedPaths(confirmation.changes.map(({ change }) => change))
  const inQuestion = open.filter(({ path }) => !excused.has(path))
  const report =
    inQuestion.length < undone.length ? await runWithout(inQuestion, check, confirmation, signal) : first
  if (report?.status !== 'failed') return concluded(delivered, report, inQuestion, confirmation)
  const difference = { check: check.name, independent: report, open: inQuestion }
  return decide(difference, delivered, check, deciding)
}

async function decide(
  difference: Difference,
  delivered: VerifierReport,
  check: CheckOnTree,
  { confirmation, parts, signal }: Deciding,
): Promise<VerifierReport> {
  const { request, trees } = confirmation
  const wasTold = recordOpen(difference.open, request, parts)
  const reason = differenceReason(difference)
  const unchanged = unchangedTests(difference, trees.baseline, parts.protect)
  if (unchanged.length > 0)
    return red(difference, `${reason}; not changed, and red: ${listed(unchanged.map(({ name }) => name))}`)
  if (!isFinal(request, wasTold)) return red(difference, reason)
  if (parts.options.onTamper === 'refuse') return { ...red(difference, reason), canRetry: false }
  const question = { changes: difference.open, reason, failing: failingTests(difference) }
  const answer = await askForAuthority(question, parts, request.runId, signal)
  if (answer === undefined)
    return { ...red(difference, `${reason}; ${wayToAllow(request)}`, []), status: 'pending' }
  if (!answer.approved) return red(difference, `${reason}; refused by ${answer.by}: ${answer.reason}`)
  const undone = openChanges(confirmation)
  const report = await runWithout(undone, check, confirmation, signal)
  return concluded(delivered, report, undone, confirmation)
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

/** Green there too, or not decided there. @param report null: there was nothing left to undo */
function concluded(
  delivered: VerifierReport,
  report: VerifierReport | null,
  undone: readonly CheckSideChange[],
  { changes, context }: Confirmation,
): VerifierReport {
  if (report !== null && report.status !== 'passed')
    return { ...report, reason: `on the independent tree: ${report.reason}` }
  const known = context()
  const kept = changes.filter((change) => !undone.includes(change))
  const granted = kept.flatMap((change) => {
    const grant = grantFor(change, known)
    return grant === undefined ? [] : [[change.path, grant] as const]
  })
  const excused = kept.filter((change) => grantFor(change, known) === undefined)
  const notes = [
    ...(undone.length === 0
      ? []
      : [`green as well without the changes of ${listed(undone.map(({ path }) => path))}`]),
    ...(excused.length === 0
      ? []
      : [`as strict as before, so nobody is asked: ${listed(excused.map(({ path }) => path))}`]),
  ].map((text) => ({ kind: 'note' as const, text }))
  return { ...delivered, evidence: [...delivered.evidence, ...authorityEvidence(granted), ...notes] }
}
