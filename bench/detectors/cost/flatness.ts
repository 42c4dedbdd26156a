/** Whether a call costs the same late in a long run as early in it. */
import type { CallStep, Detector, Step, Watch } from '../detector.ts'
import { medianOf } from '@donecheck/engine/backtest'
import { loopingCall, sampleCall, sampleReply } from './call-stream.ts'

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

/**
 * The same of the whole path of a run: a reply before each call, and what a detector reads of both (`digest`) on its clock too. Only
 * the last calls before each length are new: what was read before is seen again until then, out of reach of any window.
 */
export function measureWhole(
  detector: Detector,
  until: readonly number[] = lengths,
): readonly (number | undefined)[] {
  // Without its digests read beforehand a detector reads a step when it sees it.
  const { name, readsResults } = detector
  const reading: Detector = { name, readsResults, begin: () => detector.begin() }
  const known = stepsOf(0, newTurn)
  const early = Array.from({ length: watchesForTheFirst }, () =>
    observeChunk(reading, reading.begin(), 0, newTurn),
  )
  const watch = reading.begin()
  const startedMs = performance.now()
  const isOver = () => performance.now() - startedMs > patienceMs
  let calls = 0
  const late = until.slice(1).map((length) => {
    const recent: number[] = []
    const measured = Math.min(lateChunks, length / chunkCalls / 2) * chunkCalls
    for (; calls < length - measured && !isOver(); calls += chunkCalls)
      for (const step of known) watch.observe(step)
    for (; calls < length && !isOver(); calls += chunkCalls)
      recent.push(observeChunk(reading, watch, calls, newTurn))
    return calls < length ? undefined : perCall(recent)
  })
  return [perCall(early), ...late]
}

type StepsAt = (index: number) => readonly Step[]

/** Microseconds per call deep in an endless loop of three calls, also past a stop. */
export function measureInLoop(detector: Detector): number {
  const watch = detector.begin()
  const chunksMs = Array.from({ length: loopChunks }, (_, chunk) =>
    observeChunk(detector, watch, chunk * chunkCalls, (index) => [loopingCall(index)]),
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

function newCall(index: number): readonly CallStep[] {
  return [sampleCall(index, resultChars)]
}

function newTurn(index: number): readonly Step[] {
  return [sampleReply(index), sampleCall(index, resultChars)]
}

/** Milliseconds for the steps of the next thousand calls, which are made, and their digests read, before the clock starts. */
function observeChunk(detector: Detector, watch: Watch, from: number, stepsAt: StepsAt): number {
  const steps = stepsOf(from, stepsAt)
  for (const step of steps) detector.digest?.(step)
  const startedMs = performance.now()
  for (const step of steps) watch.observe(step)
  return performance.now() - startedMs
}

function stepsOf(from: number, stepsAt: StepsAt): readonly Step[] {
  return Array.from({ length: chunkCalls }, (_, offset) => stepsAt(from + offset)).flat()
}

function perCall(chunksMs: readonly number[]): number {
  return ((medianOf(chunksMs) ?? Number.NaN) * 1000) / chunkCalls
}
