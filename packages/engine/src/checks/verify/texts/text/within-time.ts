import { createContext, Script } from 'node:vm'

export type Bounded<Value> = { readonly kind: 'done'; readonly value: Value } | { readonly kind: 'timed-out' }

const call = new Script('work()')

/**
 * Work that is computed at once, such as matching a regular expression, with an end: the engine itself breaks it off,
 * also in the midst of one match. Nothing else of this process runs meanwhile, so the time should be short.
 * @throws whatever the work throws
 */
export function withinTime<Value>(timeoutMs: number, work: () => Value): Bounded<Value> {
  let bounded: Bounded<Value> = { kind: 'timed-out' }
  const keep = () => {
    bounded = { kind: 'done', value: work() }
  }
  try {
    call.runInContext(createContext({ work: keep }), { timeout: timeoutMs })
  } catch (error) {
    if (!isTimeout(error)) throw error
  }
  return bounded
}

/** The error comes from another realm: it is no `Error` of ours. */
function isTimeout(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false
  return error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}
