/** How long a hook takes beside a Node that does nothing, on this machine and now. */
import { spawnSync } from 'node:child_process'
import { quickSeconds } from '../settings/wanted-hooks.ts'

/** Above it every call of a tool is felt to be slower. */
export const slowRatio = 4

/** Of the time that the agent gives a hook: on a worse day it takes as many times as long. */
const maxShareOfTimeout = 1 / 4

const tries = 5

export interface Pace {
  /** The median of several, each taken beside one of a bare Node. Milliseconds. */
  readonly hookMs: number
  readonly bareMs: number
}

/** @param run takes one turn of the hook, and says how long that took */
export async function measurePace(run: () => Promise<number>): Promise<Pace> {
  const [hook, bare]: readonly [number[], number[]] = [[], []]
  for (let turn = 0; turn < tries; turn++) {
    bare.push(bareNodeMs())
    hook.push(await run())
  }
  return { hookMs: medianOf(hook), bareMs: medianOf(bare) }
}

function bareNodeMs(): number {
  const startedMs = performance.now()
  spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' })
  return performance.now() - startedMs
}

export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

export function ratioOf({ hookMs, bareMs }: Pace): number {
  return hookMs / bareMs
}

/** Whether it could happen that the agent does not wait for it. */
export function isTooSlow({ hookMs }: Pace): boolean {
  return hookMs > quickSeconds * 1000 * maxShareOfTimeout
}
