/** One hook is run: within its time, never inside of itself, and whatever it does is data. */
import type { Clock, HookInputs } from '../ports.ts'
import { isolated } from './isolate.ts'
import { enter, reentryProblem } from './reentry.ts'
import type { RegisteredHook } from './registered-hook.ts'
import { showThrown } from './show-thrown.ts'

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
  void answerOf(hook, input, own.signal).then(ended.resolve)
  void clock.sleep(hook.timeoutMs, waiting.signal).then(onTimeout)
  const asked = await ended.promise
  input.signal.removeEventListener('abort', onAbort)
  waiting.abort()
  return asked
}

async function answerOf(
  hook: RegisteredHook,
  input: HookInputs[keyof HookInputs],
  signal: AbortSignal,
): Promise<Asked> {
  try {
    const value = await enter(hook, async () => hook.run(isolated(input, signal), signal))
    return { kind: 'answered', value }
  } catch (error) {
    return { kind: 'failed', problem: showThrown(error) }
  }
}
