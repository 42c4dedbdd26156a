import type { Decision } from '@donecheck/core/decide'
import { problemOfFact, type FactOf } from '@donecheck/core/events'
import { given, messageOf } from '../../../base/index.ts'
import type { DriveAnswer } from '../../../ports/loop.ts'
import { effectSignal } from './effect-signal.ts'
import { costOfUsage, guessUsage } from './estimate-cost.ts'
import type { Session } from '../session/session.ts'
import { settleWithin } from './settle-within.ts'
import type { World } from '../session/world.ts'

type FinalSummary = Extract<Decision, { kind: 'final-summary' }>
type Replied = FactOf<'final-summary-replied'>

/** Announces the end that was decided, asks the drive once and without tools, records what it says or why it says nothing. */
export async function finalSummary(decision: FinalSummary, session: Session, world: World): Promise<void> {
  const { end, notice } = decision
  const [called] = await session.tell({ type: 'final-summary-called', end, notice })
  const startedMs = world.clock.nowMs()
  const fact = await ask(decision, session, world)
  const durationMs = Math.max(0, world.clock.nowMs() - startedMs)
  await session.tell({ ...fact, durationMs, ...given({ causeId: called?.id }) })
}

async function ask(decision: FinalSummary, session: Session, world: World): Promise<Replied> {
  const { conversation, state } = session
  const signal = effectSignal(world.signal, decision.deadlineMs, world.clock)
  const { messages, rounds } = conversation
  const last = { text: decision.notice, afterRounds: rounds.length, isLasting: true }
  const request = {
    runId: session.runId,
    turn: state.turn,
    attempt: 1,
    replies: state.replies,
    conversation: { ...conversation, messages: [...messages, last] },
    tools: [],
    maxOutputTokens: decision.maxOutputTokens,
    onText: world.onText,
  }
  const settled = await settleWithin(() => world.drive.next(request, signal), { signal })
  if (settled.kind === 'abandoned')
    return withoutSummary('the drive did not end when it was told to', session)
  if (settled.kind === 'threw') return withoutSummary(`the drive threw: ${settled.message}`, session)
  return acceptAnswer(settled.value, session)
}

/** What cannot be recorded was not said. */
function acceptAnswer(answer: DriveAnswer, session: Session): Replied {
  try {
    const fact = summaryFact(answer, session)
    const problem = problemOfFact(fact)
    return problem === undefined ? fact : withoutSummary(`the drive answered nonsense: ${problem}`, session)
  } catch (error) {
    return withoutSummary(`the drive answered nonsense: ${messageOf(error)}`, session)
  }
}

function summaryFact(answer: DriveAnswer, session: Session): Replied {
  if (answer.kind === 'failed') {
    const { usage, failure } = answer
    // A call that we broke off was sent, and nobody says what it used.
    if (usage === null && failure.kind === 'interrupted') return withoutSummary(failure.message, session)
    return nothing(failure.message, usage, session)
  }
  const { text, toolCalls, problem } = answer
  const usage = answer.usage ?? guessUsage(text, session.state)
  const droppedCalls = toolCalls.length
  if (text.trim() === '')
    return { ...nothing(problem ?? 'the drive said nothing', usage, session), droppedCalls }
  const costUsd = costOfUsage(usage, session.state)
  return { type: 'final-summary-replied', text, droppedCalls, usage, costUsd }
}

/** For a call that went out: unknown is not nothing (I9). */
function withoutSummary(problem: string, session: Session): Replied {
  return nothing(problem, guessUsage('', session.state), session)
}

function nothing(problem: string, usage: Replied['usage'], session: Session): Replied {
  const costUsd = costOfUsage(usage, session.state)
  return { type: 'final-summary-replied', text: '', droppedCalls: 0, usage, costUsd, problem }
}
