/** The end of a turn: the agent claims to be done, and nothing but the checks lets a run end as verified; or it ends without a claim. */
import type { HostAnswer, HostStop } from '../../protocol/host/index.ts'
import type { StopTransition } from '@donecheck/core/transitions'
import type { NewEvent } from '@donecheck/core/events'
import { runsLast } from '@donecheck/core/policies'
import { guessUsage } from '@donecheck/engine/run'
import { endOf, feedbackIn, allowStop, pass } from './answers.ts'
import { replyFact } from './facts.ts'
import type { AgentReply } from '../record/memory.ts'
import { goOn, recordAndGoOn, type Progress } from './go-on.ts'
import { recordHeld, settleOpen, settlePending } from './on-result.ts'
import { remember, stopUnverified, type SessionContext } from '../record/session-context.ts'
import { allowStopUnchecked, explainUnchecked } from '../baseline/prompt-tree.ts'

export async function onStop(stop: HostStop, context: SessionContext): Promise<HostAnswer> {
  const { session } = context
  await context.world()
  if (!isClaimed(context)) {
    await settlePending(context)
    await settleOpen(context)
    const held = context.memory.held
    remember(context, { held: null })
    await recordHeld(context)
    if (session.state.phase.kind === 'calling')
      await session.tell(replyFact(replyOfStop(stop, held, context), [], 'stop', context))
  }
  const why = await explainUnchecked(context)
  if (why !== undefined) await allowStopUnchecked(why, context)
  return concludeTurn(await goOn(context), context)
}

/** A claim that was recorded, and whose verification was broken off. */
function isClaimed({ session }: SessionContext): boolean {
  const { phase, tally } = session.state
  return phase.kind === 'judging' && tally.claimed
}

function replyOfStop({ text }: HostStop, held: AgentReply | null, { session }: SessionContext): AgentReply {
  if (held !== null) return held.text.trim() === '' ? { ...held, text } : held
  return { text, usage: guessUsage(text, session.state), costUsd: null }
}

/**
 * It has worked since, or the tree is another one than the one that was verified. Work counts also where the tree is the same: a
 * check may depend on what no fingerprint sees, such as an ignored file or a database.
 * @param wasClaimedMeanwhile the claim is younger than the beginning of that verification: it is about no tree that the checks
 *   may have missed, so what they wrote themselves counts as a change as well
 */
export async function isChangedSince(
  context: SessionContext,
  wasClaimedMeanwhile: boolean,
): Promise<boolean> {
  if (context.memory.workedAfterEnd) return true
  const { workspace, checks } = context.session.state
  const { verified } = workspace
  const seen = Object.values(checks).flatMap(({ latest }) => latest?.fingerprint ?? [])
  const { doors } = await context.world()
  if (verified === undefined || doors.workspace === null) return false
  try {
    const now = await doors.workspace.fingerprint(context.signal)
    return now !== verified || (wasClaimedMeanwhile && seen.some((tree) => tree !== now))
  } catch {
    return true
  }
}

async function concludeTurn(first: Progress, context: SessionContext): Promise<HostAnswer> {
  const { session } = context
  const going = first === 'broken-off' ? await afterBreak(context) : first
  const end = endOf(session.state)
  if (going === 'over' && end !== undefined)
    return end.outcome === 'unverified' && isQuiet(end) ? pass : allowStop(end)
  const feedback = feedbackIn(context) ?? 'The checks have not confirmed that this is done.'
  remember(context, { blocked: { turn: session.state.turn, feedback }, adviceGiven: [] })
  return { kind: 'block', feedback }
}

/** A conversation need not hear after each answer that nothing was checked. */
function isQuiet({ verdicts }: StopTransition): boolean {
  return verdicts.length === 0
}

/** The time for the checks was over, or the hosted session itself is: what they would have said is not known, and counts as broken. */
async function afterBreak(context: SessionContext): Promise<Progress> {
  const { parts, session } = context
  if (!parts.signal.aborted) {
    const { phase, settings } = session.state
    const shown = settings.verifiers.filter(({ role }) => !runsLast(role)).map(({ name }) => name)
    const started: readonly NewEvent[] =
      phase.kind === 'verifying' ? [] : [{ type: 'verification-started', trigger: 'claim', verifiers: shown }]
    const awaiting = phase.kind === 'verifying' ? phase.awaiting : shown
    if (awaiting.length > 0) await session.tell(...started, ...awaiting.map(undecidedVerdict))
  }
  return goOn(context, new AbortController().signal)
}

function undecidedVerdict(verifier: string): NewEvent {
  const reason = 'the checks did not end within the time that the hook of the agent has'
  return {
    type: 'verdict-given',
    verdict: {
      verifier,
      status: 'error',
      reason,
      canRetry: true,
      qualifiers: [],
      evidence: [],
      durationMs: 0,
    },
  }
}

/** An end that is no claim: the model or the network failed. */
export async function onFailure(message: string, context: SessionContext): Promise<HostAnswer> {
  await settlePending(context)
  await settleOpen(context)
  await recordHeld(context)
  if (context.session.state.phase.kind !== 'calling') return pass
  const failure = { kind: 'server-error' as const, message: message || 'the model failed', retryable: false }
  await recordAndGoOn([{ type: 'model-failed', failure, usage: null, costUsd: null }], context)
  return pass
}

/** The session is over: what was not verified until now is not. */
export async function onSessionEnd(context: SessionContext): Promise<HostAnswer> {
  const { session } = context
  if (session.state.phase.kind === 'stopped') return pass
  if (context.memory.waitsFor.length > 0) return onEndOfWaiting(context)
  await session.tell({ type: 'interrupt-requested', by: 'the end of the session' })
  await goOn(context)
  return pass
}

/** Nobody has interrupted it: what it waited for did not come. */
async function onEndOfWaiting(context: SessionContext): Promise<HostAnswer> {
  const awaited = context.memory.waitsFor.join(', ')
  const message = `the session ended while the agent waited for ${awaited}; nothing was verified`
  await stopUnverified(context, { reason: 'blocked', outcome: 'blocked', message })
  return pass
}
