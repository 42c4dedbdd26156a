/** What is registered: a function at a point, and how it is run. */
import type { HookEffect, HookPoint } from '@donecheck/core/gate'
import type { HookedCall, HookInputs, HookResults } from '../../../ports/callbacks.ts'
import type { Matcher } from './match.ts'
import type { HookList, LifecyclePoint, ToolPoint, VerifierPoint } from './points.ts'
import { assertKnownKeys, optionKeys } from '../../../base/index.ts'

/** Nothing at all is an answer too. */
export type HookReturn<Point extends HookPoint> = HookResults[Point] | undefined

/** One name, a pattern in which `*` stands for any characters, a regular expression, or a list of these: one must match. */
export type NameMatch = string | RegExp | readonly (string | RegExp)[]

/**
 * Which occasions a hook is for. At the points of tools: names of tools, or a function of the call. At the points of
 * verifiers: names of verifiers, one of which must take part.
 */
export type HookMatch<Point extends HookPoint> = Point extends ToolPoint
  ? NameMatch | ((call: HookedCall) => boolean)
  : Point extends VerifierPoint
    ? NameMatch
    : never

/** What the start-up self-test runs the hook with; what is left out is made up. */
export interface HookSample<Point extends HookPoint> {
  readonly input?: Partial<Omit<HookInputs[Point], 'signal' | 'history' | 'selfTest'>>
  /** What the hook must do with it. Default: anything but fail. */
  readonly expect?: HookEffect
}

export interface HookOptions<Point extends HookPoint> {
  /** Unique in a loop; it stands in every trace and refusal. */
  readonly name: string
  /**
   * Is given a copy of its own, deeply frozen, and a signal that aborts when its time is over or the run is interrupted.
   * A loop that never yields cannot be stopped by anybody.
   */
  run(input: HookInputs[Point], signal: AbortSignal): HookReturn<Point> | PromiseLike<HookReturn<Point>>
  /** Lower numbers run earlier, equal ones in the order of registration. Default 100. */
  readonly priority?: number
  /** Default: every occasion of its point. */
  readonly match?: HookMatch<Point>
  /** Milliseconds after which it is not waited for any longer. Default 5 000. */
  readonly timeoutMs?: number
  /**
   * What it means when it throws, hangs or answers nonsense. `open`: it is noted, and nothing else. `closed`: a refusal in
   * its name; only where something can be refused. Default: `closed` for `before_tool_call` and the points of verifiers.
   */
  readonly onFailure?: 'open' | 'closed'
  /** `shadow`: it is run, and what it would have done is noted and not done. Default `on`. */
  readonly mode?: 'on' | 'shadow'
  /** For the first occasion of each run only; one at which it fails does not count. A resumed run begins anew. Default false. */
  readonly once?: boolean
  /** It is run once at the start, on a sample occasion with `selfTest: true`. Default: it is not. */
  readonly selfTest?: true | HookSample<Point>
}

const hookKeys = optionKeys<HookOptions<HookPoint>>()(
  'name! run! priority match timeoutMs onFailure mode once selfTest',
)

export interface HookRegistration<Point extends HookPoint = HookPoint> extends HookOptions<Point> {
  readonly point: Point
}

export type ToolHook = { [Point in ToolPoint]: HookRegistration<Point> }[ToolPoint]
export type VerifierHook = { [Point in VerifierPoint]: HookRegistration<Point> }[VerifierPoint]
export type LifecycleHook = { [Point in LifecyclePoint]: HookRegistration<Point> }[LifecyclePoint]

/** Middleware of tools and of verifiers are separate lists; all see one history. */
export interface HookLists {
  readonly tools?: readonly ToolHook[]
  readonly verifiers?: readonly VerifierHook[]
  readonly lifecycle?: readonly LifecycleHook[]
}

/** A registration after it was checked, with every default filled in. */
export interface RegisteredHook<Point extends HookPoint = HookPoint> {
  readonly name: string
  readonly point: Point
  readonly list: HookList
  readonly priority: number
  readonly matcher: Matcher
  readonly timeoutMs: number
  readonly failsClosed: boolean
  readonly isWatched: boolean
  readonly once: boolean
  readonly sample: HookRegistration<Point>['selfTest']
  /** As it was registered, to be compared. */
  readonly original: unknown
  run(...given: Parameters<HookRegistration<Point>['run']>): unknown
}

/** A registration of its own, outside of a list, with the types of its point. */
export function hook<Point extends HookPoint>(
  point: Point,
  options: HookOptions<Point>,
): HookRegistration<Point> {
  assertKnownKeys(options, hookKeys, 'hook')
  return { ...options, point }
}
