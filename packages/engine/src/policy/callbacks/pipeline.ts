/** Which registered hooks run at an event, in what order, and how their answers combine. */
import { setTimeout as delay } from 'node:timers/promises'
import type { HookPoint } from '@donecheck/core/internal/events/gate'
import { given } from '../../base/index.ts'
import type { HookAnswer, HookInputs, Hooks, Occasion } from '../../ports/callbacks.ts'
import type { Clock } from '../../ports/loop.ts'
import { type AnyAnswer, type Effect, effectOf, mergeAnswers, readAnswer, refuse } from './answers.ts'
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

export interface HookPipeline extends Hooks {
  unusable(situation: HookSituation): readonly HookProblem[]
}

/**
 * Runs the hooks of a point by priority, then registration, each with its own copy. Failures go to
 * `on_error`.
 *
 * - `before_tool_call`: the most severe decision wins; `forbidden` skips the rest; each sees earlier `args`.
 * - `tool_result_persist`: each sees the output of earlier ones; the last is kept.
 * - `run_started`, `before_turn`, `after_tool_call`, `after_turn`: all messages, in order.
 * - `after_verification`, `before_finalize`: one veto is enough; all hooks run, and all reasons are sent.
 * - Elsewhere an answer is an error.
 *
 * @throws {UsageError} for an invalid registration
 */
export function hookPipeline(lists: HookLists, clock: Clock = realTime): HookPipeline {
  const registered = checkHooks(lists)
  const inOrder = registered.toSorted((one, other) => one.priority - other.priority)
  /** Runs in which a `once` hook was called, by hook. */
  const onces = new Map<string, Set<string>>(registered.map(({ name }) => [name, new Set()]))

  async function firing<Point extends HookPoint>(
    point: Point,
    input: HookInputs[Point],
  ): Promise<HookAnswer<Point>> {
    let soFar: SoFar = { merged: {}, refusal: undefined }
    const ran: HookAnswer<Point>['ran'][number][] = []
    for (const hook of inOrder.filter((one) => one.point === point)) {
      const { args, output } = soFar.merged
      const seen: HookInputs[Point] = { ...input, ...given({ args, output }) }
      const match = isFor(hook.matcher, seen)
      const runs = hook.once ? onces.get(hook.name) : undefined
      if (match === false || runs?.has(input.runId) === true) continue
      const done = isDecided(point, soFar) ? skipped : await runOne(hook, seen, match, clock)
      if (done.answer !== undefined) runs?.add(input.runId)
      const call = 'callId' in input ? { callId: input.callId } : {}
      const { durationMs } = done
      ran.push({ hook: hook.name, point, order: ran.length + 1, ...call, ...done.shown, durationMs })
      if (!hook.isWatched) soFar = withOne(soFar, hook, done)
    }
    const { merged, refusal } = soFar
    return { merged: readAnswer(point, merged), ran, ...given({ refusal }) }
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

/** Monotonic, with fractions of a millisecond. */
const realTime: Clock = {
  nowMs: () => performance.timeOrigin + performance.now(),
  async sleep(ms, signal) {
    await delay(ms, undefined, { signal }).catch(() => undefined)
  },
}

interface SoFar {
  readonly merged: AnyAnswer
  readonly refusal: string | undefined
}

function isDecided(point: HookPoint, { merged, refusal }: SoFar): boolean {
  return merged.decision === 'forbidden' || (point === 'tool_result_persist' && refusal !== undefined)
}

interface Done {
  readonly shown: Effect
  readonly durationMs: number
  readonly answer?: AnyAnswer
  /** Also absent if the hook fails open. */
  readonly refusal?: string
}

const skipped: Done = {
  shown: { effect: 'skipped', note: 'an earlier hook has refused' },
  durationMs: 0,
}

function withOne(soFar: SoFar, { name, point }: RegisteredHook, { answer, refusal }: Done): SoFar {
  if (answer !== undefined) return { ...soFar, merged: mergeAnswers(soFar.merged, answer, name) }
  if (refusal === undefined) return soFar
  const own = `hook ${name} failed, and fails closed: ${refusal}`
  return {
    merged: refuse(point, soFar.merged, own),
    refusal: soFar.refusal === undefined ? own : `${soFar.refusal}\n${own}`,
  }
}

type AnyInput = HookInputs[HookPoint]

interface Failure {
  readonly effect: 'failed' | 'timed-out'
  readonly problem: string
  readonly isChanged?: true
}

function failed(problem: string): Failure {
  return { effect: 'failed', problem }
}

/** @returns a failure if the matcher throws */
function isFor(matcher: Matcher, seen: AnyInput): boolean | Failure {
  switch (matcher.kind) {
    case 'every':
      return true
    case 'names':
      return namesIn(seen).some((name) => matcher.patterns.some((pattern) => pattern.test(name)))
    case 'predicate':
      try {
        const answer = matcher.test(copyOf(seen, seen.signal))
        if (typeof answer === 'boolean') return answer
        return failed(`its matcher failed: it answered with ${typeof answer} and not with a boolean`)
      } catch (error) {
        return failed(`its matcher failed: ${showThrown(error)}`)
      }
  }
}

function namesIn(input: AnyInput): readonly string[] {
  if ('tool' in input) return [input.tool]
  if ('verifiers' in input) return input.verifiers
  if ('verdict' in input) return [input.verdict.verifier]
  return 'verdicts' in input ? input.verdicts.map(({ verifier }) => verifier) : []
}

/** Never rejects. */
async function runOne(
  hook: RegisteredHook,
  seen: AnyInput,
  match: true | Failure,
  clock: Clock,
): Promise<Done> {
  const startedMs = clock.nowMs()
  const asked = match === true ? await askHook(hook, seen, clock) : match
  // In whole microseconds.
  const durationMs = Math.max(0, Math.round((clock.nowMs() - startedMs) * 1000) / 1000)
  if ('answer' in asked) return { shown: shownOf(asked.did, hook), answer: asked.answer, durationMs }
  const { effect, problem, isChanged } = asked
  const failsClosed = hook.failsClosed || (isChanged === true && canClose(hook.point))
  const closed = failsClosed ? ` (it ${hook.isWatched ? 'would have failed' : 'fails'} closed)` : ''
  return {
    shown: { effect, note: `${problem}${closed}` },
    durationMs,
    ...(failsClosed ? { refusal: problem } : {}),
  }
}

/** A hook in shadow mode has no effect; the note says what it would have done. */
function shownOf(shown: Effect, { isWatched }: RegisteredHook): Effect {
  const { effect, note, told } = shown
  if (!isWatched || effect === 'none') return isWatched ? { effect } : shown
  return { effect: 'none', note: [`only watched: ${effect}`, note ?? told].filter(Boolean).join(': ') }
}

/** Time to end after an interrupt. */
const graceMs = 1_000

type Asked = { readonly answer: AnyAnswer; readonly did: Effect } | Failure

/** Never rejects. A hook that exceeds its time runs on alone, and its answer is ignored. */
async function askHook(hook: RegisteredHook, input: AnyInput, clock: Clock): Promise<Asked> {
  const own = new AbortController()
  const waiting = new AbortController()
  const ended = Promise.withResolvers<Asked>()
  const onAbort = () => {
    own.abort(input.signal.reason)
    const problem = 'the run was interrupted, and it did not end'
    void clock.sleep(graceMs, waiting.signal).then(() => ended.resolve(failed(problem)))
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
    const answer: AnyAnswer = readAnswer(hook.point, await hook.run(copyOf(input, signal), signal))
    return { answer, did: effectOf(answer, input) }
  } catch (error) {
    const failure = failed(showThrown(error))
    return error instanceof ChangedScriptError ? { ...failure, isChanged: true } : failure
  }
}

/** Copies the input, so that no hook reaches the loop or another hook. @throws for functions and proxies */
function copyOf<Input extends Occasion>(input: Input, signal: AbortSignal): Input
function copyOf({ history, ...data }: Occasion, signal: AbortSignal): Occasion {
  const copy = structuredClone({ ...data, signal: undefined })
  return { ...copy, signal, history: () => structuredClone(history()) }
}

/** Never throws. */
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
