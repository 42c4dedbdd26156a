/** One hook on one occasion, from its matcher to what it has done. */
import type { HookPoint } from '@donecheck/core/gate'
import type { Clock } from '../../../ports/loop.ts'
import type { HookInputs, HookResults } from '../../../ports/callbacks.ts'
import { askHook } from './ask-hook.ts'
import type { Counted } from './counters.ts'
import { isolateInput } from './isolate.ts'
import { matches } from '../register/match.ts'
import type { Effect, PointRules } from '../merge/point-rules.ts'
import type { RegisteredHook } from '../register/registered-hook.ts'
import { showThrown } from './show-thrown.ts'

export type Done<Point extends HookPoint> = {
  /** For the trace. */
  readonly shown: Effect
  readonly counted: Counted
} & (
  | { readonly kind: 'answered'; readonly result: HookResults[Point] }
  | { readonly kind: 'failed'; readonly problem: string }
  | { readonly kind: 'skipped' }
)

/** Its matcher has failed, so nobody knows whether the hook is for the occasion. */
interface FailedMatch {
  readonly problem: string
}

export function isFor(hook: RegisteredHook, seen: HookInputs[HookPoint]): boolean | FailedMatch {
  try {
    return matches(hook.matcher, seen, () => isolateInput(seen, seen.signal))
  } catch (error) {
    return { problem: showThrown(error) }
  }
}

export interface RunOne<Point extends HookPoint> {
  readonly rules: PointRules<Point>
  readonly clock: Clock
  readonly match: true | FailedMatch
}

/** Never rejects. */
export async function runOne<Point extends HookPoint>(
  hook: RegisteredHook,
  seen: HookInputs[Point],
  { rules, clock, match }: RunOne<Point>,
): Promise<Done<Point>> {
  const startedMs = clock.nowMs()
  const answer: Answer<Point> =
    match === true
      ? await runHook(hook, seen, rules, clock)
      : { effect: 'failed', problem: `its matcher failed: ${match.problem}` }
  const durationMs = microseconds(clock.nowMs() - startedMs)
  const shown = shownOf(answer, hook)
  const wouldDo = 'problem' in answer ? hook.failsClosed : answer.effect.effect !== 'none'
  const counted = { effect: shown.effect, durationMs, isWithheld: hook.isWatched && wouldDo }
  if ('problem' in answer) return { kind: 'failed', problem: answer.problem, shown, counted }
  return { kind: 'answered', result: answer.result, shown, counted }
}

type Answer<Point extends HookPoint> =
  | { readonly result: HookResults[Point]; readonly effect: Effect }
  | { readonly effect: 'failed' | 'timed-out'; readonly problem: string }

async function runHook<Point extends HookPoint>(
  hook: RegisteredHook,
  seen: HookInputs[Point],
  rules: PointRules<Point>,
  clock: Clock,
): Promise<Answer<Point>> {
  const asked = await askHook(hook, seen, clock)
  if (asked.kind !== 'answered') return { effect: asked.kind, problem: asked.problem }
  try {
    const reading = rules.read(asked.value)
    if (reading.kind === 'wrong') return { effect: 'failed', problem: reading.problem }
    return { result: reading.result, effect: rules.effectOf(reading.result, seen) }
  } catch (error) {
    return { effect: 'failed', problem: showThrown(error) }
  }
}

function shownOf(answer: Answer<HookPoint>, { isWatched, failsClosed }: RegisteredHook): Effect {
  if ('problem' in answer) {
    const closed = failsClosed ? ` (it ${isWatched ? 'would have failed' : 'fails'} closed)` : ''
    return { effect: answer.effect, note: `${answer.problem}${closed}` }
  }
  const { effect, note, told: reported } = answer.effect
  if (!isWatched) return answer.effect
  if (effect === 'none') return { effect }
  return { effect: 'none', note: [`only watched: ${effect}`, note ?? reported].filter(Boolean).join(': ') }
}

/** Three digits after the point are enough for anybody. */
function microseconds(ms: number): number {
  return Math.max(0, Math.round(ms * 1000) / 1000)
}
