/**
 * Facts with good defaults for tests:
 * `given(runStarted({ verifiers: ['npm test'] }), modelCalled(1), modelClaimed('done'))`.
 */
import {
  usualProviderWaits,
  type AgentDescription,
  type RunSettings,
  type VerifierDescription,
} from '../events/settings/index.ts'
import type {
  Fact,
  JsonValue,
  AgentFailure,
  FactOf,
  Finding,
  ToolCall,
  ToolEffect,
  VerificationTrigger,
} from '../events/index.ts'
import { everyCap, type Caps, type Budget, type Consumption, type TokenUsage } from '../budgets/index.ts'
import type { StopReason, StopTransition } from '../events/transitions/index.ts'
import type { Verdict } from '../events/verdicts/index.ts'
import { noConsumption } from '../state/index.ts'

/** A verifier name, or the differences from a required, deterministic verifier of the work tree. */
export type VerifierChoice = string | (Partial<VerifierDescription> & Pick<VerifierDescription, 'name'>)

/** The differences from a run without caps and verifiers, over a work tree, by a model with tools. */
export interface RunChoices extends Partial<Omit<RunSettings, 'caps' | 'verifiers'>> {
  readonly caps?: Partial<Caps>
  readonly verifiers?: readonly VerifierChoice[]
  readonly agent?: Partial<AgentDescription>
  readonly workFolder?: string | null
  readonly recipe?: JsonValue
  readonly tags?: readonly string[]
}

/** Every cap switched off. */
export const noCaps: Caps = { ...everyCap('field', () => null), maxCallsPerTool: {} }

/** A model that changes nothing itself, reports its usage and has a known price. */
export const modelAgent: AgentDescription = {
  kind: 'model',
  name: 'test/model',
  sideEffects: false,
  reportsUsage: true,
  prices: { inputPerMillionTokens: 1, outputPerMillionTokens: 10 },
  maxOutputTokens: 4096,
  contextWindowTokens: 64_000,
}

/** An external agent: it changes the tree itself and reports no usage. */
export const externalAgent: AgentDescription = {
  ...modelAgent,
  kind: 'command',
  name: 'test-agent',
  sideEffects: true,
  reportsUsage: false,
  prices: null,
}

export function runStarted(choices: RunChoices = {}): Extract<Fact, { type: 'run-started' }> {
  const { caps, verifiers = [], agent, workFolder = '/srv/tree', recipe = null, tags, ...settings } = choices
  return {
    type: 'run-started',
    donecheckVersion: '0.0.0-test',
    workFolder,
    agent: { ...modelAgent, ...agent },
    settings: {
      completeWhen: 'checks',
      verifyWhen: 'on-change-or-claim',
      verifyAtCap: true,
      providerWaits: usualProviderWaits,
      reservesLastCheck: true,
      finalSummary: false,
      finalSummaryTokens: 1024,
      aggregate: 'deterministic-veto',
      soft: null,
      replyCheck: null,
      ...settings,
      caps: { ...noCaps, ...caps },
      verifiers: verifiers.map(describeVerifier),
    },
    recipe,
    ...(tags === undefined ? {} : { tags }),
  }
}

function describeVerifier(choice: VerifierChoice): VerifierDescription {
  const { name, ...different } = typeof choice === 'string' ? { name: choice } : choice
  return {
    name,
    required: true,
    weight: 1,
    deterministic: true,
    reads: 'workspace',
    role: 'check',
    ...different,
  }
}

export function goalSet(task = 'make the tests pass'): FactOf<'goal-set'> {
  return { type: 'goal-set', task }
}

export function runResumed(holder = 'a second process'): FactOf<'run-resumed'> {
  return { type: 'run-resumed', holder }
}

export function interruptRequested(by = 'SIGINT'): FactOf<'interrupt-requested'> {
  return { type: 'interrupt-requested', by }
}

/** @param details such as outcome and message */
export function runStopped(reason: StopReason, details: Partial<StopTransition> = {}): FactOf<'run-stopped'> {
  return { type: 'run-stopped', transition: stoppedFor(reason, details) }
}

export function lastTurnEnded(turn: number, reason: StopReason): FactOf<'turn-ended'> {
  return { type: 'turn-ended', turn, transition: stoppedFor(reason, {}) }
}

function stoppedFor(reason: StopReason, details: Partial<StopTransition>): StopTransition {
  const base = { outcome: 'unverified', message: `stopped: ${reason}`, findings: [], verdicts: [] } as const
  return { ...base, ...details, kind: 'stop', reason }
}

/** Calls the agent. A new turn number starts a new turn. */
export function modelCalled(turn = 1, attempt = 1): FactOf<'model-called'> {
  return { type: 'model-called', turn, attempt }
}

/** Any reply; `modelClaimed` and `modelProposed` are the usual ones. */
export function modelReplied(
  details: Partial<Omit<FactOf<'model-replied'>, 'type'>> = {},
): FactOf<'model-replied'> {
  const toolCalls = details.toolCalls ?? []
  return {
    text: '',
    finish: toolCalls.length > 0 ? 'tool-calls' : 'stop',
    usage: tokens(100, 20),
    costUsd: 0.0003,
    ...details,
    type: 'model-replied',
    toolCalls,
  }
}

/** The agent ends its turn without a call (lazy tier). An empty text is silence. */
export function modelClaimed(text = 'I am done.'): FactOf<'model-replied'> {
  return modelReplied({ text })
}

/** The agent asks for tools. A string is a `write_file` call with that id. */
export function modelProposed(...calls: readonly (string | ToolCall)[]): FactOf<'model-replied'> {
  const toolCalls = calls.map((call) => (typeof call === 'string' ? toolCall(call) : call))
  return modelReplied({ text: 'I go on.', toolCalls })
}

/** A proposed call for `modelProposed`, without a computed digest. */
export function toolCall(callId: string, tool = 'write_file', args: JsonValue = { path: 'a.ts' }): ToolCall {
  return { callId, tool, args, argsDigest: '0'.repeat(64) }
}

export function tokens(inputTokens: number, outputTokens: number): TokenUsage {
  return { inputTokens, outputTokens, estimated: false }
}

/** Default: a temporary failure that used nothing. */
export function modelFailed(
  failure: Partial<AgentFailure> = {},
  details: Partial<Omit<FactOf<'model-failed'>, 'type' | 'failure'>> = {},
): FactOf<'model-failed'> {
  const base = { kind: 'server-error', message: 'the server answered 503', retryable: true } as const
  return { usage: null, costUsd: null, ...details, type: 'model-failed', failure: { ...base, ...failure } }
}

export function approvalRequested(callId: string, question = 'May it run?'): FactOf<'approval-requested'> {
  return { type: 'approval-requested', callId, question }
}

export function approvalGiven(callId: string, approved = true): FactOf<'approval-given'> {
  return { type: 'approval-given', callId, approved, by: 'a person', reason: approved ? 'yes' : 'no' }
}

export function toolCalled(
  callId: string,
  effect: ToolEffect = 'write',
  tool = 'write_file',
): FactOf<'tool-called'> {
  return { type: 'tool-called', callId, tool, effect }
}

export function toolReturned(
  callId: string,
  output = 'ok',
  status: FactOf<'tool-returned'>['status'] = 'ok',
): FactOf<'tool-returned'> {
  return { type: 'tool-returned', callId, status, output }
}

export function toolRefused(
  callId: string,
  by: FactOf<'tool-refused'>['by'] = 'gate',
  reason = 'forbidden by a rule',
): FactOf<'tool-refused'> {
  return { type: 'tool-refused', callId, by, reason }
}

/** Equal texts are equal trees. */
export function workspaceObserved(fingerprint: string): FactOf<'workspace-observed'> {
  return { type: 'workspace-observed', fingerprint }
}

export function verificationStarted(
  trigger: VerificationTrigger,
  ...verifiers: readonly string[]
): FactOf<'verification-started'> {
  return { type: 'verification-started', trigger, verifiers }
}

export function verdictGiven(verdict: Verdict): FactOf<'verdict-given'> {
  return { type: 'verdict-given', verdict }
}

export function findingNoted(finding: Finding): FactOf<'finding-noted'> {
  return { type: 'finding-noted', finding }
}

/** Default: the reply falls short. */
export function replyJudged(
  attempt: number,
  said: Partial<Verdict> & Pick<Verdict, 'status'> & { readonly category?: string } = { status: 'failed' },
): FactOf<'reply-judged'> {
  const { category, reason = 'half is missing', ...verdict } = said
  const answer = {
    kind: 'judge',
    judge: 'judge',
    said: 'not-met',
    reason,
    quotes: [],
    costUsd: null,
  } as const
  const found =
    category === undefined
      ? { reason }
      : { reason: `[${category}] ${reason}`, evidence: [{ ...answer, category }] }
  const base = { verifier: 'judge', canRetry: true, qualifiers: [], evidence: [], durationMs: 5 }
  return { type: 'reply-judged', attempt, verdict: { ...base, ...found, ...verdict } }
}

export function replySettled(
  details: Partial<Omit<FactOf<'reply-settled'>, 'type'>> = {},
): FactOf<'reply-settled'> {
  const base = {
    ending: 'passed',
    attempt: 1,
    text: 'Done.',
    message: 'all is there',
    delivers: true,
  } as const
  return { ...base, ...details, type: 'reply-settled' }
}

export function replyDelivered(
  status: FactOf<'reply-delivered'>['status'] = 'delivered',
): FactOf<'reply-delivered'> {
  return { type: 'reply-delivered', status }
}

export function turnEnded(
  turn: number,
  feedback?: string,
  reason: Extract<FactOf<'turn-ended'>['transition'], { kind: 'continue' }>['reason'] = 'tool_calls',
): FactOf<'turn-ended'> {
  const transition = { kind: 'continue', reason, findings: [], verdicts: [] } as const
  return { type: 'turn-ended', turn, transition, ...(feedback === undefined ? {} : { feedback }) }
}

export function finalSummaryCalled(
  reason: StopReason = 'hard_cap',
  details: Partial<StopTransition> = { outcome: 'exhausted', cap: 'iterations' },
): FactOf<'final-summary-called'> {
  return { type: 'final-summary-called', end: stoppedFor(reason, details), notice: 'The budget is over.' }
}

/** @param details such as the problem that prevented a reply */
export function finalSummaryReplied(
  text = 'Half of it is done.',
  details: Partial<Omit<FactOf<'final-summary-replied'>, 'type' | 'text'>> = {},
): FactOf<'final-summary-replied'> {
  return {
    droppedCalls: 0,
    usage: tokens(100, 20),
    costUsd: 0.0003,
    ...details,
    type: 'final-summary-replied',
    text,
  }
}

/** Default: without limits. */
export function subRunStarted(
  childRunId: string,
  callId: string,
  allocated: Partial<Caps> = {},
  isElsewhere = false,
): FactOf<'sub-run-started'> {
  const where = isElsewhere ? { elsewhere: true as const } : {}
  return { type: 'sub-run-started', childRunId, callId, allocated: { ...noCaps, ...allocated }, ...where }
}

/** @param spent differences from nothing spent; null if unknown */
export function subRunEnded(
  childRunId: string,
  spent: Partial<Consumption> | null = {},
): FactOf<'sub-run-ended'> {
  return {
    type: 'sub-run-ended',
    childRunId,
    spent: spent === null ? null : { ...noConsumption, ...spent },
    outcome: spent === null ? null : 'verified',
    message: spent === null ? 'it never ended' : 'its checks passed',
  }
}

export function budgetAdded(added: Partial<Budget>, by = 'a person'): FactOf<'budget-added'> {
  return { type: 'budget-added', by, added }
}
