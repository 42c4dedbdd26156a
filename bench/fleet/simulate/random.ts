/** Numbers that look random and are the same for the same seeds. */
import { randomNumbers } from '@donecheck/engine/internal/base'

export type Random = () => number

/** From 0 to below 1, begun at a mix of all seeds. */
export function randomOf(...seeds: readonly number[]): Random {
  let state = 0
  for (const seed of seeds) state = mixed(state ^ Math.imul(seed + 1, 0x9e3779b1))
  return randomNumbers(state)
}

/** The bits behind the first number of this seed; before it, the generator takes one step. */
function mixed(seed: number): number {
  return (randomNumbers(seed - 0x6d2b79f5)() * 0x1_0000_0000) | 0
}

/** A value of a recorded distribution: between two neighbours of its quantiles each is as likely. */
export function drawn(random: Random, shares: readonly number[], quantiles: readonly number[]): number {
  const at = random()
  let above = 1
  while (above < shares.length - 1 && (shares[above] ?? 1) < at) above += 1
  const [from = 0, to = 1] = [shares[above - 1], shares[above]]
  const [low = 0, high = 0] = [quantiles[above - 1], quantiles[above]]
  return low + ((high - low) * (at - from)) / (to - from)
}

/** Time to the next of events that come so often on average and know nothing of each other. */
export function untilNext(random: Random, meanMs: number): number {
  return -Math.log(1 - random()) * meanMs
}

/** Around one, with the spread of a log-normal of this sigma. */
export function jitter(random: Random, sigma: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Math.exp(sigma * normal - (sigma * sigma) / 2)
}
