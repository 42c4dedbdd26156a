/** Whether a call costs the same late in a long run as early in it. */
import type { CallStep, Detector, Watch } from '../detector.ts'
import { medianOf } from '../measure/markdown.ts'
import { loopingCall, madeUpCall } from './call-stream.ts'

export const lengths: readonly number[] = [1_000, 10_000, 100_000, 1_000_000]

const chunkCalls = 1_000
const watchesForTheFirst = 25
const lateChunks = 50
const loopChunks = 40
/** Short, because making the calls takes longer than looking at them. */
const resultChars = 200
const patienceMs = 20_000

/** Microseconds per call just before each length (thousands, growing); undefined: given up after 20 seconds. */
export function measureFlatness(
  detector: Detector,
  until: readonly number[] = lengths,
): readonly (number | undefined)[] {
  const early = Array.from({ length: watchesForTheFirst }, () =>
    observeChunk(detector, detector.begin(), 0, newCall),
  )
  return [perCall(early), ...lateCosts(detector, until.slice(1))]
}

/** Microseconds per call deep in an endless loop of three calls, also past a stop. */
export function measureInLoop(detector: Detector): number {
  const watch = detector.begin()
  const chunksMs = Array.from({ length: loopChunks }, (_, chunk) =>
    observeChunk(detector, watch, chunk * chunkCalls, loopingCall),
  )
  return perCall(chunksMs.slice(loopChunks / 2))
}

function lateCosts(detector: Detector, until: readonly number[]): readonly (number | undefined)[] {
  const watch = detector.begin()
  const recent: number[] = []
  let calls = 0
  let spentMs = 0
  return until.map((length) => {
    while (calls < length && spentMs < patienceMs) {
      const chunkMs = observeChunk(detector, watch, calls, newCall)
      spentMs += chunkMs
      calls += chunkCalls
      recent.push(chunkMs)
      if (recent.length > lateChunks) recent.shift()
    }
    return calls < length ? undefined : perCall(recent.slice(-Math.min(lateChunks, length / chunkCalls / 2)))
  })
}

function newCall(index: number): CallStep {
  return madeUpCall(index, resultChars)
}

/** Milliseconds for the next thousand calls, which are made, and their digests read, before the clock starts. */
function observeChunk(
  detector: Detector,
  watch: Watch,
  from: number,
  callAt: (index: number) => CallStep,
): number {
  const calls = Array.from({ length: chunkCalls }, (_, offset) => callAt(from + offset))
  for (const call of calls) detector.digest?.(call)
  const startedMs = performance.now()
  for (const call of calls) watch.observe(call)
  return performance.now() - startedMs
}

function perCall(chunksMs: readonly number[]): number {
  return ((medianOf(chunksMs) ?? Number.NaN) * 1000) / chunkCalls
}
