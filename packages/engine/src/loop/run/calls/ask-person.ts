/** Who is asked where the gate does not decide alone, and what is kept of the answer. */
import type { Fact } from '@donecheck/core/events'
import { given } from '../../../base/index.ts'
import type { Approval, ApprovalQuestion, GateDecision, OpenQuestion } from '../../../ports/gate.ts'
import { tellNews } from './asked-before.ts'
import type { Question } from './ask-gate.ts'
import type { EffectContext } from '../perform/effect-context.ts'
import type { Session } from '../session/session.ts'
import { settleWithin } from '../perform/settle-within.ts'

/** Fails closed (I6). Undefined: nobody could finish the question, because the run is being interrupted. */
export async function askPerson(
  question: Question,
  { reason, amendment }: GateDecision,
  place: EffectContext,
): Promise<Approval | undefined> {
  const { session, signal, world } = place
  const { callId } = question
  const requested = { type: 'approval-requested' as const, callId, question: question.summary }
  await tellNews(callId, [requested], session, world)
  const asked = { ...question, reason, ...given({ amendment }) }
  const approval = await askApprover(asked, place)
  if (approval === undefined || signal.aborted) return undefined
  await session.tell({ type: 'approval-given', callId, ...approval })
  const problem = await learn(asked, approval, place)
  if (problem !== undefined) await session.tell(notKept(problem, session))
  return approval
}

/** Undefined: the run is suspended until somebody answers. */
async function askApprover(
  question: ApprovalQuestion,
  { session, world, signal }: EffectContext,
): Promise<Approval | undefined> {
  const { approver, drive, suspend } = world
  // An agent in the middle of its own turn waits for the answer itself: nobody can put it away.
  const isInTurn = drive.own?.toolOf(question.callId) !== undefined
  const mayLeave = suspend !== undefined && !isInTurn && approver.askOnce !== undefined
  const ask = () => (mayLeave ? approver.askOnce?.(question, signal) : approver.ask(question, signal))
  const settled = await settleWithin(async () => ask(), { signal })
  const answer = settled.kind === 'answered' ? settled.value : undefined
  if (isOpen(answer)) {
    suspend?.({ kind: 'question', id: answer.openQuestion })
    return undefined
  }
  if (isApproval(question.callId, answer, session)) return answer
  const problem = settled.kind === 'threw' ? settled.message : 'there was no answer that could be understood'
  return { approved: false, by: 'approver', reason: `nobody could be asked: ${problem}` }
}

function isOpen(value: Approval | OpenQuestion | undefined): value is OpenQuestion {
  return value !== undefined && 'openQuestion' in value
}

function isApproval(callId: string, value: Approval | undefined, session: Session): value is Approval {
  if (value === undefined) return false
  return session.problemOf({ type: 'approval-given', callId, ...value }) === undefined
}

/** What is to be remembered of an answer is the gate's. An answer that cannot be kept holds for this call. */
async function learn(
  question: ApprovalQuestion,
  approval: Approval,
  { world, signal }: EffectContext,
): Promise<string | undefined> {
  const { scope = 'once' } = approval
  const { gate } = world
  if (scope === 'once' || gate.learn === undefined) return undefined
  const keep = async () => gate.learn?.(question, approval, question.amendment)
  const settled = await settleWithin(keep, { signal })
  return settled.kind === 'threw' ? settled.message : undefined
}

function notKept(problem: string, { state }: Session): Fact {
  return {
    type: 'finding-noted',
    finding: {
      rule: 'answer_not_kept',
      level: 'warn',
      message: `an answer could not be kept as a rule: ${problem}`,
      numbers: {},
      key: problem,
      restsOn: [state.sequence],
    },
  }
}
