/** Registered functions around the loop: which are run on an occasion, in what order, and what comes of it. */
import { setTimeout as delay } from 'node:timers/promises'
import type { HookPoint } from '@donecheck/core/gate'
import { given } from '../../base/index.ts'
import type { HookAnswer, HookInputs, HookResults, Hooks, Occasion } from '../../ports/callbacks.ts'
import type { Clock } from '../../ports/loop.ts'
import { ChangedScriptError } from './hook-scripts.ts'
import {
  boundText,
  canClose,
  checkHooks,
  showValue,
  unusableHooks,
  type HookLists,
  type HookProblem,
  type HookSituation,
  type Matcher,
  type RegisteredHook,
} from './registration.ts'
import { rulesOfPoints, type Effect, type PointRules } from './rules-of-points.ts'

export interface HookPipeline extends Hooks {
  /** Hooks that would never be called in a loop of that kind. */
  unusable(situation: HookSituation): readonly HookProblem[]
}

/**
 * Hooks of one point are run one after the other, lower priority first, then in the order of registration. Each is given a
 * copy of its own. One that fails is noted, and where it fails closed it refuses. Failures are told to `on_error`.
 *
 * - `before_tool_call`: the most severe decision holds; after a `forbidden` later hooks are skipped. `args` are changed one after
 *   the other: each hook sees, and judges, what the earlier ones made of them. An `allow` takes back nothing.
 * - `tool_result_persist`: each sees the output as the earlier ones have left it; the last one's is kept.
 * - `run_started`, `before_turn`, `after_tool_call`, `after_turn`: all messages, in order.
 * - `after_verification`, `before_finalize`: one veto is enough; all hooks are run, and the reasons of all are told, in order.
 * - At all other points an answer is an error.
 *
 * @param clock measures and bounds the hooks
 * @throws {UsageError} for a registration that cannot be meant
 */
export function hookPipeline(lists: HookLists, clock: Clock = realTime): HookPipeline {
  const registered = checkHooks(lists)
  const inOrder = registered.toSorted((one, other) => one.priority - other.priority)
  const onces = new Map<string, Set<string>>(registered.map(({ name }) => [name, new Set()]))

  function firing<Point extends HookPoint>(point: Point, input: HookInputs[Point]) {
    const hooks = inOrder.filter((hook) => hook.point === point)
    return fireAt(hooks, { point, input }, { clock, runsOf: ({ name }) => onces.get(name) })
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
    unusable: (situation) => unusableHooks(registered, situation),
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
  /** The runs in which the hook has had an occasion. */
  readonly runsOf: (hook: RegisteredHook) => Set<string> | undefined
}

/** @param hooks of that point, in their order */
async function fireAt<Point extends HookPoint>(
  hooks: readonly RegisteredHook[],
  { point, input }: Occurrence<Point>,
  { clock, runsOf }: FireContext,
): Promise<HookAnswer<Point>> {
  const rules = rulesOfPoints[point]
  const ran: HookAnswer<HookPoint>['ran'][number][] = []
  const call = 'callId' in input ? { callId: input.callId } : {}
  let answer: Answer<Point> = { merged: rules.nothing, refusal: undefined }
  for (const hook of hooks) {
    const seen = rules.after(input, answer.merged)
    const match = isFor(hook.matcher, seen)
    if (match === false || (hook.once && runsOf(hook)?.has(input.runId) === true)) continue
    const isDecided = rules.isDecided(answer.merged, answer.refusal)
    const done = isDecided ? skipped : await runOne(hook, seen, { rules, clock, match })
    if (done.kind === 'answered') runsOf(hook)?.add(input.runId)
    const { shown, durationMs } = done
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
  durationMs: 0,
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

type AnyInput = HookInputs[HookPoint]

/** Its matcher has failed, so nobody knows whether the hook is for the occasion. */
interface FailedMatch {
  readonly problem: string
}

function isFor(matcher: Matcher, seen: AnyInput): boolean | FailedMatch {
  switch (matcher.kind) {
    case 'every':
      return true
    case 'names':
      return namesIn(seen).some((name) => matcher.patterns.some((pattern) => pattern.test(name)))
    case 'predicate':
      try {
        const answer = matcher.test(copyOf(seen, seen.signal))
        if (typeof answer === 'boolean') return answer
        return { problem: `its matcher answered with ${typeof answer} and not with a boolean` }
      } catch (error) {
        return { problem: showThrown(error) }
      }
  }
}

/** The names that take part in an occasion: of a tool, or of verifiers. */
function namesIn(input: AnyInput): readonly string[] {
  if ('tool' in input) return [input.tool]
  if ('verifiers' in input) return input.verifiers
  if ('verdict' in input) return [input.verdict.verifier]
  return 'verdicts' in input ? input.verdicts.map(({ verifier }) => verifier) : []
}

type Done<Point extends HookPoint> = {
  /** For the trace. */
  readonly shown: Effect
  readonly durationMs: number
} & (
  | { readonly kind: 'answered'; readonly result: HookResults[Point] }
  | { readonly kind: 'failed'; readonly problem: string; readonly failsClosed: boolean }
  | { readonly kind: 'skipped' }
)

interface RunOne<Point extends HookPoint> {
  readonly rules: PointRules<Point>
  readonly clock: Clock
  readonly match: true | FailedMatch
}

/** Never rejects. */
async function runOne<Point extends HookPoint>(
  hook: RegisteredHook,
  seen: HookInputs[Point],
  { rules, clock, match }: RunOne<Point>,
): Promise<Done<Point>> {
  const startedMs = clock.nowMs()
  const answer: HookReading<Point> =
    match === true
      ? await runHook(hook, seen, rules, clock)
      : { effect: 'failed', problem: `its matcher failed: ${match.problem}` }
  // Three digits after the point are enough for anybody.
  const durationMs = Math.max(0, Math.round((clock.nowMs() - startedMs) * 1000) / 1000)
  const failsClosed = hook.failsClosed || ('isChanged' in answer && canClose(hook.point))
  const shown = shownOf(answer, { ...hook, failsClosed })
  if ('problem' in answer) return { kind: 'failed', problem: answer.problem, failsClosed, shown, durationMs }
  return { kind: 'answered', result: answer.result, shown, durationMs }
}

type HookReading<Point extends HookPoint> =
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
): Promise<HookReading<Point>> {
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

function shownOf(answer: HookReading<HookPoint>, { isWatched, failsClosed }: RegisteredHook): Effect {
  if ('problem' in answer) {
    const closed = failsClosed ? ` (it ${isWatched ? 'would have failed' : 'fails'} closed)` : ''
    return { effect: answer.effect, note: `${answer.problem}${closed}` }
  }
  const { effect, note, told: reported } = answer.effect
  if (!isWatched) return answer.effect
  if (effect === 'none') return { effect }
  return { effect: 'none', note: [`only watched: ${effect}`, note ?? reported].filter(Boolean).join(': ') }
}

/** Time in which a hook may end by itself after the run was interrupted. */
const graceMs = 1_000

type Asked = { readonly value: unknown } | Failure

/** Never rejects. A hook that goes on after its time was over goes on alone; its answer is given up. */
async function askHook(hook: RegisteredHook, input: AnyInput, clock: Clock): Promise<Asked> {
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
    return { value: await hook.run(copyOf(input, signal), signal) }
  } catch (error) {
    const isChanged = error instanceof ChangedScriptError
    return { effect: 'failed', problem: showThrown(error), ...(isChanged ? { isChanged } : {}) }
  }
}

/**
 * What a hook is given: a copy of its own, so that no hook reaches the loop or another hook.
 * @param signal of this hook alone
 * @throws for what cannot be copied, such as a function or a proxy
 */
function copyOf<Input extends Occasion>(input: Input, signal: AbortSignal): Input
function copyOf({ history, ...data }: Occasion, signal: AbortSignal): Occasion {
  const copy = structuredClone({ ...data, signal: undefined })
  return { ...copy, signal, history: () => structuredClone(history()) }
}

/** What was thrown, in its own words. Never throws. */
function showThrown(error: unknown): string {
  try {
    if (error instanceof Error) {
      const message: unknown = error.message
      return boundText(typeof message === 'string' && message !== '' ? message : error.name)
    }
    return boundText(typeof error === 'string' ? error : `it threw ${showValue(error)}`)
  } catch {
    return 'it threw a value that cannot be read'
  }
}
