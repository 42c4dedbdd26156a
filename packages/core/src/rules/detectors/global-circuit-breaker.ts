import { isWarm, latestSequences, type Detector } from './detection.ts'

/** Share of the breaker's calls at which the drive is told. */
const warningShare = 2 / 3

/**
 * Calls of any kind without progress: nothing new succeeded, the work did not become new, no check fared better. Told
 * after two thirds of `globalCircuitBreakerThreshold`; after all of them whatever comes next is refused. Then the drive may try once: the
 * breaker is half open for one turn after every refusal, and closes with the first progress. A pause on purpose neither
 * counts nor resets. With `circuitBreakerCounts: 'every-call'` all calls of the task count, progress or not, and it stays open.
 */
export const globalCircuitBreaker: Detector = ({ activity, settings }) => {
  const { calls, callsInTask, callsSinceProgress } = activity
  const { globalCircuitBreakerThreshold, circuitBreakerCounts } = settings
  const isEveryCall = circuitBreakerCounts === 'every-call'
  const count = isEveryCall ? callsInTask : callsSinceProgress
  if (count < globalCircuitBreakerThreshold * warningShare) return undefined
  if (!isEveryCall && calls.at(-1)?.callStatus === 'vetoed') return undefined
  const what = isEveryCall ? `${count} calls in this task` : `${count} calls without progress`
  return {
    detector: 'global_circuit_breaker',
    level: count >= globalCircuitBreakerThreshold && isWarm(activity, settings) ? 'critical' : 'warning',
    key: isEveryCall ? 'every-call' : 'no-progress',
    message: what,
    advice: isEveryCall
      ? `${what}; from ${globalCircuitBreakerThreshold} on none is run. Say what is done, what is left, and how to go on.`
      : `${what}: nothing new came of them, and the work is as it was. Stop and look at what you know; then take another way, or say what is missing.`,
    numbers: { calls: count },
    continuedBy: 'any-call',
    restsOn: latestSequences(calls),
  }
}
