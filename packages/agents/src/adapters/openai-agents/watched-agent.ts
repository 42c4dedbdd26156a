import { callMethod, fieldOf, listIn, textIn, jsonValueOf, textOf } from '../../protocol/host/index.ts'
import {
  isAgent,
  itemsIn,
  usageOf,
  type AgentLike,
  callOf,
  type Item,
  type AgentsSession,
  type RunnerLike,
} from './translate.ts'

const hookEvents = [
  'agent_start',
  'agent_end',
  'agent_handoff',
  'agent_tool_start',
  'agent_tool_end',
] as const

/** Copies the agent, its tools and handoff agents. MCP tools and handoff objects cannot be watched. */
export function watchAgent(agent: AgentLike, session: AgentsSession): AgentLike {
  return copyOf(agent, session, new Map())
}

function copyOf(agent: AgentLike, session: AgentsSession, copies: Map<object, AgentLike>): AgentLike {
  const known = copies.get(agent)
  if (known !== undefined) return known
  const tools = listIn(agent, 'tools').map((tool) => guardedTool(tool, session))
  const copy = callMethod(agent, 'clone', { tools })
  if (!isAgent(copy)) return agent
  copies.set(agent, copy)
  // Agents may hand off to each other in a circle.
  const handoffs = listIn(agent, 'handoffs').map((each) =>
    isAgent(each) && 'clone' in each ? copyOf(each, session, copies) : each,
  )
  Object.assign(copy, { handoffs })
  for (const event of hookEvents) {
    callMethod(copy, 'on', event, (context: unknown, ...given: readonly unknown[]) => {
      session.counts(usageOf(context))
      callMethod(agent, 'emit', event, context, ...given)
    })
  }
  return copy
}

const itemTypes = new Map([
  ['function', 'function_call'],
  ['shell', 'shell_call'],
  ['apply_patch', 'apply_patch_call'],
])

function guardedTool(tool: unknown, session: AgentsSession): unknown {
  const kind = textIn(tool, 'type') ?? ''
  const type = itemTypes.get(kind)
  if (typeof tool !== 'object' || tool === null || type === undefined) return tool
  const needsApproval = approvalOf(tool, session, (callId, input) =>
    kind === 'function'
      ? { type, callId, name: textIn(tool, 'name') ?? 'function', arguments: textOf(jsonValueOf(input)) }
      : { type, callId, action: input, operation: input },
  )
  if (kind !== 'function') return { ...tool, needsApproval }
  return {
    ...tool,
    needsApproval,
    inputGuardrails: [...listIn(tool, 'inputGuardrails'), toolGuardrail(session)],
  }
}

function toolGuardrail(session: AgentsSession) {
  return {
    type: 'tool_input' as const,
    name: 'donecheck',
    run: async ({ toolCall }: { readonly toolCall: unknown }) => {
      const call = callOf(toolCall, session.acts)
      const answer = call === undefined ? undefined : await session.proposeCall(call)
      if (answer === undefined || answer.kind === 'pass' || answer.kind === 'ask')
        return { behavior: { type: 'allow' as const } }
      const message = answer.kind === 'refuse' ? answer.reason : 'this run is over'
      return { behavior: { type: 'rejectContent' as const, message }, outputInfo: { refusedBy: 'donecheck' } }
    },
  }
}

/** Needs approval if the gate asks for it, or refuses a tool without a guardrail. */
function approvalOf(
  tool: object,
  session: AgentsSession,
  itemFor: (callId: string, input: unknown) => object,
) {
  const hasGuardrail = fieldOf(tool, 'type') === 'function'
  return async (context: unknown, input: unknown, callId: unknown): Promise<boolean> => {
    const call = typeof callId === 'string' ? callOf(itemFor(callId, input), session.acts) : undefined
    const answer = call === undefined ? undefined : await session.proposeCall(call)
    if (answer?.kind === 'ask') return true
    if (answer !== undefined && answer.kind !== 'pass') return !hasGuardrail
    return (await callMethod(tool, 'needsApproval', context, input, callId)) === true
  }
}

class EndedError extends Error {
  override readonly name = 'EndedError'
}

export function isEndedByUs(error: unknown): boolean {
  for (let each = error, depth = 0; each !== undefined && depth < 8; depth += 1) {
    if (each instanceof EndedError) return true
    each = fieldOf(each, 'cause') ?? fieldOf(each, 'error')
  }
  return false
}

export function filteringFor(
  session: AgentsSession,
  runner: RunnerLike,
  runOptions: object,
  onItems: (items: readonly Item[]) => void,
) {
  const theirs = fieldOf(runOptions, 'callModelInputFilter') ?? runner.config?.callModelInputFilter
  return {
    callModelInputFilter: async (asked: { readonly modelData: object }): Promise<unknown> => {
      const items = itemsIn(asked.modelData, 'input')
      onItems(items)
      const { advice, end } = await session.beforeModel(items)
      if (end !== undefined) throw new EndedError(end)
      const said = advice.map((content) => ({ role: 'user', content }))
      const modelData =
        advice.length === 0 ? asked.modelData : { ...asked.modelData, input: [...items, ...said] }
      if (typeof theirs !== 'function') return modelData
      const filtered: unknown = await Reflect.apply(theirs, undefined, [{ ...asked, modelData }])
      return filtered
    },
  }
}
