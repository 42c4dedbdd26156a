import type { Verifier, VerifierContext, VerifierReport, ProbeTrees } from '../../ports/checks.ts'
import { askCheck } from './ask-check.ts'

export type TrialResult =
  /** `by`: the check that was red, and how. */
  | { readonly kind: 'caught'; readonly by: string }
  | { readonly kind: 'survived' }
  /** No check was red, and not every one has answered. */
  | { readonly kind: 'undecided'; readonly reason: string }

/** What is needed to ask the checks about a tree. */
export interface Trial {
  readonly checks: readonly Verifier[]
  readonly trees: ProbeTrees
  readonly context: VerifierContext
  /** Somebody asked us to stop. */
  readonly signal: AbortSignal
  /** The time for all trees together is over. */
  readonly deadline: AbortSignal
}

/**
 * The checks without any fault, in a copy: undefined where they pass, else what stands in the way.
 * @throws what `trees.copy` throws; the signal's reason after an abort
 */
export async function problemWithoutFault({
  checks,
  trees,
  context,
  signal,
  deadline,
}: Trial): Promise<string | undefined> {
  const tree = await trees.copy(new Map(), signal)
  try {
    const within = AbortSignal.any([signal, deadline])
    let passed = 0
    for (const check of checks) {
      const answer = await askCheck(check, contextIn(tree.folder, context), within)
      signal.throwIfAborted()
      const { name } = check.description
      if (deadline.aborted) return `${name} did not end in the time of the power probe`
      if (answer.kind === 'silent') return `${name}: ${answer.reason}`
      const { status, reason } = answer.report
      if (status === 'passed') passed += 1
      else if (status !== 'skipped') return `${name}: ${status}: ${reason}`
    }
    return passed > 0 ? undefined : 'every check was skipped'
  } finally {
    await tree.dispose()
  }
}

/**
 * The checks with a fault, in a copy of its own, one after the other until one is red. A check that takes longer than the
 * limit is red: without the fault it ended in a fraction of it.
 * @throws what `trees.copy` throws; the signal's reason after an abort
 */
export async function tryFault(
  overlay: ReadonlyMap<string, string | null>,
  { checks, trees, context, signal, deadline }: Trial,
  limitMs: number,
): Promise<TrialResult> {
  const tree = await trees.copy(overlay, signal)
  const limit = timeLimit(limitMs)
  try {
    const within = AbortSignal.any([signal, deadline, limit.signal])
    const unclear: string[] = []
    for (const check of checks) {
      const { name } = check.description
      const answer = await askCheck(check, contextIn(tree.folder, context), within)
      signal.throwIfAborted()
      if (answer.kind === 'reported' && answer.report.status === 'failed') return { kind: 'caught', by: name }
      if (answer.kind === 'reported' && isTimedOut(answer.report))
        return { kind: 'caught', by: `${name}, which did not end in its time` }
      if (deadline.aborted) return { kind: 'undecided', reason: 'the time of the power probe was over' }
      if (limit.signal.aborted) return { kind: 'caught', by: `${name}, which did not end` }
      if (answer.kind === 'silent') unclear.push(`${name}: ${answer.reason}`)
      else if (answer.report.status === 'error' || answer.report.status === 'pending')
        unclear.push(`${name}: ${answer.report.reason}`)
    }
    const [reason] = unclear
    return reason === undefined ? { kind: 'survived' } : { kind: 'undecided', reason }
  } finally {
    limit.clear()
    await tree.dispose()
  }
}

/** The tree is as good as one of a turn: nothing is remembered of it, and nothing compared. */
export function contextIn(workFolder: string, context: VerifierContext): VerifierContext {
  return { ...context, workFolder, trigger: 'turn', fingerprint: undefined, baseline: undefined }
}

function isTimedOut({ status, evidence }: VerifierReport): boolean {
  return status === 'error' && evidence.some((piece) => piece.kind === 'command' && piece.timedOut)
}

/** A signal of its own that aborts after a time. */
interface TimeLimit {
  readonly signal: AbortSignal
  /** Ends the waiting; the signal stays as it is. */
  clear(): void
}

/** A longer timer would fire at once. */
const maxTimerMs = 2 ** 31 - 1

export function timeLimit(ms: number): TimeLimit {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), Math.min(ms, maxTimerMs))
  return { signal: over.signal, clear: () => clearTimeout(timer) }
}
