/** Imports a trajectory as a run without verdicts: its outcome stays a label, and it ends unverified. */
import { readOutcome } from '@donecheck/core/internal/state/activity'
import { canonicalJson } from '@donecheck/core/internal/base'
import { everyCap } from '@donecheck/core/internal/budgets'
import {
  currentSchemaVersion,
  type Fact,
  type JsonValue,
  type RunEvent,
} from '@donecheck/core/internal/events'
import { maskValue } from '@donecheck/core/internal/secrets'
import { usualProviderWaits } from '@donecheck/core/internal/events/settings'
import type { StopTransition, Transition } from '@donecheck/core/internal/events/transitions'
import { donecheckVersion, sha256 } from '../../base/index.ts'
import { isCut, type Origin, type RecordedRun, type RecordedTurn } from '../recordings/index.ts'

/** The id follows from the content. Masks secrets. @param importedAtMs trajectories contain no time */
export function eventsOfRecording(recorded: RecordedRun, importedAtMs: number): readonly RunEvent[] {
  const run = maskValue(recorded, {})
  const content = canonicalJson(JSON.parse(JSON.stringify({ ...recorded, file: '' })))
  const runId = `import-${sha256(content).slice(0, 20)}`
  return factsOf(run).map((fact, at): RunEvent => {
    const sequence = at + 1
    const id = `${runId}-${sequence}`
    return { schemaVersion: currentSchemaVersion, id, runId, sequence, timeMs: importedAtMs, ...fact }
  })
}

function factsOf(run: RecordedRun): readonly Fact[] {
  const end = endOf(run)
  const last = run.turns.length - 1
  return [
    startOf(run),
    { type: 'goal-set', task: run.prompt ?? run.task ?? '' },
    ...run.turns.flatMap((turn, at) => factsOfTurn(turn, at + 1, at === last ? end : undefined)),
    groundTruthOf(run),
    { type: 'run-stopped', transition: end },
  ]
}

function startOf(run: RecordedRun): Fact {
  const reportsUsage = run.turns.some(({ tokens }) => tokens != null)
  return {
    type: 'run-started',
    donecheckVersion,
    workFolder: null,
    agent: {
      ...{ kind: 'custom', name: run.model ?? (run.agent || 'unknown'), sideEffects: false, reportsUsage },
      ...{ prices: null, maxOutputTokens: 1, contextWindowTokens: 2048 },
    },
    settings: {
      caps: { ...everyCap('field', () => null), maxIterations: run.stepLimit ?? null, maxCallsPerTool: {} },
      ...{ completeWhen: 'checks', verifyWhen: 'on-change-or-claim', verifyAtCap: false },
      ...{ providerWaits: usualProviderWaits, reservesLastCheck: false, finalSummary: false },
      ...{ finalSummaryTokens: 1, aggregate: 'none: imported', soft: null, replyCheck: null, verifiers: [] },
    },
    recipe: { importedTrajectory: originJson(run) },
  }
}

function originJson(run: RecordedRun): JsonValue {
  const { id, source = null, licence = null, agent, exit = null } = run
  const { resolved, reward = null, labels } = run.outcome
  const outcome = { resolved, reward, labels: labels ?? [] } satisfies Origin['outcome']
  return { id, source, licence, agent, exit, outcome }
}

const isDigest = /^[0-9a-f]{16,64}$/u

function factsOfTurn(turn: RecordedTurn, number: number, end: StopTransition | undefined): readonly Fact[] {
  const calls = turn.toolCalls.map((call, at) => ({ ...call, callId: `call-${number}-${at + 1}` }))
  const toolCalls = calls.map(({ callId, name: tool, args, argsDigest }) => {
    const digest = isDigest.test(argsDigest) ? argsDigest : sha256(canonicalJson(args))
    return { callId, tool, args, argsDigest: digest }
  })
  const { text, tokens, costUsd = null, reply } = turn
  const usage =
    tokens?.in == null || tokens.out == null
      ? null
      : { inputTokens: Math.round(tokens.in), outputTokens: Math.round(tokens.out), estimated: false }
  const transition: Transition = end ?? {
    ...{ kind: 'continue', reason: calls.length > 0 ? 'tool_calls' : 'steering', findings: [], verdicts: [] },
  }
  return [
    { type: 'model-called', turn: number, attempt: 1 },
    {
      ...{ type: 'model-replied', text: text ?? '', toolCalls, usage, costUsd },
      finish: calls.length > 0 ? 'tool-calls' : 'stop',
    },
    ...calls.flatMap(({ callId, name: tool, result, isError }): readonly Fact[] => [
      { type: 'tool-called', callId, tool, effect: 'execute' },
      { ...{ type: 'tool-returned', callId, output: result ?? '' }, ...readingOf(result, isError) },
    ]),
    { type: 'turn-ended', turn: number, transition, ...(reply == null ? {} : { feedback: reply }) },
  ]
}

/** `unknown` if the source does not report the result, or whether it failed. */
function readingOf(result: string | null, isError: boolean | null) {
  if (result === null) return { status: 'unknown' } as const
  const status = isError === null ? 'unknown' : isError ? 'error' : 'ok'
  const { outcome, failure, lines } = readOutcome(result, isError)
  return { status, outcome, ...(failure === null ? {} : { failure }), lines } as const
}

/** Shows the outcome of the source where people look. */
function groundTruthOf({ outcome: { resolved, reward, labels }, source }: RecordedRun): Fact {
  const said = resolved === null ? 'nothing of the outcome' : resolved ? 'resolved' : 'not resolved'
  const more = [...(reward == null ? [] : [`reward ${reward}`]), ...(labels ?? [])]
  const message = `${source ?? 'its source'} says: ${[said, ...more].join(', ')}; no check of ours has looked`
  const numbers: Record<string, number> = reward == null ? {} : { reward }
  return {
    type: 'finding-noted',
    finding: { rule: 'ground-truth', level: 'note', message, numbers, basedOn: [] },
  }
}

/** Names of ends in known records; any other counts as the agent's own end. */
const ends = [
  [/^success\b/iu, { reason: 'model_ended', outcome: 'unverified' }],
  [/^stagnated\b/iu, { reason: 'stagnated', outcome: 'exhausted' }],
  [/^blocked\b/iu, { reason: 'blocked', outcome: 'blocked' }],
  [/^failed\b/iu, { reason: 'verifier_failed_unrecoverable', outcome: 'failed' }],
  [/^limit of the loop\b/iu, { reason: 'hard_cap', outcome: 'exhausted', cap: 'iterations' }],
  [/\btime\b/iu, { reason: 'hard_cap', outcome: 'exhausted', cap: 'wall_clock' }],
  [/cost|price|budget/iu, { reason: 'hard_cap', outcome: 'exhausted', cap: 'cost' }],
  [/context|token/iu, { reason: 'hard_cap', outcome: 'exhausted', cap: 'tokens' }],
  [/^max|limit|exceeded|halted/iu, { reason: 'hard_cap', outcome: 'exhausted', cap: 'iterations' }],
  [/interrupt|cancel/iu, { reason: 'user_interrupt', outcome: 'interrupted' }],
  [/error|exception|crash/iu, { reason: 'error', outcome: 'error' }],
] as const

function endOf(run: RecordedRun): StopTransition {
  const { exit } = run
  const common = { kind: 'stop', findings: [], verdicts: [] } as const
  const known = ends.find(([words]) => exit != null && words.test(exit))?.[1]
  if (exit != null) {
    const message = `imported; its record says that it ended with "${exit}"`
    return { ...common, ...(known ?? { reason: 'model_ended', outcome: 'unverified' }), message }
  }
  if (isCut(run)) {
    const message = `imported; its record ends at its limit of ${run.stepLimit ?? run.turns.length} turns`
    return { ...common, reason: 'hard_cap', outcome: 'exhausted', cap: 'iterations', message }
  }
  const claimed = run.turns.at(-1)?.toolCalls.length === 0
  const message = claimed
    ? 'imported; its last turn asks for nothing more'
    : 'imported; its record ends after a call, and does not say why'
  return { ...common, reason: 'model_ended', outcome: 'unverified', message }
}
