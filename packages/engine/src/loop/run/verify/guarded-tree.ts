import type { GuardedTree, GuardRequest, VerifierReport } from '../../../ports/checks.ts'
import type { Session } from '../session/session.ts'
import { settleWithin } from '../perform/settle-within.ts'
import type { World } from '../session/world.ts'
import { problemOfReport } from './report-of.ts'
import { undecidedReport } from '../../../ports/checks.ts'

/** The tree that this verification looks at. */
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
  const request = { runId: session.runId, trigger, turn, canRetry }
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

/** A guard of somebody's own may be written in plain JavaScript. */
function problemOfTree(tree: Partial<GuardedTree> | null | undefined): string | undefined {
  if (typeof tree !== 'object' || tree === null) return 'nothing'
  if (typeof tree.folder !== 'string' || typeof tree.dispose !== 'function') return 'no tree'
  return problemOfReport(tree.report)
}

/** It has answered nonsense: nothing of it is relied on, not even that there is something to put away. */
async function putAway(tree: Partial<GuardedTree> | null | undefined): Promise<void> {
  try {
    await tree?.dispose?.()
  } catch {
    return
  }
}

const bare = { kind: 'work-folder', variant: '', dispose: () => Promise.resolve() } as const
