import { firstGoal } from '../goal/index.ts'
import type { CheckState, RunState } from './state.ts'
import type { EventHeader, FactOf } from '../events/index.ts'
import { noActivity } from './activity/index.ts'
import { noConsumption } from './spending/spend.ts'
import { noReplies } from './evolve/evolve-replies.ts'
import { newTracker } from './spending/token-budget-tracker.ts'

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
    left: [],
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
