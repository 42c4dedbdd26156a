import type { Decision } from '@donecheck/core/internal/decide'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import { undecidedResult, type Verifier, type VerifierContext } from '../../ports/checks.ts'
import type { LiveRun } from './session/session.ts'
import { askForReport, contextOfRun } from './verify/trees.ts'
import type { World } from './session/world.ts'
import type { NewEvent } from '@donecheck/core/internal/events'
import type { RunState } from '@donecheck/core/internal/state'
import { settleWithin } from './perform/settle-within.ts'

type JudgeReply = Extract<Decision, { kind: 'judge-reply' }>

/** Announces the judge, runs it on the latest reply and records the verdict. An interrupt leaves it open. */
export async function judgeReply(decision: JudgeReply, session: LiveRun, world: World): Promise<void> {
  const { attempt, maxAttempts } = decision
  await session.tell({ type: 'reply-judging-started', attempt, maxAttempts })
  const startedMs = world.clock.nowMs()
  const verdict = await verdictOf(attempt, session, world)
  if (world.signal.aborted) return
  const durationMs = Math.max(0, world.clock.nowMs() - startedMs)
  await session.tell({ type: 'reply-judged', attempt, verdict: { ...verdict, durationMs }, durationMs })
}

async function verdictOf(attempt: number, session: LiveRun, world: World): Promise<Verdict> {
  const judge = world.replies?.judge
  if (judge === undefined)
    return { ...undecidedResult(goneSince, 'infrastructure'), verifier: 'judge', durationMs: 0 }
  const context = contextOf(attempt, judge, session, world)
  const report = await askForReport(() => judge.verify(context, world.signal), 'claim', world.signal)
  const { attachments = [], ...said } = report
  for (const attachment of attachments) await session.attach(attachment)
  return { ...said, verifier: judge.description.name, durationMs: 0 }
}

const goneSince = 'the judge of replies was part of the run when it started and is not there now'

function contextOf(
  attempt: number,
  { description }: Verifier,
  session: LiveRun,
  world: World,
): VerifierContext {
  const history = world
    .history()
    .flatMap((event) =>
      event.type === 'reply-judged' && event.attempt < attempt && event.verdict.verifier === description.name
        ? [event.verdict]
        : [],
    )
  const { workFolder, replyCheck } = session.state
  const finalText = replyCheck?.latest?.text ?? ''
  const context = contextOfRun(session, world, history)
  return { ...context, workFolder, finalText, trigger: 'claim', baseline: undefined }
}

type SettleReply = Extract<Decision, { kind: 'settle-reply' }>

const maxDeliveryMs = 600_000

/** Records the decision, then delivers the reply at most once, even after a crash (I4). */
export async function settleReply({ settled }: SettleReply, session: LiveRun, world: World): Promise<void> {
  await session.tell({ type: 'reply-settled', ...settled })
  if (settled.delivers) await session.tell(await deliver(session, world))
}

type Delivered = Extract<NewEvent, { type: 'reply-delivered' }>

async function deliver(session: LiveRun, { replies, signal }: World): Promise<Delivered> {
  const handOn = replies?.deliver
  const reply = session.state.replyCheck?.settled
  if (handOn === undefined || reply === undefined) return failed('nobody is here who takes replies')
  const { text, ending, attempt, message } = reply
  const isVerified = ending === 'passed' && session.state.settings.replyCheck?.verifies === true
  const handed = { runId: session.runId, text, ending, attempt, message, isVerified }
  const settled = await settleWithin(async () => handOn(handed, signal), { signal, maxMs: maxDeliveryMs })
  if (settled.kind === 'threw') return failed(settled.message)
  return settled.kind === 'answered'
    ? { type: 'reply-delivered', status: 'delivered' }
    : unknownDelivery('whoever takes replies did not answer')
}

function failed(problem: string): Delivered {
  return { type: 'reply-delivered', status: 'failed', problem }
}

function unknownDelivery(problem: string): Delivered {
  return { type: 'reply-delivered', status: 'unknown', problem }
}

/** An interrupted delivery may have arrived, so it is not repeated. */
export function findBrokenOffDelivery({ replyCheck }: RunState): Delivered | undefined {
  const settled = replyCheck?.settled
  return settled?.delivers === true && settled.delivery === undefined
    ? unknownDelivery('the process ended while the reply was delivered; it is not delivered again')
    : undefined
}
