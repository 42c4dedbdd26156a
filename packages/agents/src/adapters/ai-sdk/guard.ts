import { isStepCount, type ToolApprovalStatus, asSchema, type ModelMessage, type ToolSet } from 'ai'
import { namedConditions, type RequestedSteps } from './conditions.ts'
import type { StepCall } from './translate.ts'
import { fieldOf, type HostAnswer } from '../../protocol/host/index.ts'
import { refusalIn } from '../../session/index.ts'

export interface AgentSettings {
  readonly stopWhen?: unknown
  readonly toolApproval?: unknown
  readonly prepareCall?: unknown
}

export type GuardSettings = <Settings extends object>(settings: Settings) => Settings

interface Guarded {
  readonly ended: string | undefined
  proposeToolCall(call: StepCall): Promise<HostAnswer>
  noteCondition(name: string): void
}

const usualConditions = { 'isStepCount(20), the default of ToolLoopAgent': isStepCount(20) }

/** @param mayApprove the user chose the gate or approver, so its approval counts as the user's */
export function guardSettings(session: Guarded, mayApprove: boolean): GuardSettings {
  const guarded = ({ stopWhen, toolApproval }: AgentSettings) => ({
    stopWhen: stopConditions(stopWhen, session),
    toolApproval: gatedApproval(toolApproval, session, mayApprove),
  })
  return (settings) => {
    const { stopWhen = usualConditions, toolApproval, prepareCall }: AgentSettings = settings
    const own = { ...settings, ...guarded({ stopWhen, toolApproval }) }
    if (typeof prepareCall !== 'function') return own
    const guardedCall = async (call: AgentSettings) => {
      const seen = { ...call, stopWhen: stopWhen ?? isStepCount(20), toolApproval }
      const prepared: unknown = await Reflect.apply(prepareCall, undefined, [seen])
      const changed: AgentSettings = typeof prepared === 'object' && prepared !== null ? prepared : seen
      return { ...changed, ...guarded(changed) }
    }
    return { ...own, prepareCall: guardedCall }
  }
}

function stopConditions(own: unknown, session: Guarded) {
  const theirs = namedConditions(own).map((condition) => async (asked: RequestedSteps) => {
    const isMet = await condition.isMet(asked)
    if (isMet) session.noteCondition(condition.name)
    return isMet
  })
  return [...theirs, () => session.ended !== undefined]
}

/** Runs the gate first: nobody is asked about a call that it refuses. */
function gatedApproval(own: unknown, session: Guarded, mayApprove: boolean) {
  return async (asked: PermissionRequest): Promise<ToolApprovalStatus> => {
    const answer = await session.proposeToolCall(asked.toolCall)
    const isRefused = answer.kind === 'refuse' || answer.kind === 'end'
    const status = isRefused ? { type: 'not-applicable' as const } : await askOwnApproval(own, asked)
    return withGate(answer, status, mayApprove)
  }
}

type OwnStatus = Exclude<ToolApprovalStatus, string | undefined>

export function withGate(answer: HostAnswer, own: OwnStatus, mayApprove: boolean): OwnStatus {
  const reason = refusalIn(answer)
  if (answer.kind === 'pass')
    return own.type === 'user-approval' && mayApprove && answer.allowed === true
      ? { type: 'approved', reason: 'allowed by the gate' }
      : own
  if (answer.kind === 'ask')
    return own.type === 'denied' ? own : { type: 'user-approval', reason: answer.reason }
  return { type: 'denied', reason: reason ?? 'refused' }
}

interface PermissionRequest {
  readonly toolCall: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown }
  readonly tools: ToolSet | undefined
  readonly toolsContext: unknown
  readonly runtimeContext: unknown
  readonly messages: ModelMessage[]
}

/** Asks for an approval without a gate, as the SDK does. */
async function askOwnApproval(approval: unknown, asked: PermissionRequest): Promise<OwnStatus> {
  const { toolCall, tools, runtimeContext, messages } = asked
  const { toolCallId, toolName, input } = toolCall
  if (typeof approval === 'function') return statusOf(await callWith(approval, asked))
  const tool = tools !== undefined && Object.hasOwn(tools, toolName) ? tools[toolName] : undefined
  const context = await buildContext(tool, ownField(asked.toolsContext, toolName))
  const setting = ownField(approval, toolName) ?? undefined
  if (setting !== undefined) {
    const more = { toolCallId, messages, toolContext: context, runtimeContext }
    return statusOf(await callWith(setting, input, more))
  }
  const needs = await callWith(fieldOf(tool, 'needsApproval'), input, { toolCallId, messages, context })
  const isNeeded = needs !== undefined && needs !== null && needs !== false
  return { type: isNeeded ? 'user-approval' : 'not-applicable' }
}

/** @throws whatever the tool's schema throws for an invalid context */
async function buildContext(tool: ToolSet[string] | undefined, context: unknown): Promise<unknown> {
  const schema = tool?.contextSchema
  if (schema === undefined) return context
  const result = await asSchema(schema).validate?.(context)
  if (result?.success === false) throw result.error
  return result === undefined ? context : result.value
}

/** Asks the user about any status that the SDK does not know. */
function statusOf(given: unknown): OwnStatus {
  if (given === undefined) return { type: 'not-applicable' }
  const type = typeof given === 'string' ? given : ownField(given, 'type')
  const reason = ownField(given, 'reason')
  if (type === 'not-applicable') return { type }
  const known = type === 'approved' || type === 'denied' ? type : 'user-approval'
  return typeof reason === 'string' ? { type: known, reason } : { type: known }
}

function ownField(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  const field: unknown = Reflect.get(value, name)
  return field
}

async function callWith(asked: unknown, ...given: readonly unknown[]): Promise<unknown> {
  if (typeof asked !== 'function') return asked
  const answer: unknown = await Reflect.apply(asked, undefined, given)
  return answer
}
