import type { Decision } from '../core/index.ts'
import { problemOfFact, type Verdict } from '../events/index.ts'
import type { Verifier, VerifierContext, VerifierReport } from '../ports.ts'
import { observe } from './observe.ts'
import type { Session } from './session.ts'
import { settleWithin } from './settle-within.ts'
import type { World } from './world.ts'

type Verify = Extract<Decision, { kind: 'verify' }>

/**
 * Asks the verifiers one after the other, the deterministic ones first, and records what each says. The tree is looked at
 * again afterwards: what the checks themselves write is not the drive's work.
 */
export async function verify(decision: Verify, session: Session, world: World): Promise<void> {
  const { trigger, verifiers: names } = decision
  if (trigger === 'cap') await observe(session, world)
  const [started] = await session.tell({ type: 'verification-started', trigger, verifiers: names })
  const causeId = started === undefined ? {} : { causeId: started.id }
  for (const verifier of inOrder(world.verifiers, names)) {
    if (isInterrupted(world)) return
    const verdict = await ask(verifier, decision, session, world)
    if (!isInterrupted(world))
      await session.tell({ type: 'verdict-given', verdict, durationMs: verdict.durationMs, ...causeId })
  }
  for (const name of names.filter(
    (wanted) => !world.verifiers.some(({ description }) => description.name === wanted),
  ))
    await session.tell({ type: 'verdict-given', verdict: missing(name), ...causeId })
  await observe(session, world)
}

/** Asked anew each time: it changes while a verifier is waited for. */
function isInterrupted(world: World): boolean {
  return world.signal.aborted
}

function inOrder(verifiers: readonly Verifier[], names: readonly string[]): readonly Verifier[] {
  return verifiers
    .filter(({ description }) => names.includes(description.name))
    .toSorted((one, other) => Number(other.description.deterministic) - Number(one.description.deterministic))
}

async function ask(verifier: Verifier, decision: Verify, session: Session, world: World): Promise<Verdict> {
  const { state, runId } = session
  const context: VerifierContext = {
    runId,
    workFolder: state.workFolder,
    task: state.task,
    finalText: state.lastText,
    trigger: decision.trigger,
    turn: state.turn,
    fingerprint: state.workspace.current,
    baseline: state.checks[verifier.description.name]?.baselineVerdict,
  }
  const startedMs = world.clock.nowMs()
  const { attachments, ...report } = await reportOf(verifier, context, world.signal)
  for (const attachment of attachments ?? []) await session.attach(attachment)
  const durationMs = Math.max(0, world.clock.nowMs() - startedMs)
  const fingerprint = state.workspace.current
  return {
    ...report,
    verifier: verifier.description.name,
    durationMs,
    ...(fingerprint === undefined ? {} : { fingerprint }),
  }
}

/** No check takes longer; one that has a bound of its own is stopped by that, long before. */
const longestCheckMs = 3_600_000

/** A verifier that throws, hangs or answers nonsense has not decided: `error`, which never counts as passed (I6). */
async function reportOf(
  verifier: Verifier,
  context: VerifierContext,
  signal: AbortSignal,
): Promise<VerifierReport> {
  const settled = await settleWithin(() => verifier.verify(context, signal), {
    signal,
    maxMs: longestCheckMs,
  })
  if (settled.kind === 'threw') return undecided(`the verifier threw: ${settled.message}`)
  if (settled.kind === 'abandoned') return undecided('the verifier did not answer')
  const problem = problemOfReport(settled.value)
  return problem === undefined ? settled.value : undecided(`the verifier answered nonsense: ${problem}`)
}

function problemOfReport(report: VerifierReport | undefined): string | undefined {
  if (typeof report !== 'object') return 'nothing'
  const verdict = { ...report, verifier: '', durationMs: 0 }
  return problemOfFact({ type: 'verdict-given', verdict })
}

function missing(name: string): Verdict {
  const report = undecided('this verifier was part of the run when it started and is not there now')
  return { ...report, qualifiers: ['infrastructure'], verifier: name, durationMs: 0 }
}

function undecided(reason: string): Omit<Verdict, 'verifier' | 'durationMs'> {
  return { status: 'error', reason, canRetry: true, qualifiers: [], evidence: [] }
}
