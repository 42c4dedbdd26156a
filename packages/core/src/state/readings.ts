/** What is read off a state in more than one place. */
import type { ToolTraits, VerifierDescription } from '../events/settings/index.ts'
import type { Verdict } from '../events/verdicts/index.ts'
import { type PendingCall, type RunState, type CheckState, newTracker, noReplies } from './state.ts'
import { firstGoal } from '../goal/index.ts'
import type { EventHeader, FactOf } from '../events/index.ts'
import { noActivity } from './activity/index.ts'
import { noConsumption } from './spending.ts'

/** The drive works with its own tools and has not ended its turn: its next reply is a step of the same turn. */
export function isMidTurn({ drive, phase, lastReplyFinish, turnOpen }: RunState): boolean {
  return drive.ownsTools === true && phase.kind === 'judging' && turnOpen && lastReplyFinish === 'tool-calls'
}

type Counted = Pick<RunState, 'drive' | 'turn' | 'replies' | 'tally'>

/**
 * The number under which calls stand that were asked for at one time: the turn; where a drive calls its own tools many times
 * in a turn, the reply.
 */
export function batchOf({ drive, turn, replies }: Counted): number {
  return drive.ownsTools === true ? replies : turn
}

/** Of the first calls of the turn in progress, or of the last one. */
export function firstBatchOf(state: Counted): number {
  return state.drive.ownsTools === true ? state.replies - state.tally.replies + 1 : state.turn
}

/** Undefined: no call of this id waits for its answer. */
export function pendingCallOf({ phase }: RunState, callId: string): PendingCall | undefined {
  return phase.kind === 'acting' ? phase.pending.find(({ call }) => call.callId === callId) : undefined
}

/** What the user of this run has declared of a tool. */
export function traitsOf({ settings }: Pick<RunState, 'settings'>, tool: string): ToolTraits | undefined {
  const tools = settings.soft?.loopDetection.tools
  return tools !== undefined && Object.hasOwn(tools, tool) ? tools[tool] : undefined
}

interface LatestVerdict {
  readonly verifier: VerifierDescription
  readonly verdict: Verdict
}

/** Of every verifier that has spoken. */
export function latestVerdicts({
  settings,
  checks,
}: Pick<RunState, 'settings' | 'checks'>): readonly LatestVerdict[] {
  return settings.verifiers.flatMap((verifier) => {
    const verdict = checks[verifier.name]?.latest
    return verdict === undefined ? [] : [{ verifier, verdict }]
  })
}

/** Names of the checks without which the run is not done; guards, probes and what is held out are none of them. */
export function requiredChecks({ settings }: Pick<RunState, 'settings'>): readonly string[] {
  return settings.verifiers
    .filter(({ required, role }) => required && role === 'check')
    .map(({ name }) => name)
}

/** Whether this check passed when it was asked last. */
export function hasPassed({ checks }: Pick<RunState, 'checks'>): (check: string) => boolean {
  return (check) => Object.hasOwn(checks, check) && checks[check]?.latest?.status === 'passed'
}

/** Instructions and tool descriptions that stand in every prompt: counted once, until real usage is known. */
const promptOverheadTokens = 800

/** What is known of a verifier before it has said anything. */
export const unaskedCheck: CheckState = {
  baseline: undefined,
  baselineVerdict: undefined,
  latest: undefined,
  failureStreak: 0,
  errorStreak: 0,
}

/** The state after the first event of a run. */
export function initialState(event: EventHeader & FactOf<'run-started'>): RunState {
  return {
    runId: event.runId,
    sequence: event.sequence,
    nowMs: event.timeMs,
    task: '',
    goal: firstGoal(event.runId, []),
    workFolder: event.workFolder,
    drive: event.drive,
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
