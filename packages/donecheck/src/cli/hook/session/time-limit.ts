/** An agent gives a hook so much time, and goes on without an answer afterwards: ours ends before. */

/** Kept free for what must still be written down after the checks were broken off. */
const shareForTheRest = 0.1
const leastForTheRestMs = 4_000

/** Of the time of a hook, in seconds: what its checks have. */
export function secondsForChecks(timeoutSeconds: number): number {
  const allMs = timeoutSeconds * 1000
  return (allMs - restOf(allMs)) / 1000
}

function restOf(allMs: number): number {
  return Math.min(allMs / 2, Math.max(leastForTheRestMs, allMs * shareForTheRest))
}

/**
 * @param work is told to end its checks when the time is nearly over
 * @param passedMs of that time, before this was called: the agent counts from the start of the process
 * @throws {TypeError} where it has not answered even then
 */
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
