/** A run one decision at a time, for whoever drives many of them and waits in their place. */
import type { Decision } from '@donecheck/core/decide'
import type { RunState } from '@donecheck/core/state'
import type { StopTransition } from '@donecheck/core/transitions'
import { LoopSteps, type Waiting } from '../../run/index.ts'
import type { LoopParts } from './loop-parts.ts'
import { openRun, type Beginning, type Opening } from './open-run.ts'

/** How a step ended, and of which event the record is the latest. */
export type StepEnd =
  | { readonly kind: 'stepped'; readonly decision: Decision['kind']; readonly sequence: number }
  /** The run can be closed until then, and opened again by anybody: the same decision is performed once more. */
  | { readonly kind: 'waiting'; readonly for: Waiting; readonly sequence: number }
  | { readonly kind: 'stopped'; readonly transition: StopTransition; readonly sequence: number }

export interface SteppedRun {
  readonly runId: string
  /** Of the latest event. */
  readonly sequence: number
  /** Performs one decision and records what happened. Of a run that has stopped it tells the end once more. */
  step(): Promise<StepEnd>
  /** Puts the drive away and lets the run go: in the middle of a step only after an interrupt. */
  close(): Promise<void>
}

export interface OpenOptions extends Opening {
  /**
   * `elsewhere`: backing off, the waiting of a goal, what a person is asked by an approver or a check that can put it off end the
   * step as `waiting`, and whoever drives the run waits. What an agent asks in the middle of its own turn, and what the tamper
   * guard asks, is waited for here all the same. Default `here`.
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

/** Undefined: it has not stopped. */
function endOf({ phase, sequence }: RunState): StepEnd | undefined {
  return phase.kind === 'stopped' ? { kind: 'stopped', transition: phase.transition, sequence } : undefined
}
