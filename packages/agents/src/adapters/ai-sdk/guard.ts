import { isStepCount, type ToolApprovalStatus, asSchema, type ModelMessage, type ToolSet } from 'ai'
import { namedConditions, type RequestedSteps } from './conditions.ts'
import type { Generation } from './generation.ts'
import { fieldOf, type HostAnswer } from '../../protocol/host/index.ts'

export interface AgentSettings {
  readonly stopWhen?: unknown
  readonly toolApproval?: unknown
  readonly prepareCall?: unknown
}

export type GuardSettings = <Settings extends object>(settings: Settings) => Settings

export interface Guarding {
  readonly generation: () => Generation
  /** The user chose the gate or the approver, so its approval counts as the user's approval to the SDK. */
  readonly mayApprove: boolean
  readonly onCondition: (name: string) => void
}

const usualConditions = { 'isStepCount(20), the default of ToolLoopAgent': isStepCount(20) }

export function guardSettings(guarding: Guarding): GuardSettings {
  return (settings) => {
    const { stopWhen, toolApproval, prepareCall }: AgentSettings = settings
    const guarded = {
      ...settings,
      stopWhen: stopConditions(stopWhen ?? usualConditions, guarding),
      toolApproval: gatedApproval(approvalOf(toolApproval), guarding),
    }
    if (typeof prepareCall !== 'function') return guarded
    return { ...guarded, prepareCall: guardedCall(prepareCall, settings, guarding) }
  }
}

/** What prepares a call sees and may change the agent's own settings; the guard is put on what comes out of it. */
function guardedCall(prepareCall: object, own: AgentSettings, guarding: Guarding) {
  return async (call: AgentSettings) => {
    const { stopWhen, toolApproval } = own
    const seen = { ...call, stopWhen: stopWhen ?? isStepCount(20), toolApproval }
    const prepared: unknown = await (typeof prepareCall === 'function'
      ? Reflect.apply(prepareCall, undefined, [seen])
      : undefined)
    const settings: AgentSettings = typeof prepared === 'object' && prepared !== null ? prepared : seen
    return {
      ...settings,
      stopWhen: stopConditions(settings.stopWhen, guarding),
      toolApproval: gatedApproval(approvalOf(settings.toolApproval), guarding),
    }
  }
}

function stopConditions(own: unknown, { generation, onCondition }: Guarding) {
  const theirs = namedConditions(own).map((condition) => async (asked: RequestedSteps) => {
    const met = await condition.isMet(asked)
    if (met) onCondition(condition.name)
    return met
  })
  return [...theirs, () => generation().isOver]
}

/** The gate first: what it refuses nobody is asked for. */
function gatedApproval(own: OwnApproval, { generation, mayApprove }: Guarding) {
  return async (asked: PermissionRequest): Promise<ToolApprovalStatus> => {
    const answer = await generation().proposeToolCall(asked.toolCall)
    if (answer.kind === 'refuse' || answer.kind === 'end')
      return withGate(answer, { type: 'not-applicable' }, false)
    return withGate(answer, await askOwnApproval(own, asked), mayApprove)
  }
}

function approvalOf(given: unknown): OwnApproval {
  if (typeof given === 'function')
    return (asked: never) => {
      const status: unknown = Reflect.apply(given, undefined, [asked])
      return status
    }
  return typeof given === 'object' && given !== null ? Object.fromEntries(Object.entries(given)) : undefined
}

type OwnStatus = Exclude<ToolApprovalStatus, string | undefined>

/** @param mayApprove the user chose the gate or the approver, so its approval counts as the user's */
export function withGate(answer: HostAnswer, own: OwnStatus, mayApprove: boolean): OwnStatus {
  switch (answer.kind) {
    case 'refuse':
      return { type: 'denied', reason: answer.reason }
    case 'end':
      return { type: 'denied', reason: answer.message }
    case 'block':
      return { type: 'denied', reason: answer.feedback }
    case 'ask':
      return own.type === 'denied' ? own : { type: 'user-approval', reason: answer.reason }
    case 'pass':
      return own.type === 'user-approval' && mayApprove && answer.allowed === true
        ? { type: 'approved', reason: 'allowed by the gate' }
        : own
  }
}

interface PermissionRequest {
  readonly toolCall: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown }
  readonly tools: ToolSet | undefined
  readonly toolsContext: unknown
  readonly runtimeContext: unknown
  readonly messages: ModelMessage[]
}

type OwnApproval = ((asked: never) => unknown) | Readonly<Record<string, unknown>> | undefined

async function askOwnApproval(approval: OwnApproval, asked: PermissionRequest): Promise<OwnStatus> {
  const { toolCall, tools, runtimeContext, messages } = asked
  const { toolCallId, toolName, input } = toolCall
  if (typeof approval === 'function') return statusOf(await callWith(approval, asked))
  const tool = tools !== undefined && Object.hasOwn(tools, toolName) ? tools[toolName] : undefined
  const context = await buildContext(tool, ownField(asked.toolsContext, toolName))
  const setting = ownField(approval, toolName)
  if (typeof setting === 'function')
    return statusOf(
      await callWith(setting, input, { toolCallId, messages, toolContext: context, runtimeContext }),
    )
  if (setting !== undefined && setting !== null) return statusOf(setting)
  const needs = fieldOf(tool, 'needsApproval')
  const isNeeded =
    typeof needs === 'function' ? await callWith(needs, input, { toolCallId, messages, context }) : needs
  return isNeeded === undefined || isNeeded === null || isNeeded === false
    ? { type: 'not-applicable' }
    : { type: 'user-approval' }
}

/** As the tool declares it. @throws what its schema says of a context that does not fit */
async function buildContext(tool: ToolSet[string] | undefined, context: unknown): Promise<unknown> {
  const schema = tool?.contextSchema
  if (schema === undefined) return context
  const result = await asSchema(schema).validate?.(context)
  if (result === undefined) return context
  if (result.success) return result.value
  throw result.error
}

/** Whatever is not a status that the SDK knows is asked for. */
function statusOf(given: unknown): OwnStatus {
  if (given === undefined) return { type: 'not-applicable' }
  const type = typeof given === 'string' ? given : ownField(given, 'type')
  const reason = ownField(given, 'reason')
  const why = typeof reason === 'string' ? { reason } : {}
  switch (type) {
    case 'not-applicable':
      return { type }
    case 'approved':
      return { type, ...why }
    case 'denied':
      return { type, ...why }
    default:
      return { type: 'user-approval', ...why }
  }
}

/** Only what an object has itself: the name of a tool comes from the model. */
function ownField(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  const field: unknown = Reflect.get(value, name)
  return field
}

async function callWith(asked: unknown, ...given: readonly unknown[]): Promise<unknown> {
  if (typeof asked !== 'function') return undefined
  const answer: unknown = await Reflect.apply(asked, undefined, given)
  return answer
}
