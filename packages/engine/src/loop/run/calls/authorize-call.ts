import type { Fact, ToolCall } from '@donecheck/core/internal/events'
import type { RefusalLabel } from '@donecheck/core/internal/events/gate'
import { given } from '../../../base/index.ts'
import type { GateDecision, ApprovalQuestion, Approval, OpenQuestion } from '../../../ports/gate.ts'
import type { PreparedCall, Tool } from '../../../ports/loop.ts'
import { fireHooks } from '../hooks.ts'
import { tellNews } from './call-records.ts'
import type { EffectContext, Clearing } from '../session/world.ts'
import type { LiveRun } from '../session/session.ts'
import { settleWithin } from '../perform/settle-within.ts'
import type { HookResults } from '../../../ports/callbacks.ts'

type Refused = Extract<Fact, { type: 'tool-refused' }>
type Ready = Exclude<PreparedCall, { kind: 'invalid' }>

type AuthorizedCall =
  | {
      readonly kind: 'cleared'
      readonly tool: Tool
      readonly args: ToolCall['args']
      readonly prepared: Ready
      readonly outsideSandbox: boolean
      readonly isApproved: boolean
    }
  | Refusal

interface Refusal {
  readonly kind: 'refused'
  readonly fact: Omit<Refused, 'type' | 'callId'>
}

/** In order: the tool exists, hooks, arguments, gate, person. */
export async function authorizeCall(
  call: ToolCall,
  session: LiveRun,
  world: Clearing,
  signal: AbortSignal,
): Promise<AuthorizedCall> {
  const place = { session, world, signal }
  const { callId } = call
  const own = world.agent.own?.toolOf(callId)
  const tool = own ?? world.tools.find(({ name }) => name === call.tool)
  if (tool === undefined) return refuseCall('schema', unknownTool(call.tool, world.tools))
  if (call.malformed !== undefined) return refuseCall('schema', `unreadable arguments: ${call.malformed}`)
  const kept = session.argumentsOf(callId, call.args)
  if (kept.isRecord && JSON.stringify(kept.args).includes('[masked:')) return refuseCall('record', lostSecret)
  const asked = { callId, tool: tool.name, effect: tool.effect, args: kept.args }
  const hooked = await fireHooks('before_tool_call', asked, session, world, signal)
  if (hooked.decision === 'forbidden')
    return refuseCall('hook', hooked.reason ?? 'a hook forbids it', { label: 'hook_denied' })
  const args = hooked.args ?? kept.args
  const prepared = await prepare(tool, args, signal)
  if (prepared.kind === 'invalid')
    return refuseCall('schema', prepared.reason, given({ label: prepared.label }))
  // It runs already, so it needs no approval.
  if (own?.isAsked === false)
    return { kind: 'cleared', tool, args, prepared, outsideSandbox: false, isApproved: false }
  const { summary, preview, action } = prepared
  const question = {
    runId: session.runId,
    ...asked,
    args,
    summary,
    ...given({ preview, action }),
    ...(own?.hasOwnPermissions === true ? { hasOwnPermissions: true as const } : {}),
  }
  const decided = await askGate(question, hooked, place)
  const refusal = await findRefusal(question, decided, place)
  if (refusal !== undefined) return refusal
  const outsideSandbox = decided.outsideSandbox === true
  return { kind: 'cleared', tool, args, prepared, outsideSandbox, isApproved: decided.kind === 'prompt' }
}

const lostSecret = 'a secret in its arguments was not kept over the restart; propose the call again'

function refuseCall(by: Refused['by'], reason: string, more: Pick<Refused, 'label'> = {}): Refusal {
  return { kind: 'refused', fact: { by, reason, ...more } }
}

function unknownTool(name: string, tools: readonly Tool[]): string {
  const known = tools.map((tool) => tool.name).join(', ')
  return `there is no tool "${name}"; the tools are: ${known === '' ? '(none)' : known}`
}

export async function prepare(
  tool: Tool,
  args: ToolCall['args'],
  signal: AbortSignal,
): Promise<PreparedCall> {
  const settled = await settleWithin(() => tool.prepare(args), { signal })
  if (settled.kind === 'answered' && isPrepared(settled.value)) return settled.value
  const problem = settled.kind === 'threw' ? settled.message : 'it gave no answer that could be understood'
  return { kind: 'invalid', reason: `${tool.name} failed on its arguments: ${problem}` }
}

function isPrepared(value: PreparedCall | undefined): value is PreparedCall {
  return value?.kind === 'ready' || value?.kind === 'sub-runs' || value?.kind === 'invalid'
}

async function findRefusal(
  question: Question,
  decided: GateDecision,
  place: EffectContext,
): Promise<Refusal | undefined> {
  if (decided.kind === 'allow') return undefined
  if (decided.kind === 'forbidden') return refuseCall('gate', decided.reason, given({ label: decided.label }))
  const approval = await askPerson(question, decided, place)
  if (approval === undefined) return refuseCall('approver', 'interrupted')
  if (approval.approved) return undefined
  return refuseCall('approver', approval.reason, { label: labelOf(decided, place) })
}

function labelOf({ label = 'approval_required' }: GateDecision, { world }: EffectContext): RefusalLabel {
  if (world.approver.isAttended !== false) return 'approval_denied'
  return label === 'approval_required' ? 'approval_unavailable' : label
}

type Question = Omit<ApprovalQuestion, 'reason'>

async function askGate(
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

/** Fails closed (I7). */
async function gateDecision(
  question: Question,
  { session, world, signal }: EffectContext,
): Promise<GateDecision> {
  const settled = await settleWithin(() => world.gate.check(question), { signal })
  if (settled.kind === 'answered' && isDecision(settled.value, session)) return settled.value
  const problem = settled.kind === 'threw' ? settled.message : 'it gave no decision'
  return { kind: 'forbidden', reason: `the gate failed: ${problem}`, label: 'gate_failed' }
}

function isDecision(value: GateDecision | undefined, session: LiveRun): value is GateDecision {
  if (value === undefined || typeof value !== 'object') return false
  return session.problemOf(decidedFact('', value)) === undefined
}

/** A hook may ask if the gate would allow, but it cannot allow what the gate does not. */
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

/** Fails closed (I6). Undefined if the run is being interrupted. */
async function askPerson(
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

/** Undefined if the run is suspended until an answer arrives. */
async function askApprover(
  question: ApprovalQuestion,
  { session, world, signal }: EffectContext,
): Promise<Approval | undefined> {
  const { approver, agent, suspend } = world
  // An agent in the middle of its turn waits itself, so this question cannot be postponed.
  const isInTurn = agent.own?.toolOf(question.callId) !== undefined
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

function isApproval(callId: string, value: Approval | undefined, session: LiveRun): value is Approval {
  if (value === undefined) return false
  return session.problemOf({ type: 'approval-given', callId, ...value }) === undefined
}

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

function notKept(problem: string, { state }: LiveRun): Fact {
  return {
    type: 'finding-noted',
    finding: {
      rule: 'answer_not_kept',
      level: 'warn',
      message: `an answer could not be kept as a rule: ${problem}`,
      numbers: {},
      key: problem,
      basedOn: [state.sequence],
    },
  }
}
