/** Registered functions around the loop: which are run on an occasion, in what order, and what comes of it. */
import type { HookPoint } from '@donecheck/core/gate'
import type { Clock } from '../../ports/loop.ts'
import type { HookAnswer, HookInputs, Hooks } from '../../ports/callbacks.ts'
import { checkHooks } from './register/check-registration.ts'
import { count, noCounts, type Counted, type HookCounters } from './fire/counters.ts'
import { onceForEachRun, type Onces } from './fire/once.ts'
import type { HookLists, RegisteredHook } from './register/registration.ts'
import { selfTest, type HookProblem, type HookSituation } from './self-test/self-test.ts'
import { assertKnownKeys, given, optionKeys } from '../../base/index.ts'
import { setTimeout as delay } from 'node:timers/promises'
import type { PointRules } from './merge/point-rules.ts'
import { rulesOfPoints } from './merge/rules-of-points.ts'
import { isFor, runOne, type Done } from './fire/run-one.ts'

export interface HookPipeline extends Hooks {
  /** Since the pipeline was made, in the order of registration; the self-test does not count. */
  counters(): readonly HookCounters[]
  /**
   * Whether every hook can be run in a loop of that kind, and those that ask for it can be run in fact. Never rejects.
   * A fatal problem is a hook that is meant to refuse and never could, or always would.
   */
  selfTest(situation: HookSituation): Promise<readonly HookProblem[]>
}

export interface HookPipelineOptions {
  /** Measures and bounds the hooks. Default: real time. */
  readonly clock?: Clock
}

const hookPipelineKeys = optionKeys<HookPipelineOptions>()('clock')

/**
 * Hooks of one point are run one after the other, lower priority first, then in the order of registration. Each is given a
 * frozen copy of its own. One that fails is noted, and where it fails closed it refuses. Failures are told to `on_error`.
 *
 * - `before_tool_call`: the most severe decision holds; after a `forbidden` later hooks are skipped. `args` are changed one after
 *   the other: each hook sees, and judges, what the earlier ones made of them. An `allow` takes back nothing.
 * - `tool_result_persist`: each sees the output as the earlier ones have left it; the last one's is kept.
 * - `run_started`, `before_turn`, `after_tool_call`, `after_turn`: all messages, in order.
 * - `after_verification`, `before_finalize`: one veto is enough; all hooks are run, and the reasons of all are told, in order.
 * - All others may answer nothing.
 *
 * @throws UsageError for a registration that cannot be meant
 */
export function hookPipeline(lists: HookLists, options: HookPipelineOptions = {}): HookPipeline {
  assertKnownKeys(options, hookPipelineKeys, 'hookPipeline')
  const { clock = realTime } = options
  const registered = checkHooks(lists)
  const inOrder = registered.toSorted((one, other) => one.priority - other.priority)
  const counted = new Map(registered.map(({ name, point }) => [name, noCounts(name, point)]))
  const onces = onceForEachRun()

  function note({ name, point }: RegisteredHook, done: Counted): void {
    counted.set(name, count(counted.get(name) ?? noCounts(name, point), done))
  }

  function firing<Point extends HookPoint>(point: Point, input: HookInputs[Point]) {
    const hooks = inOrder.filter((hook) => hook.point === point)
    return fireAt(hooks, { point, input }, { clock, onces, note })
  }

  return {
    has: (point) => inOrder.some((hook) => hook.point === point),
    async fire(point, input) {
      const answer = await firing(point, input)
      if (point === 'on_error') return answer
      const { runId, turn, signal, history } = input
      let ran = answer.ran
      for (const { hook, effect, note: message = effect } of answer.ran) {
        if (effect !== 'failed' && effect !== 'timed-out') continue
        const where = `hook ${hook} (${point})`
        const reported = await firing('on_error', { runId, turn, signal, history, where, message })
        ran = [...ran, ...reported.ran]
      }
      return { ...answer, ran }
    },
    counters: () => [...counted.values()],
    selfTest: (situation) => selfTest(registered, situation, clock),
  }
}

/** Never goes back, and knows fractions of a millisecond: most hooks are faster than one. */
const realTime: Clock = {
  nowMs: () => performance.timeOrigin + performance.now(),
  async sleep(ms, signal) {
    await delay(ms, undefined, { signal }).catch(() => undefined)
  },
}

interface Occurrence<Point extends HookPoint> {
  readonly point: Point
  readonly input: HookInputs[Point]
}

interface FireContext {
  readonly clock: Clock
  readonly onces: Onces
  readonly note: (hook: RegisteredHook, counted: Counted) => void
}

/** @param hooks of that point, in their order */
async function fireAt<Point extends HookPoint>(
  hooks: readonly RegisteredHook[],
  { point, input }: Occurrence<Point>,
  { clock, onces, note }: FireContext,
): Promise<HookAnswer<Point>> {
  const rules = rulesOfPoints[point]
  const ran: HookAnswer<HookPoint>['ran'][number][] = []
  const call = 'callId' in input ? { callId: input.callId } : {}
  let answer: Answer<Point> = { merged: rules.nothing, refusal: undefined }
  for (const hook of hooks) {
    const seen = rules.after(input, answer.merged)
    const match = isFor(hook, seen)
    if (match === false || !onces.take(hook, input.runId)) continue
    const isDecided = rules.isDecided(answer.merged, answer.refusal)
    const done = isDecided ? skipped : await runOne(hook, seen, { rules, clock, match })
    if (isDecided || done.kind === 'failed') onces.giveBack(hook, input.runId)
    const { shown, counted } = done
    const { durationMs } = counted
    note(hook, counted)
    ran.push({ hook: hook.name, point, order: ran.length + 1, ...call, ...shown, durationMs })
    answer = mergeAnswer(answer, done, hook, rules)
  }
  const { merged, refusal } = answer
  return { merged, ran, ...given({ refusal }) }
}

interface Answer<Point extends HookPoint> {
  readonly merged: HookAnswer<Point>['merged']
  readonly refusal: string | undefined
}

const skipped = {
  kind: 'skipped',
  shown: { effect: 'skipped', note: 'an earlier hook has refused' },
  counted: { effect: 'skipped', durationMs: 0, isWithheld: false },
} as const

/** What is only watched changes nothing, whatever it answers. */
function mergeAnswer<Point extends HookPoint>(
  before: Answer<Point>,
  done: Done<Point>,
  { name, isWatched }: RegisteredHook,
  rules: PointRules<Point>,
): Answer<Point> {
  const { merged, refusal } = before
  if (isWatched || done.kind === 'skipped') return before
  if (done.kind === 'answered') return { merged: rules.merge(merged, done.result, name), refusal }
  if (!done.failsClosed) return before
  const own = `hook ${name} failed, and fails closed: ${done.problem}`
  return { merged: rules.refuse(merged, own), refusal: refusal === undefined ? own : `${refusal}\n${own}` }
}
