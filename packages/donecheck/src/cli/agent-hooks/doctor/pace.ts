/** How long a hook at a call of a tool takes, on this machine and now. */
import { quickSeconds } from '../settings/wanted-hooks.ts'

/** Above it every call of a tool is felt to be slower. Milliseconds. */
const slowMs = 500

/** Of the time that the agent gives a hook: on a worse day it takes as many times as long. */
const maxShareOfTimeout = 1 / 4

const tries = 3

/** @param run takes one turn of the hook, and says how long that took. The median of several, in milliseconds */
export async function measurePaceMs(run: () => Promise<number>): Promise<number> {
  const took: number[] = []
  while (took.length < tries) took.push(await run())
  return medianOf(took)
}

export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** `too-slow`: it could happen that the agent does not wait for it. */
export function paceOf(hookMs: number): 'fine' | 'slow' | 'too-slow' {
  if (hookMs > quickSeconds * 1000 * maxShareOfTimeout) return 'too-slow'
  return hookMs > slowMs ? 'slow' : 'fine'
}
