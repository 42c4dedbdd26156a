/** Everything that can stand in the way of a call, from its name to a person's no. */
import type { Fact, ToolCall } from '@donecheck/core/events'
import type { RefusalLabel } from '@donecheck/core/gate'
import { given } from '../../../base/index.ts'
import type { GateDecision } from '../../../ports/gate.ts'
import type { PreparedCall, Tool } from '../../../ports/loop.ts'
import { askGate, type Question } from './ask-gate.ts'
import { askPerson } from './ask-person.ts'
import { fireHooks } from '../hooks/fire-hooks.ts'
import type { EffectContext } from '../perform/effect-context.ts'
import type { Session } from '../session/session.ts'
import { settleWithin } from '../perform/settle-within.ts'
import type { Clearing } from '../session/world.ts'

type Refused = Extract<Fact, { type: 'tool-refused' }>
export type Ready = Exclude<PreparedCall, { kind: 'invalid' }>

export type AuthorizedCall =
  | {
      readonly kind: 'cleared'
      readonly tool: Tool
      readonly args: ToolCall['args']
      readonly prepared: Ready
      readonly outsideSandbox: boolean
      /** Somebody was asked, and said yes. */
      readonly isApproved: boolean
    }
  | Refusal

interface Refusal {
  readonly kind: 'refused'
  readonly fact: Omit<Refused, 'type' | 'callId'>
}

/** In this order: is there such a tool, what the hooks say, are the arguments right, what the gate says, what a person says. */
export async function authorizeCall(
  call: ToolCall,
  session: Session,
  world: Clearing,
  signal: AbortSignal,
): Promise<AuthorizedCall> {
  const place = { session, world, signal }
  const { callId } = call
  const own = world.drive.own?.toolOf(callId)
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
  // It runs already: there is nothing to allow.
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

/** A tool that throws while it looks at its arguments, or never answers, cannot take them. */
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

/** Undefined: the call may run. */
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

/** Where no person looks, nobody has denied anything: what was asked for says more. */
function labelOf({ label = 'approval_required' }: GateDecision, { world }: EffectContext): RefusalLabel {
  if (world.approver.isAttended !== false) return 'approval_denied'
  return label === 'approval_required' ? 'approval_unavailable' : label
}
