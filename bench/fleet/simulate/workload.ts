/** What runs do, drawn from recorded runs; decided once for each trace. */
import type { RunState } from '@donecheck/core/internal/state'
import type { StopReason } from '@donecheck/core/internal/events/transitions'
import { beginning, DecidedRun, type Pause, type World, type Work } from './decided-run.ts'
import { drawn, jitter, randomOf, type Random } from './random.ts'
import recorded from './recorded.json' with { type: 'json' }

/** Of one model call: what a worker does before it, and what it asks for. */
export interface Step extends Work {
  readonly promptTokens: number
  readonly outputTokens: number
  /** Before the call. */
  readonly state: RunState
}

export interface Trace {
  readonly steps: readonly Step[]
  /** After the last call. */
  readonly end: Work & { readonly reason: StopReason }
}

/** What the recordings do not tell. */
export interface Pace {
  readonly firstTokenMs: number
  readonly promptTokensPerSecond: number
  readonly outputTokensPerSecond: number
  /** A call of a tool that is no run of tests. */
  readonly commandMs: number
  /** What the fleet adds to each decision: its journal and the append to the store. */
  readonly decisionMs: number
}

export const assumedPace: Pace = {
  firstTokenMs: 1_500,
  promptTokensPerSecond: 5_000,
  outputTokensPerSecond: 60,
  commandMs: 500,
  decisionMs: 10,
}

const { shares, shareOfCalls } = recorded

/** Of the latest fleet: questions simulate the same runs again and again. */
let known: { readonly seeds: string; readonly traces: (Trace | undefined)[] } = { seeds: '', traces: [] }

/** The same number is the same run, whoever asks. */
export function knownTrace(seed: number, providerWaitMs: number, number: number): Trace {
  const seeds = `${seed} ${providerWaitMs}`
  if (known.seeds !== seeds) known = { seeds, traces: [] }
  return (known.traces[number] ??= traceOf(randomOf(seed, 4, number), providerWaitMs))
}

/** A run from its beginning to its end, every event of it decided. */
export function traceOf(random: Random, providerWaitMs: number): Trace {
  const run = new DecidedRun(worldOf(random), beginning(providerWaitMs))
  const steps: Step[] = []
  for (;;) {
    const pause: Pause = run.goOn()
    if (pause.kind === 'stopped') return { steps, end: { ...pause.work, reason: pause.transition.reason } }
    const { state } = run
    const { promptTokens, outputTokens } = run.answered()
    steps.push({ ...pause.work, promptTokens, outputTokens, state })
  }
}

/** It claims after as many turns as a recorded run had; a claim that fails costs a fifth of them more. */
export function worldOf(random: Random): World {
  const turns = Math.round(drawn(random, shares, recorded.turnsPerRun))
  let left = turns
  let promptTokens = drawn(random, shares, recorded.firstPromptTokens)
  let replies = 0
  return {
    reply() {
      replies += 1
      left -= 1
      const reply = {
        text: `reply ${replies}`,
        promptTokens: Math.round(promptTokens),
        outputTokens: Math.max(1, Math.round(drawn(random, shares, recorded.outputTokens))),
      }
      promptTokens = Math.max(1, promptTokens + drawn(random, shares, recorded.promptGrowthTokens))
      const call = { edits: random() < shareOfCalls.edits, fails: random() < shareOfCalls.failed }
      if (left > 0) return { ...reply, call }
      left = Math.ceil(turns / 5)
      return reply
    },
    checkPasses: () => random() < recorded.shareOfRunsResolved,
  }
}

export function modelMs(random: Random, { promptTokens, outputTokens }: Step, pace: Pace): number {
  const seconds = promptTokens / pace.promptTokensPerSecond + outputTokens / pace.outputTokensPerSecond
  return (pace.firstTokenMs + 1000 * seconds) * jitter(random, 0.4)
}

/** Checks take as long as recorded runs of tests. */
export function workMs(random: Random, { decisions, toolCalls, checks, takesMs }: Work, pace: Pace): number {
  let ms = decisions * pace.decisionMs
  if (takesMs !== undefined) return ms + takesMs
  for (let call = 0; call < toolCalls; call += 1)
    ms += random() < shareOfCalls.tests ? testsMs(random) : pace.commandMs * jitter(random, 0.8)
  for (let check = 0; check < checks; check += 1) ms += testsMs(random)
  return ms
}

function testsMs(random: Random): number {
  return 1000 * drawn(random, shares, recorded.testSeconds)
}
