/** One hook is run: within its time, never inside of itself, and whatever it does is data. */
import type { Clock } from '../../../ports/loop.ts'
import type { HookInputs } from '../../../ports/callbacks.ts'
import { isolateInput } from './isolate.ts'
import type { RegisteredHook } from '../register/registered-hook.ts'
import { showThrown } from './show-thrown.ts'
import { AsyncLocalStorage } from 'node:async_hooks'

/** Time in which a hook may end by itself after the run was interrupted. */
const graceMs = 1_000

export type Asked =
  | { readonly kind: 'answered'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly problem: string }
  | { readonly kind: 'timed-out'; readonly problem: string }

/** Never rejects. A hook that goes on after its time was over goes on alone; its answer is given up. */
export async function askHook(
  hook: RegisteredHook,
  input: HookInputs[keyof HookInputs],
  clock: Clock,
): Promise<Asked> {
  const problem = reentryProblem(hook)
  if (problem !== undefined) return { kind: 'failed', problem }
  const own = new AbortController()
  const waiting = new AbortController()
  const ended = Promise.withResolvers<Asked>()
  const onAbort = () => {
    own.abort(input.signal.reason)
    const problem = 'the run was interrupted, and it did not end'
    void clock.sleep(graceMs, waiting.signal).then(() => ended.resolve({ kind: 'failed', problem }))
  }
  const onTimeout = () => {
    if (waiting.signal.aborted) return
    const problem = `it did not answer within ${hook.timeoutMs} ms`
    ended.resolve({ kind: 'timed-out', problem })
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

async function awaitAnswer(
  hook: RegisteredHook,
  input: HookInputs[keyof HookInputs],
  signal: AbortSignal,
): Promise<Asked> {
  try {
    const value = await enter(hook, async () => hook.run(isolateInput(input, signal), signal))
    return { kind: 'answered', value }
  } catch (error) {
    return { kind: 'failed', problem: showThrown(error) }
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
