/** Registered functions around the loop: which are run on an occasion, in what order, and what comes of it. */
import type { HookPoint } from '@donecheck/core/gate'
import type { Clock } from '../../ports/loop.ts'
import type { HookAnswer, HookInputs, Hooks } from '../../ports/callbacks.ts'
import { checkHooks } from './register/check-registration.ts'
import { count, noCounts, type Counted, type HookCounters } from './fire/counters.ts'
import { fireAt } from './fire/fire-at.ts'
import { onceForEachRun } from './fire/once.ts'
import type { HookLists } from './register/registration.ts'
import type { RegisteredHook } from './register/registered-hook.ts'
import { selfTest, type HookProblem, type HookSituation } from './self-test/self-test.ts'
import { assertKnownKeys, type OptionKeys } from '../../base/index.ts'
import { setTimeout as delay } from 'node:timers/promises'

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

const hookPipelineKeys: OptionKeys<HookPipelineOptions> = {
  clock: true,
}

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
export function hookPipeline(given: HookLists, options: HookPipelineOptions = {}): HookPipeline {
  assertKnownKeys(options, hookPipelineKeys, 'hookPipeline')
  const { clock = realTime } = options
  const registered = checkHooks(given)
  const inOrder = registered.toSorted((one, other) => one.priority - other.priority)
  const counted = new Map(registered.map(({ name, point }) => [name, noCounts(name, point)]))
  const onces = onceForEachRun()

  function note({ name, point }: RegisteredHook, done: Counted): void {
    counted.set(name, count(counted.get(name) ?? noCounts(name, point), done))
  }

  function firing<Point extends HookPoint>(
    point: Point,
    input: HookInputs[Point],
  ): Promise<HookAnswer<Point>> {
    return fireAt(
      inOrder.filter((hook) => hook.point === point),
      { point, input },
      { clock, onces, note },
    )
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
