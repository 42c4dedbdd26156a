import type { ToolTraits, VerifierDescription } from '../events/settings/index.ts'
import type { Verdict } from '../events/verdicts/index.ts'
import { type PendingCall, type RunState, type CheckState, newTracker, noReplies } from './state.ts'
import { firstGoal } from '../goal/index.ts'
import type { EventHeader, FactOf } from '../events/index.ts'
import { noActivity } from './activity/index.ts'
import { noConsumption } from './spending.ts'

/** The agent uses its own tools and has not ended its turn, so its next reply is a step of it. */
export function isMidTurn({ agent, phase, lastReplyFinish, turnOpen }: RunState): boolean {
  return agent.ownsTools === true && phase.kind === 'judging' && turnOpen && lastReplyFinish === 'tool-calls'
}

type Counted = Pick<RunState, 'agent' | 'turn' | 'replies' | 'tally'>

/** Groups calls of one batch: the turn, or the reply if an agent calls its own tools many times per turn. */
export function batchOf({ agent, turn, replies }: Counted): number {
  return agent.ownsTools === true ? replies : turn
}

export function firstBatchOf(state: Counted): number {
  return state.agent.ownsTools === true ? state.replies - state.tally.replies + 1 : state.turn
}

export function pendingCallOf({ phase }: RunState, callId: string): PendingCall | undefined {
  return phase.kind === 'acting' ? phase.pending.find(({ call }) => call.callId === callId) : undefined
}

export function traitsOf({ settings }: Pick<RunState, 'settings'>, tool: string): ToolTraits | undefined {
  const tools = settings.soft?.loopDetection.tools
  return tools !== undefined && Object.hasOwn(tools, tool) ? tools[tool] : undefined
}

interface LatestVerdict {
  readonly verifier: VerifierDescription
  readonly verdict: Verdict
}

export function latestVerdicts({
  settings,
  checks,
}: Pick<RunState, 'settings' | 'checks'>): readonly LatestVerdict[] {
  return settings.verifiers.flatMap((verifier) => {
    const verdict = checks[verifier.name]?.latest
    return verdict === undefined ? [] : [{ verifier, verdict }]
  })
}

/** Excludes guards, probes and held-out checks. */
export function requiredChecks({ settings }: Pick<RunState, 'settings'>): readonly string[] {
  return settings.verifiers
    .filter(({ required, role }) => required && role === 'check')
    .map(({ name }) => name)
}

export function hasPassed({ checks }: Pick<RunState, 'checks'>): (check: string) => boolean {
  return (check) => Object.hasOwn(checks, check) && checks[check]?.latest?.status === 'passed'
}

/** Instructions and tool descriptions in every prompt, until real usage is known. */
const promptOverheadTokens = 800

export const unaskedCheck: CheckState = {
  baseline: undefined,
  baselineVerdict: undefined,
  latest: undefined,
  failureStreak: 0,
  errorStreak: 0,
}

export function initialState(event: EventHeader & FactOf<'run-started'>): RunState {
  return {
    runId: event.runId,
    sequence: event.sequence,
    nowMs: event.timeMs,
    task: '',
    goal: firstGoal(event.runId, []),
    workFolder: event.workFolder,
    agent: event.agent,
    settings: event.settings,
    phase: { kind: 'starting', baselineDone: false },
    turn: 0,
    turnOpen: false,
    tally: { replies: 0, called: 0, refused: 0, mayHaveChanged: false, claimed: false },
    replies: 0,
    consumption: noConsumption,
    turnCallsSent: 0,
    parent: event.parent,
    subRuns: { open: [], lost: {}, started: 0 },
    checkTime: { currentMs: 0, maxMs: 0 },
    checksCostUsd: 0,
    promptTokens: promptOverheadTokens,
    checks: Object.fromEntries(event.settings.verifiers.map(({ name }) => [name, unaskedCheck])),
    workspace: { baseline: undefined, current: undefined, verified: undefined, touched: false },
    unverifiedWork: false,
    lastChecksAsked: false,
    unchangedClaims: 0,
    refusedTurns: 0,
    activity: noActivity,
    tokenBudget: { tracker: newTracker(event.timeMs), notCountedTokens: 0 },
    finalSummary: undefined,
    advice: [],
    noted: [],
    lastText: '',
    lastReplyFinish: undefined,
    interruptedBy: undefined,
    agentSession: undefined,
    blockedStops: 0,
    replyCheck: event.settings.replyCheck === null ? undefined : noReplies,
  }
}
