import type { TokenUsage } from '@donecheck/core/internal/budgets'
import type { EpochMs, JsonValue, RunEvent } from '@donecheck/core/internal/events'
import { type Conversation, converse, emptyConversation, fold } from '@donecheck/core/internal/state'
import type { Outcome, StopReason } from '@donecheck/core/internal/events/transitions'
import type { VerdictQualifier, VerdictStatus } from '@donecheck/core/internal/events/verdicts'
import { isLost, type Origin, originOf } from '../recordings/index.ts'

export interface TrajectoryCall {
  readonly callId: string
  readonly tool: string
  readonly args: JsonValue
  /** Result or refusal; null if there was none. */
  readonly result: string | null
}

export interface TrajectoryStep {
  readonly timeMs: EpochMs
  readonly text: string
  readonly calls: readonly TrajectoryCall[]
  /** Feedback before the next reply; null if there was none. */
  readonly feedback: string | null
  /** Null if unknown. */
  readonly usage: TokenUsage | null
  readonly costUsd: number | null
}

interface CheckLabel {
  readonly name: string
  readonly required: boolean
  readonly status: VerdictStatus
  readonly qualifiers: readonly VerdictQualifier[]
}

export interface VerdictLabel {
  readonly outcome: Outcome | 'not-ended'
  readonly reason: StopReason | null
  readonly checks: readonly CheckLabel[]
  /** Of all checks, sorted. */
  readonly qualifiers: readonly VerdictQualifier[]
  /** This donecheck did not observe the run. */
  readonly imported: boolean
  /** Outcome according to the source; null unless imported. */
  readonly groundTruth: Origin['outcome'] | null
}

export interface Trajectory {
  readonly runId: string
  readonly startedAtMs: EpochMs
  readonly model: string
  readonly task: string
  readonly steps: readonly TrajectoryStep[]
  readonly verdict: VerdictLabel
}

/** @param events of one run, in order @returns undefined if the agent never replied */
export function trajectoryOf(events: readonly RunEvent[], isImported: boolean): Trajectory | undefined {
  const [first] = events
  if (first?.type !== 'run-started') return undefined
  const { task, steps } = stepsOf(events)
  if (steps.length === 0) return undefined
  const { runId, timeMs: startedAtMs, agent } = first
  return { runId, startedAtMs, model: agent.name, task, steps, verdict: labelOf(events, isImported) }
}

export function labelOf(events: readonly RunEvent[], isImported: boolean): VerdictLabel {
  const [first] = events
  const state = fold(events)
  const end = state?.phase.kind === 'stopped' ? state.phase.transition : undefined
  const origin = first?.type === 'run-started' ? originOf(first.recipe) : undefined
  const checks = (state?.settings.verifiers ?? []).flatMap(({ name, required }): readonly CheckLabel[] => {
    const verdict = state?.checks[name]?.latest
    if (verdict === undefined) return []
    return [{ name, required, status: verdict.status, qualifiers: verdict.qualifiers }]
  })
  return {
    outcome: end?.outcome ?? 'not-ended',
    reason: end?.reason ?? null,
    checks,
    qualifiers: [...new Set(checks.flatMap(({ qualifiers }) => qualifiers))].sort(),
    imported: isImported || origin !== undefined,
    groundTruth: origin?.outcome ?? null,
  }
}

type Reply = Pick<TrajectoryStep, 'timeMs' | 'usage' | 'costUsd'>

function stepsOf(events: readonly RunEvent[]): Pick<Trajectory, 'task' | 'steps'> {
  let conversation: Conversation = emptyConversation
  const replies: Reply[] = []
  const lost = new Set<string>()
  for (const event of events) {
    if (event.type === 'model-replied') {
      replies.push({ timeMs: event.timeMs, usage: event.usage, costUsd: event.costUsd })
    }
    if (event.type === 'tool-returned' && isLost(event)) lost.add(event.callId)
    conversation = converse(conversation, event)
  }
  const messagesAfter = (count: number) =>
    conversation.messages.filter(({ afterRounds }) => afterRounds === count).map(({ text }) => text)
  const steps = conversation.rounds.flatMap((round, index) => {
    const reply = replies[index]
    if (reply === undefined) return []
    const calls = round.toolCalls.map(({ callId, tool, args }) => {
      const result = round.answers.find((answer) => answer.callId === callId)?.output ?? null
      return { callId, tool, args, result: lost.has(callId) ? null : result }
    })
    return [
      { ...reply, text: round.text, calls, feedback: joined(round.feedback, ...messagesAfter(index + 1)) },
    ]
  })
  return { task: joined(conversation.task, ...messagesAfter(0)) ?? '', steps }
}

function joined(...texts: readonly (string | undefined)[]): string | null {
  const said = texts.filter((text) => text !== undefined)
  return said.length === 0 ? null : said.join('\n\n')
}
