/** How the answers of the hooks of one point become one. */
import type { HookEffect, HookPoint } from '@donecheck/core/gate'
import type { HookInputs, HookResults } from '../../../ports/callbacks.ts'

export type Reading<Result> =
  | { readonly kind: 'result'; readonly result: Result }
  /** Not what a hook of this point may answer. */
  | { readonly kind: 'wrong'; readonly problem: string }

/** What a hook did, for the trace. */
export interface Effect {
  readonly effect: HookEffect
  readonly note?: string
  readonly told?: string
}

export interface PointRules<Point extends HookPoint> {
  readonly nothing: HookResults[Point]
  /** @throws whatever a getter of the value throws */
  read(value: unknown): Reading<HookResults[Point]>
  /** @param seen what the hook was given */
  effectOf(result: HookResults[Point], seen: HookInputs[Point]): Effect
  /** The answer so far with one more. */
  merge(merged: HookResults[Point], result: HookResults[Point], hook: string): HookResults[Point]
  /** The answer so far with the refusal of a hook that fails closed. */
  refuse(merged: HookResults[Point], refusal: string): HookResults[Point]
  /** What the next hook is given. */
  after(input: HookInputs[Point], merged: HookResults[Point]): HookInputs[Point]
  /** No later hook is run. */
  isDecided(merged: HookResults[Point], refusal: string | undefined): boolean
}

/** Of a reason or a message that goes on to the drive, in characters. */
export const maxTextLength = 10_000
