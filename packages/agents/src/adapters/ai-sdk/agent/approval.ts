/** What donecheck's gate says of a call, as a status of the SDK's tool approval. It never makes one weaker. */
import { asSchema, type ModelMessage, type ToolApprovalStatus, type ToolSet } from 'ai'
import { fieldOf, type HostAnswer } from '../../../protocol/host/index.ts'

/** The status as the SDK itself would have found it, always as an object. */
export type OwnStatus = Exclude<ToolApprovalStatus, string | undefined>

/** @param mayApprove the gate was chosen by the user, so its yes stands for theirs */
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

/** What the SDK tells of a call that may need an approval, as far as its own way to decide reads it. */
export interface PermissionRequest {
  readonly toolCall: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown }
  readonly tools: ToolSet | undefined
  readonly toolsContext: unknown
  readonly runtimeContext: unknown
  readonly messages: ModelMessage[]
}

/** The setting of an agent, in any of the SDK's shapes: one function for all tools, or a status or function for each. */
export type OwnApproval = ((asked: never) => unknown) | Readonly<Record<string, unknown>> | undefined

/** As the SDK decides it: one function for all, else the setting of the tool, else what the tool says of itself. */
export async function askOwnApproval(approval: OwnApproval, asked: PermissionRequest): Promise<OwnStatus> {
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
