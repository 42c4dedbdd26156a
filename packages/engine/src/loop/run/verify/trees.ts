import {
  type GuardedTree,
  type GuardRequest,
  type VerifierResult,
  undecidedResult,
  type Attachment,
  type Verifier,
  type VerifierContext,
} from '../../../ports/checks.ts'
import type { LiveRun } from '../session/session.ts'
import { settleWithin } from '../perform/settle-within.ts'
import type { World } from '../session/world.ts'
import { problemOfFact, type VerificationTrigger } from '@donecheck/core/internal/events'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'

export interface CheckedTree extends Omit<GuardedTree, 'folder' | 'report'> {
  /** Null without a work folder. */
  readonly folder: string | null
  /** Null without a guard. */
  readonly report: VerifierResult | null
}

/** Longer than any copy takes. */
const maxPreparationMs = 600_000

/** Never rejects: a guard that throws, hangs or returns an invalid tree fails, and no check runs (I6). */
export async function treeToCheck(
  { trigger, canRetry }: Pick<GuardRequest, 'trigger' | 'canRetry'>,
  session: LiveRun,
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
  const uncheckedTree = (reason: string): CheckedTree => ({ ...itself, report: undecidedResult(reason) })
  if (settled.kind === 'threw') return uncheckedTree(`the tamper guard could not look: ${settled.message}`)
  if (settled.kind === 'abandoned') return uncheckedTree('the tamper guard did not answer')
  const problem = problemOfTree(settled.value)
  if (problem === undefined) return settled.value
  await putAway(settled.value)
  return uncheckedTree(`the tamper guard answered nonsense: ${problem}`)
}

function reportedTestFiles({ state: { checks } }: LiveRun): readonly string[] {
  const reports = Object.values(checks).flatMap(({ baselineVerdict }) => baselineVerdict?.evidence ?? [])
  const files = reports.flatMap((piece) =>
    piece.kind === 'tests' ? [...(piece.files ?? []), ...piece.failed.flatMap(({ file }) => file ?? [])] : [],
  )
  return [...new Set(files)]
}

/** Custom guards may be plain JavaScript. */
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

/** Last resort; checks with their own timeout end long before. */
const maxCheckMs = 3_600_000

/** A verifier that throws, hangs or returns nonsense gives `error`, which never passes (I6). */
export async function askForReport(
  verify: () => Promise<VerifierResult>,
  trigger: VerificationTrigger,
  signal: AbortSignal,
): Promise<VerifierResult> {
  const settled = await settleWithin(verify, { signal, maxMs: maxCheckMs })
  if (settled.kind === 'threw') return undecidedResult(`the verifier threw: ${settled.message}`)
  if (settled.kind === 'abandoned') return undecidedResult('the verifier did not answer')
  const problem = problemOfReport(settled.value)
  if (problem === undefined) return settled.value
  // Before the first turn it is a bug of the verifier, which no turn can fix.
  return {
    ...undecidedResult(`the verifier answered nonsense: ${problem}`, 'unverifiable'),
    canRetry: trigger !== 'baseline',
  }
}

/** Why a report could not be recorded and read again. */
export function problemOfReport(report: VerifierResult | undefined): string | undefined {
  if (typeof report !== 'object') return 'nothing'
  const verdict = { ...report, verifier: '', durationMs: 0 }
  return problemOfFact({ type: 'verdict-given', verdict })
}

/** @param history earlier verdicts of the verifier */
export function contextOfRun({ state, runId }: LiveRun, world: World, history: readonly Verdict[]) {
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

export function leftOutReport(reason: string): VerifierResult {
  return { status: 'skipped', reason, canRetry: true, qualifiers: [], evidence: [] }
}

/** Fingerprint of a tree that was never readable. */
export const unreadable = 'unreadable'

/** Fingerprints the work folder. Only an interrupt leaves no event. */
export async function observe(session: LiveRun, world: World): Promise<void> {
  if (world.workspace === null || world.signal.aborted) return
  const fingerprint = await takeFingerprint(session, world)
  if (fingerprint !== undefined) await session.tell({ type: 'workspace-observed', fingerprint })
}

/** An unreadable tree counts as unchanged. Undefined after an interrupt. */
async function takeFingerprint(session: LiveRun, { workspace, signal }: World): Promise<string | undefined> {
  try {
    return await workspace?.fingerprint(signal)
  } catch {
    return signal.aborted ? undefined : (session.state.workspace.current ?? unreadable)
  }
}

export interface Round {
  readonly trigger: VerificationTrigger
  readonly session: LiveRun
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
