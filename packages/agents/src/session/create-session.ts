import { partsOf } from '@donecheck/engine/internal/loop/compose'
import { problemOfFact, type JsonValue } from '@donecheck/core/internal/events'
import type { AgentDescription } from '@donecheck/core/internal/events/settings'
import { pathRule, type PolicyRule } from '@donecheck/engine/gate'
import type { Agent } from '@donecheck/engine/internal/ports/loop'
import { fireRunStarted, observe, perform, takeInRequests, wake } from '@donecheck/engine/internal/loop/run'
import { donecheckVersion, given } from '@donecheck/engine/internal/base'
import type { Aggregator } from '@donecheck/core/internal/decide/aggregate'
import type { Rule } from '@donecheck/core/internal/state'
import { placesOf } from './calls/prepare-call.ts'
import { hostAgent } from './record/session-context.ts'
import {
  type Engine,
  type AgentSessionParts,
  type SessionJudging,
  type SessionWorld,
  type AgentSession,
  type AgentSessionOptions,
} from './session.ts'
import { sessionOver } from './session-handler.ts'

/** Creates a session over a loop that a host owns. @throws {UsageError} for contradictory options */
export async function createAgentSession(options: AgentSessionOptions): Promise<AgentSession> {
  return sessionOver(agentSessionParts(options))
}

const engine: Engine = { fireRunStarted, observe, perform, takeInRequests, wake }

const defaultBlockedStops = 5

/** The parts of a session whose checks are loaded already. @throws {UsageError} for contradictory options */
export function agentSessionParts(options: AgentSessionOptions): AgentSessionParts {
  const agent = hostAgent(descriptionOf(options))
  const ownPlaces = placesOf(options.keepUntouched ?? [], options.workFolder ?? null)
  const loop = loopOf(options, agent, { ownPlaces, baselineRunId: null })
  const { secrets, judgement, settings, tags, workFolder, sandbox, doors } = loop
  const { store, clock, ids } = doors
  const { onBrokenCheck = 'hold', approver } = options
  const sessionId = options.sessionId ?? ids.next()
  const recipe: JsonValue = options.recipe ?? { agentSession: { agent: options.agent, sessionId } }
  const doorsFor = (baselineRunId: string | null): typeof doors =>
    baselineRunId === null
      ? doors
      : loopOf({ ...options, store, clock, ids }, agent, { ownPlaces, baselineRunId }).doors
  const judging: SessionJudging = {
    judgement: {
      ...judgement,
      rules: onBrokenCheck === 'allow-stop' ? [...judgement.rules, brokenCheck] : judgement.rules,
      hostOwnsLoop: true,
    },
    problemOf: problemOfFact,
  }
  const beginning: SessionWorld['beginning'] = {
    type: 'run-started',
    ...{ donecheckVersion, workFolder, settings, recipe },
    agent: agent.description,
    ...(sandbox === null ? {} : { sandbox }),
    ...(tags.length === 0 ? {} : { tags }),
  }
  return {
    ...{ store, clock, ids, secrets, workFolder, judging },
    agent: options.agent,
    sessionId,
    ownPlaces,
    choices: {
      onBrokenCheck,
      whenUnchanged: options.whenUnchanged ?? 'verify',
      onGatePrompt: options.onGatePrompt ?? (approver === undefined ? 'agent' : 'approver'),
      baseline: options.baseline ?? 'checks',
      reportsUsage: options.reportsUsage ?? false,
      silentFailures: options.silentFailures ?? false,
    },
    ...given({ agreedAtMs: options.agreedAtMs }),
    signal: loop.signal,
    watchesCalls: loop.hooks.has('before_tool_call'),
    keepsProposals: true,
    gate: async () => doors.gate,
    approver,
    world: async (baselineRunId) => ({
      doors: adaptDoors(doorsFor(baselineRunId), onBrokenCheck),
      ...{ engine, judging, beginning },
    }),
    onEvent: options.onEvent ?? (() => undefined),
  }
}

function adaptDoors(
  doors: SessionWorld['doors'],
  onBrokenCheck: 'hold' | 'allow-stop',
): SessionWorld['doors'] {
  if (onBrokenCheck === 'hold') return doors
  const { checking } = doors
  return { ...doors, checking: { ...checking, aggregate: hearAll(checking.aggregate) } }
}

function untouchable(ownPlaces: readonly string[]): readonly PolicyRule[] {
  if (ownPlaces.length === 0) return []
  const paths = ownPlaces.flatMap((place) => [place, `${place}/**`])
  return [
    pathRule({ paths, decision: 'forbidden', justification: 'it is part of what watches over this work' }),
  ]
}

function loopOf(
  options: AgentSessionOptions,
  agent: Agent,
  {
    ownPlaces,
    baselineRunId,
  }: { readonly ownPlaces: readonly string[]; readonly baselineRunId: string | null },
) {
  const { hardCap, guard = {}, gate = {} } = options
  const isChoices = guard !== false && !('prepare' in guard)
  return partsOf({
    ...options,
    agent,
    tools: [],
    finalSummary: false,
    hardCap: { blockedStops: defaultBlockedStops, wallClockMs: null, ...hardCap },
    guard: isChoices && baselineRunId !== null ? { ...guard, snapshotRunId: baselineRunId } : guard,
    gate: 'check' in gate ? gate : { ...gate, rules: [...(gate.rules ?? []), ...untouchable(ownPlaces)] },
  })
}

function descriptionOf({ agent, reportsUsage, reportsCost, prices }: AgentSessionOptions): AgentDescription {
  return {
    kind: 'external',
    name: agent,
    sideEffects: true,
    reportsUsage: reportsUsage === true,
    prices: prices ?? null,
    maxOutputTokens: 32_000,
    contextWindowTokens: 1_000_000,
    ownsTools: true,
    ...(reportsCost === true ? { reportsCost } : {}),
  }
}

/** An undecided check at the claim: if the user chose so, the agent may stop, unverified. */
const brokenCheck: Rule = (state) => {
  const { phase, settings, checks, tally, turnOpen } = state
  if (phase.kind !== 'judging' || phase.verifiedBy === undefined || !tally.claimed || !turnOpen)
    return undefined
  const open = settings.verifiers.flatMap(({ name, required }) => {
    const latest = checks[name]?.latest
    const isOpen = latest !== undefined && latest.status !== 'passed' && latest.status !== 'skipped'
    return required && isOpen ? [latest] : []
  })
  const [first] = open
  if (first === undefined || open.some(({ status }) => status !== 'error')) return undefined
  return {
    rule: 'broken_check',
    level: 'stop',
    message: `${first.verifier} could not decide: ${first.reason}`,
    numbers: { broken: open.length },
    basedOn: [state.sequence],
    stop: { reason: 'blocked' },
  }
}

/** Waits for all checks before a broken one decides, so that a failure is not missed. */
function hearAll(aggregate: Aggregator): Aggregator {
  return (ballots) => {
    const verdict = aggregate(ballots)
    return verdict.status === 'error' ? { ...verdict, status: 'pending' } : verdict
  }
}
