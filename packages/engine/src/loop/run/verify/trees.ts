import {
  type GuardedTree,
  type GuardRequest,
  type VerifierReport,
  undecidedReport,
  type Attachment,
  type Verifier,
  type VerifierContext,
} from '../../../ports/checks.ts'
import type { Session } from '../session/session.ts'
import { settleWithin } from '../perform/settle-within.ts'
import type { World } from '../session/world.ts'
import { problemOfFact, type VerificationTrigger } from '@donecheck/core/internal/events'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'

export interface CheckedTree extends Omit<GuardedTree, 'folder' | 'report'> {
  /** Null: there is no folder. */
  readonly folder: string | null
  /** What the guard says; null: there is none. */
  readonly report: VerifierReport | null
}

/** Longer than any copy takes. */
const maxPreparationMs = 600_000

/** Never rejects: a guard that throws, hangs or answers nonsense has not passed, and no check is asked (I6). */
export async function treeToCheck(
  { trigger, canRetry }: Pick<GuardRequest, 'trigger' | 'canRetry'>,
  session: Session,
  world: World,
): Promise<CheckedTree> {
  const { guard, signal } = world
  const { workFolder, turn } = session.state
  const itself: CheckedTree = { ...bare, folder: workFolder, report: null }
  if (guard === null) return itself
  const testFiles = reportedTestFiles(session)
  const request = { runId: session.runId, trigger, turn, canRetry, testFiles }
  const settled = await settleWithin(() => guard.prepare(request, signal), {
    signal,
    maxMs: maxPreparationMs,
  })
  const uncheckedTree = (reason: string): CheckedTree => ({ ...itself, report: undecidedReport(reason) })
  if (settled.kind === 'threw') return uncheckedTree(`the tamper guard could not look: ${settled.message}`)
  if (settled.kind === 'abandoned') return uncheckedTree('the tamper guard did not answer')
  const problem = problemOfTree(settled.value)
  if (problem === undefined) return settled.value
  await putAway(settled.value)
  return uncheckedTree(`the tamper guard answered nonsense: ${problem}`)
}

function reportedTestFiles({ state: { checks } }: Session): readonly string[] {
  const reports = Object.values(checks).flatMap(({ baselineVerdict }) => baselineVerdict?.evidence ?? [])
  const files = reports.flatMap((piece) =>
    piece.kind === 'tests' ? [...(piece.files ?? []), ...piece.failed.flatMap(({ file }) => file ?? [])] : [],
  )
  return [...new Set(files)]
}

/** A guard of somebody's own may be written in plain JavaScript. */
function problemOfTree(tree: Partial<GuardedTree> | null | undefined): string | undefined {
  if (typeof tree !== 'object' || tree === null) return 'nothing'
  if (typeof tree.folder !== 'string' || typeof tree.dispose !== 'function') return 'no tree'
  return problemOfReport(tree.report)
}

async function putAway(tree: Partial<GuardedTree> | null | undefined): Promise<void> {
  try {
    await tree?.dispose?.()
  } catch {
    return
  }
}

const bare = { kind: 'work-folder', variant: '', dispose: () => Promise.resolve() } as const

/** No check takes longer; one that has a bound of its own is stopped by that, long before. */
const maxCheckMs = 3_600_000

/** A verifier that throws, hangs or answers nonsense has not decided: `error`, which never counts as passed (I6). */
export async function askForReport(
  verify: () => Promise<VerifierReport>,
  trigger: VerificationTrigger,
  signal: AbortSignal,
): Promise<VerifierReport> {
  const settled = await settleWithin(verify, { signal, maxMs: maxCheckMs })
  if (settled.kind === 'threw') return undecidedReport(`the verifier threw: ${settled.message}`)
  if (settled.kind === 'abandoned') return undecidedReport('the verifier did not answer')
  const problem = problemOfReport(settled.value)
  if (problem === undefined) return settled.value
  // Before the first turn it is a mistake in how the verifier was written, which no turn can put right.
  return {
    ...undecidedReport(`the verifier answered nonsense: ${problem}`, 'unverifiable'),
    canRetry: trigger !== 'baseline',
  }
}

/** What would keep a report from being recorded and read again. */
export function problemOfReport(report: VerifierReport | undefined): string | undefined {
  if (typeof report !== 'object') return 'nothing'
  const verdict = { ...report, verifier: '', durationMs: 0 }
  return problemOfFact({ type: 'verdict-given', verdict })
}

/** What every verifier is told of the run. @param history what it said before */
export function contextOfRun({ state, runId }: Session, world: World, history: readonly Verdict[]) {
  const { modelCalls, toolCalls, inputTokens, outputTokens, costUsd } = state.consumption
  return {
    runId,
    projectFolder: state.workFolder,
    task: state.task,
    turn: state.turn,
    fingerprint: state.workspace.current,
    state: {
      history,
      calls: { model: modelCalls, tools: toolCalls },
      usage: { inputTokens, outputTokens, costUsd },
    },
    events: () => world.history(),
  }
}

export function leftOutReport(reason: string): VerifierReport {
  return { status: 'skipped', reason, canRetry: true, qualifiers: [], evidence: [] }
}

/** What stands for the fingerprint of a tree that was never readable. */
export const unreadable = 'unreadable'

/** Takes the fingerprint of the work folder, where there is one. An interrupt alone may leave it without an event. */
export async function observe(session: Session, world: World): Promise<void> {
  if (world.workspace === null || world.signal.aborted) return
  const fingerprint = await takeFingerprint(session, world)
  if (fingerprint !== undefined) await session.tell({ type: 'workspace-observed', fingerprint })
}

/** A tree that cannot be read is taken for unchanged: what nobody saw proves nothing. Undefined: interrupted. */
async function takeFingerprint(session: Session, { workspace, signal }: World): Promise<string | undefined> {
  try {
    return await workspace?.fingerprint(signal)
  } catch {
    return signal.aborted ? undefined : (session.state.workspace.current ?? unreadable)
  }
}

export interface Round {
  readonly trigger: VerificationTrigger
  readonly session: Session
  readonly world: World
  readonly tree: CheckedTree
  readonly ignored: string
  readonly isLost?: () => boolean
}

export interface Question {
  readonly verifier: Verifier
  readonly context: VerifierContext
  readonly round: Round
  readonly signal: AbortSignal
}

export interface Asked {
  readonly verdict: Verdict
  readonly attachments: readonly Attachment[]
  readonly key: string | undefined
  readonly openQuestion?: string
}
