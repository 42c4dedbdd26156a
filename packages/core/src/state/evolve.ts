/** Folds events into the state of a run. Pure and total (I2, I3); contains no rules. */
import { evolveGoal, goalFactBooked } from './evolve-goal.ts'
import { isReportedAtOnce } from '../events/gate/index.ts'
import type { EpochMs } from '../events/index.ts'
import type { LivePhase, Phase, RunState, CheckState } from './state.ts'
import { evolveActivity } from './evolve-activity.ts'
import { initialState } from './readings.ts'
import { retryAfterFailure, retryAfterResume } from './retrying.ts'
import {
  costOfCheck,
  refundCall,
  spend,
  spendTime,
  spendToolCall,
  budgetAdded,
  subRunEnded,
  subRunStarted,
} from './spending.ts'
import { estimateTokens } from '../budgets/index.ts'
import { evolveTokenBudget, evolveFinalSummary, finalSummaryBooked, evolveReplies } from './evolve-soft.ts'
import {
  isGoalFact,
  isReplyCheckFact,
  type Fact,
  type Finding,
  type RunEvent,
  type FactOf,
} from '../events/index.ts'
import type { Verdict } from '../events/verdicts/index.ts'

/**
 * @param state undefined before the first event, which must be `run-started`
 * @throws {TypeError} if a stream does not begin with `run-started`, which the recorder never writes
 */
export function evolve(state: RunState | undefined, event: RunEvent): RunState {
  if (state === undefined) {
    if (event.type !== 'run-started') throw new TypeError(`a run begins with run-started, not ${event.type}`)
    return initialState(event)
  }
  const elapsedMs = wasAsleep(state, event) ? 0 : event.timeMs - state.nowMs
  const next = apply(withCheckTime(state, elapsedMs), event)
  const consumption = spendTime(next.consumption, elapsedMs)
  return {
    ...next,
    activity: evolveActivity(state, next, event),
    tokenBudget: evolveTokenBudget(state, event),
    finalSummary: evolveFinalSummary(state, event),
    replyCheck: evolveReplies(state, event),
    checksCostUsd: state.checksCostUsd + costOfCheck(event),
    sequence: event.sequence,
    nowMs: event.timeMs,
    consumption,
    goal: evolveGoal(state, consumption, event),
  }
}

/** Folds a stream of events; returns undefined for an empty one. */
export function fold(events: Iterable<RunEvent>): RunState | undefined {
  let state: RunState | undefined
  for (const event of events) state = evolve(state, event)
  return state
}

function apply(state: RunState, fact: RunEvent): RunState {
  if (isReplyCheckFact(fact)) return state
  if (isGoalFact(fact)) return goalFactBooked(state, fact)
  if (fact.type === 'wait-started' || fact.type === 'wait-ended') return withWait(state, fact.type)
  switch (fact.type) {
    case 'run-resumed':
      return resumeState(state, fact.agent ?? state.agent, fact.timeMs)
    case 'agent-session-opened':
      return { ...state, agentSession: fact.sessionId }
    case 'interrupt-requested':
      return { ...state, interruptedBy: fact.by }
    case 'run-stopped':
      return { ...state, phase: { kind: 'stopped', transition: fact.transition, before: awake(state.phase) } }
    case 'model-called':
      return modelCalled(state, fact.turn, fact.attempt)
    case 'model-replied':
      return modelReplied(state, fact)
    case 'model-failed':
      return modelFailed(state, fact)
    case 'hook-ran':
      return hookRan(state, fact)
    case 'memory-recalled':
      return { ...state, promptTokens: state.promptTokens + estimateTokens(fact.text) }
    case 'run-started':
    case 'agent-plan-reported':
    case 'gate-decided':
    case 'approval-requested':
    case 'approval-given':
      return state
    case 'tool-called':
      return toolCalled(state, fact)
    case 'tool-returned':
      return settle({ ...state, promptTokens: state.promptTokens + estimateTokens(fact.output) }, fact.callId)
    case 'tool-refused':
      return toolRefused(state, fact)
    case 'workspace-observed':
      return workspaceObserved(state, fact.fingerprint)
    case 'verification-started':
      return verificationStarted(state, fact)
    case 'verdict-given':
      return verdictGiven(state, fact)
    case 'finding-noted':
      return findingNoted(state, fact.finding)
    case 'turn-ended':
      return turnEnded(state, fact)
    case 'final-summary-called':
    case 'final-summary-replied':
      return finalSummaryBooked(state, fact)
    case 'sub-run-started':
      return subRunStarted(state, fact)
    case 'sub-run-ended':
      return subRunEnded(state, fact)
    case 'budget-added':
      return budgetAdded(state, fact)
  }
}

/** Older findings belong to loops that are long over. */
const keptFindings = 200

function findingNoted(state: RunState, finding: Finding): RunState {
  const key = findingKey(finding)
  const advice = finding.advice === undefined ? state.advice : [...state.advice, finding.advice]
  if (state.noted.includes(key)) return { ...state, advice }
  return { ...state, advice, noted: [...state.noted.slice(1 - keptFindings), key] }
}

/** Findings of one rule, level and key are reported once per run. */
export function findingKey({ rule, level, key }: Pick<Finding, 'rule' | 'level' | 'key'>): string {
  return key === undefined ? `${rule}:${level}` : `${rule}:${level}:${key}`
}

/** Output shown before the next reply is in the conversation; the rest joins the next feedback. */
function hookRan(state: RunState, { point, told }: FactOf<'hook-ran'>): RunState {
  if (told === undefined) return state
  const promptTokens = state.promptTokens + estimateTokens(told)
  if (isReportedAtOnce(point) || state.advice.includes(told)) return { ...state, promptTokens }
  return { ...state, promptTokens, advice: [...state.advice, told] }
}

function modelCalled(state: RunState, turn: number, attempt: number): RunState {
  const isNewTurn = turn !== state.turn
  const turnCallsSent = isNewTurn ? 0 : state.turnCallsSent
  const refusedSinceMs = state.phase.kind === 'retrying' ? state.phase.refusedSinceMs : undefined
  return {
    ...state,
    turn,
    turnOpen: true,
    phase: { kind: 'calling', attempt, refusedSinceMs },
    tally: isNewTurn
      ? { replies: 0, called: 0, refused: 0, mayHaveChanged: state.agent.sideEffects, claimed: false }
      : state.tally,
    consumption: {
      ...state.consumption,
      // A turn whose calls the provider all refused is not counted yet.
      iterations: state.consumption.iterations + (turnCallsSent === 0 ? 1 : 0),
      modelCalls: state.consumption.modelCalls + 1,
    },
    turnCallsSent: turnCallsSent + 1,
    unverifiedWork: state.unverifiedWork || state.agent.sideEffects,
    lastChecksAsked: false,
  }
}

function modelReplied(state: RunState, reply: FactOf<'model-replied'>): RunState {
  const asksNothing = reply.toolCalls.length === 0
  const spoken = reply.usage ? reply.usage.inputTokens + reply.usage.outputTokens : undefined
  return {
    ...state,
    replies: state.replies + 1,
    lastText: reply.text.trim() === '' ? state.lastText : reply.text,
    lastReplyFinish: reply.finish,
    phase: asksNothing
      ? { kind: 'judging', observed: false, verifiedBy: undefined }
      : { kind: 'acting', pending: reply.toolCalls.map((call) => ({ call, announcedAs: undefined })) },
    // A truncated or filtered reply, or a crash, is not a claim.
    tally: {
      ...state.tally,
      replies: state.tally.replies + 1,
      claimed: asksNothing && reply.finish === 'stop',
    },
    consumption: spend(state.consumption, reply.usage, reply.costUsd),
    promptTokens: spoken ?? state.promptTokens + estimateTokens(reply.text),
    unverifiedWork: true,
  }
}

function modelFailed(state: RunState, fact: Extract<RunEvent, { type: 'model-failed' }>): RunState {
  const { failure } = fact
  const call = state.phase.kind === 'calling' ? state.phase : { attempt: 1, refusedSinceMs: undefined }
  const booked =
    fact.usage === null
      ? refundCall(state, failure)
      : { consumption: spend(state.consumption, fact.usage, fact.costUsd) }
  const phase: Phase = failure.retryable
    ? retryAfterFailure(failure, call, fact)
    : { kind: 'agent-failed', failure }
  return { ...state, ...booked, phase }
}

function withWait(state: RunState, type: 'wait-started' | 'wait-ended'): RunState {
  if (state.phase.kind !== 'retrying') return state
  return { ...state, phase: { ...state.phase, wait: type === 'wait-started' ? 'started' : 'over' } }
}

function toolCalled(state: RunState, fact: FactOf<'tool-called'>): RunState {
  if (state.phase.kind !== 'acting') return state
  const pending = state.phase.pending.map((entry) =>
    entry.call.callId === fact.callId ? { ...entry, announcedAs: fact.effect } : entry,
  )
  return {
    ...state,
    phase: { kind: 'acting', pending },
    tally: {
      ...state.tally,
      called: state.tally.called + 1,
      mayHaveChanged: state.tally.mayHaveChanged || fact.effect !== 'read',
    },
    consumption: spendToolCall(state, fact.tool),
  }
}

function toolRefused(state: RunState, fact: Extract<Fact, { type: 'tool-refused' }>): RunState {
  const isVeto = fact.by === 'gate' || fact.by === 'approver' || fact.by === 'hook'
  const refused = state.tally.refused + (isVeto ? 1 : 0)
  const promptTokens = state.promptTokens + estimateTokens(fact.reason)
  return settle({ ...state, promptTokens, tally: { ...state.tally, refused } }, fact.callId)
}

/** Removes an answered call; the last answer ends the turn's effects. */
function settle(state: RunState, callId: string): RunState {
  if (state.phase.kind !== 'acting') return state
  const pending = state.phase.pending.filter((entry) => entry.call.callId !== callId)
  return pending.length > 0
    ? { ...state, phase: { kind: 'acting', pending } }
    : { ...state, phase: { kind: 'judging', observed: false, verifiedBy: undefined } }
}

function turnEnded(state: RunState, { feedback, transition }: FactOf<'turn-ended'>): RunState {
  const everyCallRefused = state.tally.called === 0 && state.tally.refused > 0
  return {
    ...state,
    turnOpen: false,
    advice: [],
    phase: { kind: 'idle' },
    promptTokens: state.promptTokens + estimateTokens(feedback ?? ''),
    refusedTurns: everyCallRefused ? state.refusedTurns + 1 : 0,
    unchangedClaims: state.tally.claimed ? state.unchangedClaims + 1 : 0,
    blockedStops: transition.reason === 'verifier_feedback' ? countBlockedStops(state) : state.blockedStops,
  }
}

/** Only a new best score resets it: breaking one check to fix another could continue forever. */
function countBlockedStops({ blockedStops, activity }: RunState): number {
  return activity.verifications.at(-1)?.isBest === true ? 1 : blockedStops + 1
}

/** Whether the run waited for a person, its provider or its goal, which counts against no cap. */
function wasAsleep({ goal, phase }: RunState, event: RunEvent): boolean {
  if (event.type === 'approval-given' || event.type === 'run-resumed') return true
  return goal.waiting !== undefined || (phase.kind === 'retrying' && phase.wait === 'started')
}

function withCheckTime(state: RunState, elapsedMs: number): RunState {
  if (state.phase.kind !== 'verifying' || elapsedMs <= 0) return state
  const currentMs = state.checkTime.currentMs + elapsedMs
  return { ...state, checkTime: { currentMs, maxMs: Math.max(currentMs, state.checkTime.maxMs) } }
}

function workspaceObserved(state: RunState, fingerprint: string): RunState {
  const { phase, workspace } = state
  if (phase.kind === 'starting') {
    const looked = { baseline: fingerprint, current: fingerprint, verified: fingerprint, touched: false }
    return { ...state, workspace: looked }
  }
  const isAfterChecks = phase.kind === 'judging' && phase.verifiedBy !== undefined
  if (isAfterChecks)
    return { ...state, workspace: { ...workspace, current: fingerprint, verified: fingerprint } }
  const changed = fingerprint !== workspace.current
  return {
    ...state,
    workspace: { ...workspace, current: fingerprint, touched: workspace.touched || changed },
    unchangedClaims: changed ? 0 : state.unchangedClaims,
    phase: phase.kind === 'judging' ? { ...phase, observed: true } : phase,
  }
}

function verdictGiven(state: RunState, { verdict }: FactOf<'verdict-given'>): RunState {
  if (state.phase.kind !== 'verifying') return state
  const { trigger } = state.phase
  const awaiting = state.phase.awaiting.filter((name) => name !== verdict.verifier)
  const checks = { ...state.checks, [verdict.verifier]: checkState(state, trigger === 'baseline', verdict) }
  if (awaiting.length > 0) return { ...state, checks, phase: { kind: 'verifying', trigger, awaiting } }
  if (trigger === 'baseline') return { ...state, checks, phase: { kind: 'starting', baselineDone: true } }
  return {
    ...state,
    checks,
    phase: { kind: 'judging', observed: true, verifiedBy: trigger },
    workspace: { ...state.workspace, verified: state.workspace.current },
    unverifiedWork: false,
    lastChecksAsked: trigger === 'held-out',
  }
}

function checkState(state: RunState, isBaseline: boolean, verdict: Verdict): CheckState {
  const before = state.checks[verdict.verifier]
  if (isBaseline) {
    const { status } = verdict
    return { baseline: status, baselineVerdict: verdict, latest: verdict, failureStreak: 0, errorStreak: 0 }
  }
  const isFailure = verdict.status === 'failed' || verdict.status === 'error'
  return {
    baseline: before?.baseline,
    baselineVerdict: before?.baselineVerdict,
    latest: verdict,
    failureStreak: isFailure ? (before?.failureStreak ?? 0) + 1 : 0,
    errorStreak: verdict.status === 'error' ? (before?.errorStreak ?? 0) + 1 : 0,
  }
}

function verificationStarted(
  state: RunState,
  { trigger, verifiers }: FactOf<'verification-started'>,
): RunState {
  const checkTime = { ...state.checkTime, currentMs: 0 }
  return { ...state, phase: { kind: 'verifying', trigger, awaiting: verifiers }, checkTime }
}

function awake(phase: Phase): LivePhase {
  return phase.kind === 'stopped' ? phase.before : phase
}

/** The world may have changed during the sleep, so earlier verdicts do not count. */
function resumeState(state: RunState, agent: RunState['agent'], nowMs: EpochMs): RunState {
  const { phase } = state
  const isBeforeWork =
    phase.kind === 'stopped' && phase.before.kind === 'starting' && phase.transition.reason === 'blocked'
  return {
    ...state,
    agent,
    interruptedBy: undefined,
    phase: isBeforeWork ? { kind: 'starting', baselineDone: false } : lookAgain(awake(phase), nowMs),
    unverifiedWork: state.turn > 0,
    lastChecksAsked: false,
    // The user may have fixed what blocked the first turn; that tree is the baseline.
    workspace: isBeforeWork
      ? { baseline: undefined, current: undefined, verified: undefined, touched: false }
      : { ...state.workspace, verified: undefined },
  }
}

function lookAgain(phase: LivePhase, nowMs: EpochMs): LivePhase {
  if (phase.kind === 'retrying') return retryAfterResume(phase, nowMs)
  if (phase.kind === 'verifying' && phase.trigger === 'baseline')
    return { kind: 'starting', baselineDone: false }
  if (phase.kind !== 'judging' && phase.kind !== 'verifying') return phase
  return { kind: 'judging', observed: false, verifiedBy: undefined }
}
