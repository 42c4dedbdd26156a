/** One hook on one occasion, from its matcher to what it has done. */
import type { HookPoint } from '@donecheck/core/gate'
import type { Clock } from '../../../ports/loop.ts'
import type { HookInputs, HookResults } from '../../../ports/callbacks.ts'
import type { Counted } from './counters.ts'
import { ChangedScriptError } from '../commands/hook-scripts.ts'
import { canClose } from '../register/points.ts'
import { isolateInput } from './isolate.ts'
import { matches, type AnyInput } from '../register/match.ts'
import type { Effect, PointRules } from '../merge/point-rules.ts'
import type { RegisteredHook } from '../register/registration.ts'
import { showThrown } from './show-thrown.ts'
import { AsyncLocalStorage } from 'node:async_hooks'

export type Done<Point extends HookPoint> = {
  /** For the trace. */
  readonly shown: Effect
  readonly counted: Counted
} & (
  | { readonly kind: 'answered'; readonly result: HookResults[Point] }
  | { readonly kind: 'failed'; readonly problem: string; readonly failsClosed: boolean }
  | { readonly kind: 'skipped' }
)

/** Its matcher has failed, so nobody knows whether the hook is for the occasion. */
interface FailedMatch {
  readonly problem: string
}

export function isFor(hook: RegisteredHook, seen: AnyInput): boolean | FailedMatch {
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
  const failsClosed = hook.failsClosed || ('isChanged' in answer && canClose(hook.point))
  const shown = shownOf(answer, { ...hook, failsClosed })
  const wouldDo = 'problem' in answer ? failsClosed : answer.effect.effect !== 'none'
  const counted = { effect: shown.effect, durationMs, isWithheld: hook.isWatched && wouldDo }
  if ('problem' in answer) return { kind: 'failed', problem: answer.problem, failsClosed, shown, counted }
  return { kind: 'answered', result: answer.result, shown, counted }
}

type Answer<Point extends HookPoint> =
  { readonly result: HookResults[Point]; readonly effect: Effect } | Failure

interface Failure {
  readonly effect: 'failed' | 'timed-out'
  readonly problem: string
  /** The hook is not the one that was registered. */
  readonly isChanged?: true
}

async function runHook<Point extends HookPoint>(
  hook: RegisteredHook,
  seen: HookInputs[Point],
  rules: PointRules<Point>,
  clock: Clock,
): Promise<Answer<Point>> {
  const asked = await askHook(hook, seen, clock)
  if ('problem' in asked) return asked
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

/** Time in which a hook may end by itself after the run was interrupted. */
const graceMs = 1_000

type Asked = { readonly value: unknown } | Failure

/** Never rejects. A hook that goes on after its time was over goes on alone; its answer is given up. */
async function askHook(hook: RegisteredHook, input: AnyInput, clock: Clock): Promise<Asked> {
  const problem = reentryProblem(hook)
  if (problem !== undefined) return { effect: 'failed', problem }
  const own = new AbortController()
  const waiting = new AbortController()
  const ended = Promise.withResolvers<Asked>()
  const onAbort = () => {
    own.abort(input.signal.reason)
    const problem = 'the run was interrupted, and it did not end'
    void clock.sleep(graceMs, waiting.signal).then(() => ended.resolve({ effect: 'failed', problem }))
  }
  const onTimeout = () => {
    if (waiting.signal.aborted) return
    const problem = `it did not answer within ${hook.timeoutMs} ms`
    ended.resolve({ effect: 'timed-out', problem })
    own.abort(new DOMException(problem, 'TimeoutError'))
  }
  input.signal.addEventListener('abort', onAbort, { once: true })
  if (input.signal.aborted) onAbort()
  void awaitAnswer(hook, input, own.signal).then(ended.resolve)
  void clock.sleep(hook.timeoutMs, waiting.signal).then(onTimeout)
  const asked = await ended.promise
  input.signal.removeEventListener('abort', onAbort)
  waiting.abort()
  return asked
}

async function awaitAnswer(hook: RegisteredHook, input: AnyInput, signal: AbortSignal): Promise<Asked> {
  try {
    const value = await enter(hook, async () => hook.run(isolateInput(input, signal), signal))
    return { value }
  } catch (error) {
    const isChanged = error instanceof ChangedScriptError
    return { effect: 'failed', problem: showThrown(error), ...(isChanged ? { isChanged } : {}) }
  }
}

/** Hooks that may be at work inside of each other. */
const maxDepth = 3

interface Work {
  readonly hook: RegisteredHook
  readonly outer: Work | undefined
  /** What it has left behind may cause hooks as it likes. */
  isOver: boolean
}

/** For all pipelines of the process: a hook may start a loop of its own, which has hooks. */
const atWork = new AsyncLocalStorage<Work>()

/** Why the hook cannot be run here; undefined: it can. */
function reentryProblem(hook: RegisteredHook): string | undefined {
  const outer = hooksAtWork()
  if (outer.includes(hook)) return 'it has caused itself to be run again'
  if (outer.length < maxDepth) return undefined
  return `it was caused by hooks inside of each other: ${outer.map(({ name }) => name).join(', ')}`
}

/** Innermost first. */
function hooksAtWork(): readonly RegisteredHook[] {
  const hooks: RegisteredHook[] = []
  for (let work = atWork.getStore(); work !== undefined; work = work.outer)
    if (!work.isOver) hooks.push(work.hook)
  return hooks
}

/** Whatever is caused by the work is known to be caused by the hook. */
async function enter<Value>(hook: RegisteredHook, work: () => Promise<Value>): Promise<Value> {
  const entry: Work = { hook, outer: atWork.getStore(), isOver: false }
  try {
    return await atWork.run(entry, work)
  } finally {
    entry.isOver = true
  }
}
