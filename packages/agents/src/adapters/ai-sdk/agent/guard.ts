/** An agent's own settings, with our stop condition and our gate beside its own. */
import { isStepCount, type ToolApprovalStatus } from 'ai'
import { askOwnApproval, withGate, type PermissionRequest, type OwnApproval } from './approval.ts'
import { namedConditions, type RequestedSteps } from '../conditions/conditions.ts'
import type { Generation } from './generation.ts'

/** Settings of a `ToolLoopAgent`, or of any other agent that takes these. */
export interface AgentSettings {
  readonly stopWhen?: unknown
  readonly toolApproval?: unknown
  readonly prepareCall?: unknown
}

/** Puts a guard on settings of an agent. All that they say themselves stays. */
export type GuardSettings = <Settings extends object>(settings: Settings) => Settings

export interface Guarding {
  readonly generation: () => Generation
  /** The gate or the approver was chosen by the user, so that their yes is a yes to the SDK. */
  readonly mayApprove: boolean
  /** A condition of the agent's own was met. */
  readonly onCondition: (name: string) => void
}

/** What `ToolLoopAgent` takes where nothing is said. */
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
