/** The claim: the agent wants to end its turn. Nothing but the checks lets a run end as verified. */
import type { HostAnswer, HostStop } from '../agents/index.ts'
import type { StopTransition, Told } from '../events/index.ts'
import { runsLast } from '../core/index.ts'
import { guessedUsage } from '../run/index.ts'
import { endOf, feedbackIn, letGo, pass } from './answers.ts'
import { replyFact, type Spoken } from './facts.ts'
import { goOn, type Going } from './go-on.ts'
import { flush, settleOpen, settlePending } from './on-result.ts'
import { remember, type Place } from './place.ts'
import { letGoUnchecked, whyUnchecked } from './untouched.ts'

export async function onStop(stop: HostStop, place: Place): Promise<HostAnswer> {
  const { session } = place
  await place.world()
  if (!isClaimed(place)) {
    await settlePending(place)
    await settleOpen(place)
    const held = place.memory.held
    remember(place, { held: null })
    await flush(place)
    if (session.state.phase.kind === 'calling')
      await session.tell(replyFact(spokenBy(stop, held, place), [], 'stop', place))
  }
  const why = await whyUnchecked(place)
  if (why !== undefined) await letGoUnchecked(why, place)
  return concluded(await goOn(place), place)
}

/** A claim that was recorded, and whose verification was broken off. */
function isClaimed({ session }: Place): boolean {
  const { phase, tally } = session.state
  return phase.kind === 'judging' && tally.claimed
}

function spokenBy({ text }: HostStop, held: Spoken | null, { session }: Place): Spoken {
  if (held !== null) return held.text.trim() === '' ? { ...held, text } : held
  return { text, usage: guessedUsage(text, session.state), costUsd: null }
}

/**
 * It has worked since, or the tree is another one than the one that was verified. Work counts also where the tree is the same: a
 * check may depend on what no fingerprint sees, such as an ignored file or a database.
 * @param wasClaimedMeanwhile the claim is younger than the beginning of that verification: it is about no tree that the checks
 *   may have missed, so what they wrote themselves counts as a change as well
 */
export async function isChangedSince(place: Place, wasClaimedMeanwhile: boolean): Promise<boolean> {
  if (place.memory.workedAfterEnd) return true
  const { workspace, checks } = place.session.state
  const { verified } = workspace
  const seen = Object.values(checks).flatMap(({ latest }) => latest?.fingerprint ?? [])
  const { doors } = await place.world()
  if (verified === undefined || doors.workspace === null) return false
  try {
    const now = await doors.workspace.fingerprint(place.signal)
    return now !== verified || (wasClaimedMeanwhile && seen.some((tree) => tree !== now))
  } catch {
    return true
  }
}

async function concluded(first: Going, place: Place): Promise<HostAnswer> {
  const { session } = place
  const going = first === 'broken-off' ? await afterBreak(place) : first
  const end = endOf(session.state)
  if (going === 'over' && end !== undefined)
    return end.outcome === 'unverified' && isQuiet(end) ? pass : letGo(end)
  const feedback = feedbackIn(place) ?? 'The checks have not confirmed that this is done.'
  remember(place, { sentBack: { turn: session.state.turn, feedback }, told: [] })
  return { kind: 'send-back', feedback }
}

/** A conversation need not hear after each answer that nothing was checked. */
function isQuiet({ verdicts }: StopTransition): boolean {
  return verdicts.length === 0
}

/** The time for the checks was over, or the ride itself is: what they would have said is not known, and counts as broken. */
async function afterBreak(place: Place): Promise<Going> {
  const { parts, session } = place
  if (!parts.signal.aborted) {
    const { phase, settings } = session.state
    const shown = settings.verifiers.filter(({ role }) => !runsLast(role)).map(({ name }) => name)
    const started: readonly Told[] =
      phase.kind === 'verifying' ? [] : [{ type: 'verification-started', trigger: 'claim', verifiers: shown }]
    const awaiting = phase.kind === 'verifying' ? phase.awaiting : shown
    if (awaiting.length > 0) await session.tell(...started, ...awaiting.map(undecided))
  }
  return goOn(place, new AbortController().signal)
}

function undecided(verifier: string): Told {
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
