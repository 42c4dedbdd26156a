/** Who is asked where the gate does not decide alone, and what is kept of the answer. */
import type { Fact } from '@donecheck/core/events'
import type { Approval, ApprovalQuestion, GateDecision } from '../../../ports/gate.ts'
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
  const { session, signal } = place
  const { callId } = question
  await session.tell({ type: 'approval-requested', callId, question: question.summary })
  const asked = { ...question, reason, ...(amendment === undefined ? {} : { amendment }) }
  const approval = await askApprover(asked, place)
  if (signal.aborted) return undefined
  await session.tell({ type: 'approval-given', callId, ...approval })
  const problem = await learn(asked, approval, place)
  if (problem !== undefined) await session.tell(notKept(problem, session))
  return approval
}

async function askApprover(
  question: ApprovalQuestion,
  { session, world, signal }: EffectContext,
): Promise<Approval> {
  const settled = await settleWithin(() => world.approver.ask(question, signal), { signal })
  if (settled.kind === 'answered' && isApproval(question.callId, settled.value, session)) return settled.value
  const problem = settled.kind === 'threw' ? settled.message : 'there was no answer that could be understood'
  return { approved: false, by: 'approver', reason: `nobody could be asked: ${problem}` }
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
  const settled = await settleWithin(async () => gate.learn?.(question, approval, question.amendment), {
    signal,
  })
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
