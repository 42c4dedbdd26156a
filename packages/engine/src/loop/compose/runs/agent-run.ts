import { UsageError } from '../../../base/index.ts'
import { evolve, totalTokens, type RunState } from '@donecheck/core/internal/state'
import type { RunEvent } from '@donecheck/core/internal/events'
import type { Consumption } from '@donecheck/core/internal/budgets'
import type { StopTransition } from '@donecheck/core/internal/events/transitions'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import { heldOutGapOf, type HeldOutGap } from '@donecheck/core/internal/decide/aggregate'
import { runLoop, LoopSteps, type Waiting } from '../../run/index.ts'
import { replyResult, type ReplyResult } from '../../display/index.ts'
import { type LoopParts, openRun, type Beginning, type Opening } from './open-run.ts'
import type { Decision } from '@donecheck/core/internal/decide'

/** Includes sub-runs. Token counts omit calls of unknown usage. */
interface RunUsage extends Consumption {
  readonly totalTokens: number
}

export interface RunResult {
  readonly runId: string
  readonly state: RunState
  readonly transition: StopTransition
  readonly finalText: string
  /** Null unless replies are verified. */
  readonly reply: ReplyResult | null
  readonly verdicts: readonly Verdict[]
  /** How many visible and held-out checks passed; null if none were held out. */
  readonly heldOut: HeldOutGap | null
  readonly usage: RunUsage
}

export interface Moment {
  readonly event: RunEvent
  readonly state: RunState
}

/** Await it for its result, iterate over it for its events, or both; the run proceeds either way. */
export class AgentRun implements PromiseLike<RunResult>, AsyncIterable<RunEvent> {
  readonly #events: RunEvent[] = []
  /** State after the first event. Later states are folded on demand, to save memory. */
  #first: RunState | undefined
  readonly #result: Promise<RunResult>
  #wakeReaders = Promise.withResolvers<undefined>()
  #isOver = false

  constructor(parts: LoopParts, beginning: Beginning) {
    this.#result = conduct(parts, beginning, (event, state) => {
      this.#events.push(event)
      this.#first ??= state
      this.#wake()
    }).finally(() => {
      this.#isOver = true
      this.#wake()
    })
    // Iterating callers receive a failure at the end of the iteration, not as an unhandled rejection.
    this.#result.catch(() => undefined)
  }

  then<Value = RunResult, Failure = never>(
    onFulfilled?: ((result: RunResult) => Value | PromiseLike<Value>) | null,
    onRejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Value | Failure> {
    return this.#result.then(onFulfilled, onRejected)
  }

  /** Events from the start (of this resume) to the end. @throws what ended the run abnormally */
  async *[Symbol.asyncIterator](): AsyncIterator<RunEvent> {
    for await (const { event } of this.moments()) yield event
  }

  /** The events, each with the state after it, for `eventLines`. @throws what ended the run abnormally */
  async *moments(): AsyncGenerator<Moment, undefined> {
    let state: RunState | undefined
    for (let index = 0; ; index += 1) {
      while (index >= this.#events.length && !this.#isOver) await this.#wakeReaders.promise
      const event = this.#events[index]
      if (event === undefined || this.#first === undefined) break
      state = state === undefined ? this.#first : evolve(state, event)
      yield { event, state }
    }
    await this.#result
  }

  #wake(): void {
    this.#wakeReaders.resolve(undefined)
    this.#wakeReaders = Promise.withResolvers<undefined>()
  }
}

async function conduct(
  parts: LoopParts,
  beginning: Beginning,
  onEvent: (event: RunEvent, state: RunState) => void,
): Promise<RunResult> {
  const { session, world, close } = await openRun(parts, beginning, { onEvent })
  try {
    await runLoop(session, world)
    const result = resultOf(session.state)
    // Misuse is recorded as the end, but must not look like a result of work.
    if (result.transition.misuse === true) throw new UsageError(result.transition.message)
    return result
  } finally {
    await close()
  }
}

/** @throws {TypeError} if the state has not stopped */
export function resultOf(state: RunState): RunResult {
  if (state.phase.kind !== 'stopped') throw new TypeError(`run ${state.runId} has not stopped`)
  const { consumption } = state
  return {
    runId: state.runId,
    state,
    transition: state.phase.transition,
    finalText: state.lastText,
    reply: replyResult(state),
    verdicts: Object.values(state.checks).flatMap(({ latest }) => latest ?? []),
    heldOut: heldOutGapOf(state),
    usage: { ...consumption, totalTokens: totalTokens(consumption) },
  }
}

/** How a step ended, with the sequence of the latest event. */
export type StepEnd =
  | { readonly kind: 'stepped'; readonly decision: Decision['kind']; readonly sequence: number }
  /** The run can be closed, and any process can open it again: it repeats the decision. */
  | { readonly kind: 'waiting'; readonly for: Waiting; readonly sequence: number }
  | { readonly kind: 'stopped'; readonly transition: StopTransition; readonly sequence: number }

export interface SteppedRun {
  readonly runId: string
  readonly sequence: number
  /** Performs and records one decision. A stopped run returns its end again. */
  step(): Promise<StepEnd>
  close(): Promise<void>
}

export interface OpenOptions extends Opening {
  /**
   * `elsewhere`: waits and postponable questions end the step as `waiting`; questions within an agent's turn
   * and of the tamper guard still block. Default: `here`.
   */
  readonly waits?: 'here' | 'elsewhere'
}

export async function openSteppedRun(
  parts: LoopParts,
  beginning: Beginning,
  { waits = 'here', ...opening }: OpenOptions,
): Promise<SteppedRun> {
  const { session, world, close } = await openRun(parts, beginning, opening)
  const steps = new LoopSteps(session, world)
  return {
    runId: session.runId,
    get sequence() {
      return session.state.sequence
    },
    async step() {
      const earlier = endOf(session.state)
      if (earlier !== undefined) return earlier
      const { decision, waiting } =
        waits === 'elsewhere'
          ? await steps.nextOrWait()
          : { decision: await steps.next(), waiting: undefined }
      const { sequence } = session.state
      const step: StepEnd =
        waiting === undefined
          ? { kind: 'stepped', decision, sequence }
          : { kind: 'waiting', for: waiting, sequence }
      return endOf(session.state) ?? step
    },
    close,
  }
}

function endOf({ phase, sequence }: RunState): StepEnd | undefined {
  return phase.kind === 'stopped' ? { kind: 'stopped', transition: phase.transition, sequence } : undefined
}
