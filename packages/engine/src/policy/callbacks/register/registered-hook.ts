import type { HookPoint } from '@donecheck/core/gate'
import type { Matcher } from './match.ts'
import type { HookList } from './points.ts'
import type { HookRegistration } from './registration.ts'

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
