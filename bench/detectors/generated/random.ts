/** Chance that can be had again: the same seed gives the same run on every machine. */
import { createHash } from 'node:crypto'
import { randomNumbers } from '@donecheck/engine/base'

export interface Random {
  /** At least 0, less than 1. */
  next(): number
  /** A whole number, both ends included. */
  between(low: number, high: number): number
  chance(share: number): boolean
  /** @throws RangeError where there is nothing to pick from, or what is picked is undefined. */
  pick<T>(items: readonly T[]): T
  shuffled<T>(items: readonly T[]): readonly T[]
  hex(length: number): string
}

/** @param seed any text; runs of different names are independent of each other. */
export function randomFrom(seed: string): Random {
  const next = randomNumbers(createHash('sha256').update(seed).digest().readUInt32LE(0))
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))

  const pick = <T>(items: readonly T[]): T => {
    const index = between(0, items.length - 1)
    const item = items[index]
    if (item === undefined) throw new RangeError(`nothing to pick from: ${items.length} items`)
    return item
  }

  const shuffled = <T>(items: readonly T[]): readonly T[] =>
    items
      .map((item) => ({ item, at: next() }))
      .sort((one, other) => one.at - other.at)
      .map(({ item }) => item)

  const hex = (length: number): string => Array.from({ length }, () => between(0, 15).toString(16)).join('')

  return { next, between, chance: (share) => next() < share, pick, shuffled, hex }
}
