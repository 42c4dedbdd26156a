/** Memory that one watch holds after many calls, every result of its own and some tools never seen before. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Detector, Watch } from '../detector.ts'
import { sampleCall } from './call-stream.ts'

export const memoryLengths: readonly number[] = [1_000, 10_000, 100_000]

/** Fewer where they watch long, so that it ends. */
const watchesFor = (calls: number) => Math.max(4, Math.min(16, 200_000 / calls))

/** Bytes per watch after each number of calls. */
export function measureMemory(
  detector: Detector,
  lengths: readonly number[] = memoryLengths,
): readonly number[] {
  const collect = garbageCollector()
  return lengths.map((calls) => bytesAfter(detector, calls, collect))
}

/** By how much the heap shrinks when the watches are allowed to stop: what was compiled or cached meanwhile does not count. */
function bytesAfter(detector: Detector, calls: number, collect: () => void): number {
  const held: Watch[] = []
  for (let count = 0; count < watchesFor(calls); count += 1) held.push(watchOf(detector, calls))
  const full = heapUsed(collect)
  const count = held.length
  held.length = 0
  return Math.max(0, Math.round((full - heapUsed(collect)) / count))
}

function watchOf(detector: Detector, calls: number): Watch {
  const watch = detector.begin()
  for (let index = 0; index < calls; index += 1) watch.observe(sampleCall(index))
  return watch
}

/** Collected several times: code that is no longer used goes only when it is old. */
function heapUsed(collect: () => void): number {
  for (let round = 0; round < 6; round += 1) collect()
  return process.memoryUsage().heapUsed
}

/** @throws TypeError Node offers no collection on demand. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (!isCollector(collect)) throw new TypeError('this Node does not collect its garbage on demand')
  return collect
}

function isCollector(value: unknown): value is () => void {
  return typeof value === 'function'
}
