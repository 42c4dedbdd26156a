/** A check that is green on the delivered tree, run again on the independent one. */
import type { VerdictQualifier } from '@donecheck/core/verdicts'
import type { CheckOnTree, GuardRequest, IndependentTree, VerifierReport } from '../../../ports/checks.ts'
import { excusedPaths } from '../../../analysis/tamper/index.ts'
import { authorityEvidence, grantsOf, openOf } from './authority/authority.ts'
import { askForAuthority } from './authority/ask-for-authority.ts'
import { askAuthorityJudge, withWord } from './authority/authority-judge.ts'
import {
  differenceEvidence,
  differenceReason,
  failingTests,
  findUnchangedTests,
  type Difference,
} from './compare/difference.ts'
import { readMemory, remember } from './memory.ts'
import { contextOf, type GuardParts } from './guard-parts.ts'
import { listPaths, failureReport, isFinal, wayToAllow } from './reports.ts'
import type { CheckSideChange, Trees } from './compare/sided-changes.ts'

export interface Confirmation {
  readonly parts: GuardParts
  readonly request: GuardRequest
  /** Of the check side, allowed or not. */
  readonly changes: readonly CheckSideChange[]
  readonly trees: Trees
  /** The folder of a copy in which these changes are undone. Null: nothing is, so it would be the delivered tree. */
  readonly lay: (undone: readonly CheckSideChange[], signal: AbortSignal) => Promise<string | null>
}

/** One check that is to be confirmed. */
interface Asked extends Confirmation {
  readonly check: CheckOnTree
  /** What it said of the delivered tree. */
  readonly delivered: VerifierReport
  readonly signal: AbortSignal
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
        const report = await runWithout(undone, asked)
        if (report?.status !== 'failed') return concludeConfirmation(report, undone, asked)
        return await oneAtATime(() => explain(report, undone, asked))
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

/** Null: without any of them undone it would be what the check has passed already. */
async function runWithout(
  undone: readonly CheckSideChange[],
  { lay, changes, check, signal }: Asked,
): Promise<VerifierReport | null> {
  const folder = await lay(undone, signal)
  if (folder === null) return null
  const kept = changes.filter((change) => !undone.includes(change)).map(({ path }) => path)
  return check.ask({ folder, ...(kept.length === 0 ? {} : { mayBeGone: kept }) }, signal)
}

/** A red check is run once more where changes are excused, or were allowed meanwhile. */
async function explain(
  first: VerifierReport,
  undone: readonly CheckSideChange[],
  asked: Asked,
): Promise<VerifierReport> {
  const excused = excusedPaths(asked.changes.map(({ change }) => change))
  const open = openChanges(asked).filter(({ path }) => !excused.has(path))
  const report = open.length < undone.length ? await runWithout(open, asked) : first
  if (report?.status !== 'failed') return concludeConfirmation(report, open, asked)
  return decide({ check: asked.check.name, independent: report, open }, asked)
}

async function decide(difference: Difference, asked: Asked): Promise<VerifierReport> {
  const { parts, request, trees, signal } = asked
  const wasTold = recordOpen(difference.open, request, parts)
  const reason = differenceReason(difference)
  const unchanged = findUnchangedTests(difference, trees.baseline, parts.protect)
  if (unchanged.length > 0)
    return red(difference, `${reason}; not changed, and red: ${listPaths(unchanged.map(({ name }) => name))}`)
  if (!isFinal(request, wasTold)) return red(difference, reason)
  if (parts.options.onTamper === 'refuse') return { ...red(difference, reason), canRetry: false }
  const question = { changes: difference.open, reason, failing: failingTests(difference) }
  const word = await askAuthorityJudge(question, parts, request, signal)
  const after = async () => {
    const undone = openChanges(asked)
    return concludeConfirmation(await runWithout(undone, asked), undone, asked)
  }
  if (word?.sentence !== undefined) return withWord(await after(), word)
  const said = word === undefined ? reason : `${reason}; the judge does not allow it: ${word.reason}`
  const answer = await askForAuthority({ ...question, reason: said }, parts, request.runId, signal)
  if (answer === undefined)
    return withWord({ ...red(difference, `${said}; ${wayToAllow(request)}`, []), status: 'pending' }, word)
  if (!answer.approved)
    return withWord(red(difference, `${reason}; refused by ${answer.by}: ${answer.reason}`), word)
  return withWord(await after(), word)
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
function concludeConfirmation(
  report: VerifierReport | null,
  undone: readonly CheckSideChange[],
  { delivered, changes, parts, request }: Asked,
): VerifierReport {
  if (report !== null && report.status !== 'passed')
    return { ...report, reason: `on the independent tree: ${report.reason}` }
  const known = contextOf(parts, request.runId)
  const kept = changes.filter((change) => !undone.includes(change))
  const granted = grantsOf(kept, known)
  const excused = openOf(kept, known)
  const notes = [
    ...(undone.length === 0
      ? []
      : [`green as well without the changes of ${listPaths(undone.map(({ path }) => path))}`]),
    ...(excused.length === 0
      ? []
      : [`as strict as before, so nobody is asked: ${listPaths(excused.map(({ path }) => path))}`]),
  ].map((text) => ({ kind: 'note' as const, text }))
  return { ...delivered, evidence: [...delivered.evidence, ...authorityEvidence(granted), ...notes] }
}
