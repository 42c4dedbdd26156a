/** A recorded run as a rule at work would have seen it, step by step. */
import type { Verdict } from '@donecheck/core/verdicts'
import type { CheckedTurn, RecordedCall, RecordedRun, RecordedTurn } from './recorded-run.ts'
import { given } from '../../base/index.ts'

/** One tool call with what came back of it, as far as it is known. */
export interface CallStep extends Readonly<Omit<RecordedCall, 'name'>> {
  readonly kind: 'call'
  /** Counted from 0 over the whole run. */
  readonly index: number
  /** Turn of the model that asked for it; calls of one turn are a batch. */
  readonly turn: number
  readonly tool: string
}

/** What the calls of the model in one turn used. Null: the source does not say. */
export interface TurnUsage {
  /** 0 for a further reply within a turn. */
  readonly iterations: 0 | 1
  readonly modelCalls: number
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly costUsd: number | null
}

/** A reply of the model: its text stands before the calls of its turn. */
export interface ReplyStep {
  readonly kind: 'reply'
  readonly turn: number
  readonly text: string
  /** Calls that follow in this turn. */
  readonly calls: number
  readonly usage?: TurnUsage
  /** Active time of the run before this turn. */
  readonly startedMs?: number
  /** What was checked after the turn before. */
  readonly checked?: CheckedTurn
}

/** What was said to the agent that is not a tool's result: its user, a simulator, a complaint about its format. */
export interface MessageStep {
  readonly kind: 'message'
  readonly turn: number
  readonly text: string
}

export type Step = ReplyStep | CallStep | MessageStep

/** Per turn the reply, its calls, and what was said back. */
export function stepsOf(run: RecordedRun): Step[] {
  const steps: Step[] = []
  const costs = costsOf(run)
  let index = 0
  for (const [turn, recorded] of run.turns.entries()) {
    const { text, toolCalls, reply, startedMs } = recorded
    const checked = checkedOf(run.turns[turn - 1])
    steps.push({
      ...{ kind: 'reply', turn, text: text ?? '', calls: toolCalls.length },
      usage: usageOf(recorded, costs[turn] ?? null),
      ...given({ startedMs, checked }),
    })
    for (const { name, ...call } of toolCalls) {
      steps.push({ kind: 'call', index, turn, tool: name, ...call })
      index += 1
    }
    if (reply != null) steps.push({ kind: 'message', turn, text: reply })
  }
  return steps
}

function usageOf({ modelCalls = 1, isStep, tokens }: RecordedTurn, costUsd: number | null): TurnUsage {
  const known = { inputTokens: tokens?.in ?? null, outputTokens: tokens?.out ?? null, costUsd }
  return { iterations: isStep === true ? 0 : 1, modelCalls, ...known }
}

/**
 * Dollars of each turn. Where only the cost of the whole run is known, it is spread over the turns by their tokens. Empty:
 * nobody knows.
 */
export function costsOf({ turns, costUsd }: RecordedRun): readonly number[] {
  const reported = turns.flatMap((turn) => turn.costUsd ?? [])
  if (reported.length === turns.length) return reported
  const tokens = tokensOf(turns)
  const total = tokens?.reduce((sum, each) => sum + each, 0) ?? 0
  return costUsd == null || tokens === undefined || total === 0
    ? []
    : tokens.map((each) => (costUsd * each) / total)
}

/** Prompt and output of each turn; undefined: the source does not say it for every turn. */
export function tokensOf(turns: readonly RecordedTurn[]): readonly number[] | undefined {
  const known = turns.flatMap(({ tokens }) =>
    tokens?.in == null || tokens.out == null ? [] : tokens.in + tokens.out,
  )
  return known.length === turns.length ? known : undefined
}

/** A reward is what a check would have said, as far as a score can tell. */
function checkedOf(turn: RecordedTurn | undefined): CheckedTurn | undefined {
  if (turn?.checked !== undefined || turn?.reward == null) return turn?.checked
  return { tree: undefined, claimed: false, verdicts: [rewardVerdict(turn.reward)], isReward: true }
}

function rewardVerdict(reward: number): Verdict {
  return {
    ...{ verifier: 'reward', status: reward >= 1 ? 'passed' : 'failed', reason: `a reward of ${reward}` },
    ...{ canRetry: true, score: reward, qualifiers: [], evidence: [], durationMs: 0 },
  }
}
