/** Answers before the agent's timeout, after which it continues without us. */

/** Reserved for recording the result after checks were aborted. */
const shareForTheRest = 0.1
const leastForTheRestMs = 4_000

export function secondsForChecks(timeoutSeconds: number): number {
  const allMs = timeoutSeconds * 1000
  return (allMs - restOf(allMs)) / 1000
}

function restOf(allMs: number): number {
  return Math.min(allMs / 2, Math.max(leastForTheRestMs, allMs * shareForTheRest))
}

/** @param work aborted shortly before the timeout @param passedMs already used @throws {TypeError} if it still does not end */
export async function withTimeLimit<Value>(
  timeoutSeconds: number,
  work: (signal: AbortSignal) => Promise<Value>,
  passedMs = 0,
): Promise<Value> {
  const allMs = timeoutSeconds * 1000
  const restMs = restOf(allMs)
  const end = new AbortController()
  const until = (ms: number): number => Math.max(0, ms - passedMs)
  const timers = [setTimeout(() => end.abort('the time of the hook is nearly over'), until(allMs - restMs))]
  const tooLate = new Promise<never>((_, reject) => {
    const late = () =>
      reject(new TypeError(`the checks did not end within the ${timeoutSeconds} s of this hook`))
    timers.push(setTimeout(late, until(allMs - restMs / 3)))
  })
  try {
    return await Promise.race([work(end.signal), tooLate])
  } finally {
    for (const timer of timers) clearTimeout(timer)
  }
}
