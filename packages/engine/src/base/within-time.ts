import { createContext, Script, type Context } from 'node:vm'

type Bounded<Value> = { readonly kind: 'done'; readonly value: Value } | { readonly kind: 'timed-out' }

const call = new Script('work()')
/** Made once: making one takes a millisecond. */
let context: Context | undefined

/**
 * Runs synchronous work, such as a regular expression, with a hard time limit. @throws what it throws
 * @param timeoutMs above 0
 */
export function withinTime<Value>(timeoutMs: number, work: () => Value): Bounded<Value> {
  let bounded: Bounded<Value> = { kind: 'timed-out' }
  const keep = () => {
    bounded = { kind: 'done', value: work() }
  }
  context ??= createContext({})
  Object.assign(context, { work: keep })
  try {
    call.runInContext(context, { timeout: Math.ceil(timeoutMs) })
  } catch (error) {
    if (!isTimeout(error)) throw error
  }
  return bounded
}

/** An error of another realm is not our `Error`. */
function isTimeout(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false
  return error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
