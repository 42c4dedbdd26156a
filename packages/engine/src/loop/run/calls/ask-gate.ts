/** What the gate says of a call, and what of it is recorded. */
import { given } from '../../../base/index.ts'
import type { ApprovalQuestion, GateDecision } from '../../../ports/gate.ts'
import type { HookResults } from '../../../ports/callbacks.ts'
import { tellNews } from './asked-before.ts'
import type { EffectContext } from '../perform/effect-context.ts'
import type { Session } from '../session/session.ts'
import { settleWithin } from '../perform/settle-within.ts'

export type Question = Omit<ApprovalQuestion, 'reason'>

/** The most severe of the gate's decision and the hooks' holds. Told, where there is something to tell. */
export async function askGate(
  question: Question,
  hooked: HookResults['before_tool_call'],
  place: EffectContext,
): Promise<GateDecision> {
  const decided = withHook(await gateDecision(question, place), hooked)
  const { kind, matches = [], shadow } = decided
  const isPlain = kind === 'allow' && matches.length === 0 && shadow === undefined
  const { callId } = question
  if (!isPlain) await tellNews(callId, [decidedFact(callId, decided)], place.session, place.world)
  return decided
}

/** The gate fails closed (I7). */
async function gateDecision(
  question: Question,
  { session, world, signal }: EffectContext,
): Promise<GateDecision> {
  const settled = await settleWithin(() => world.gate.check(question), { signal })
  if (settled.kind === 'answered' && isDecision(settled.value, session)) return settled.value
  const problem = settled.kind === 'threw' ? settled.message : 'it gave no decision'
  return { kind: 'forbidden', reason: `the gate failed: ${problem}`, label: 'gate_failed' }
}

/** Whatever else a gate answers is not a yes. */
function isDecision(value: GateDecision | undefined, session: Session): value is GateDecision {
  if (value === undefined || typeof value !== 'object') return false
  return session.problemOf(decidedFact('', value)) === undefined
}

/** A hook may ask where the gate would allow; it cannot allow what the gate does not. */
function withHook(
  decided: GateDecision,
  { decision, reason }: HookResults['before_tool_call'],
): GateDecision {
  if (decision !== 'prompt' || decided.kind !== 'allow') return decided
  const asked = { kind: 'prompt', label: 'approval_required' } as const
  return { ...decided, ...asked, reason: reason ?? 'a hook wants it asked for' }
}

function decidedFact(callId: string, decided: GateDecision) {
  const { kind, reason, label, matches = [], shadow } = decided
  const said = { decision: kind, reason, ...given({ label }), matches, ...given({ shadow }) }
  return { type: 'gate-decided' as const, callId, ...said }
}
