/** Whether two samples differ, and how many cases would decide it: pure, and the same for the same samples. */
import { randomNumbers, wilsonInterval, type Interval } from '../../base/index.ts'

/** So many of so many. */
export interface Cases {
  readonly part: number
  readonly whole: number
}

/** A difference is believed below this. */
export const significance = 0.05

/** Of the normal distribution: for 5 % on both sides, and for a power of 80 %. */
const [scoreOfSignificance, scoreOfPower] = [1.959964, 0.841621]

/** Where the true difference of two shares lies with 95 % confidence (Newcombe 1998, from Wilson's intervals). */
export function differenceInterval(one: Cases, other: Cases): Interval {
  const [first, second] = [shareOf(one), shareOf(other)]
  const [a, b] = [wilsonInterval(one.part, one.whole), wilsonInterval(other.part, other.whole)]
  return {
    low: second - first - Math.hypot(second - b.low, a.high - first),
    high: second - first + Math.hypot(b.high - second, first - a.low),
  }
}

/**
 * How probable a table at least as unlikely as this one is where the two shares are the same: Fisher's exact test, two-sided,
 * which is right for few cases too. 1 where a side has no case.
 */
export function fisherTest(one: Cases, other: Cases): number {
  const passed = one.part + other.part
  const cases = one.whole + other.whole
  const logFactorials = logFactorialsUpTo(cases)
  const choose = (from: number, some: number) =>
    (logFactorials[from] ?? 0) - (logFactorials[some] ?? 0) - (logFactorials[from - some] ?? 0)
  const logOf = (part: number) =>
    choose(one.whole, part) + choose(other.whole, passed - part) - choose(cases, passed)
  const seen = logOf(one.part)
  let sum = 0
  for (let part = Math.max(0, passed - other.whole); part <= Math.min(one.whole, passed); part += 1)
    // Tables as unlikely as the seen one count, also where their logarithms differ in the last digit.
    if (logOf(part) <= seen + 1e-9) sum += Math.exp(logOf(part))
  return Math.min(1, sum)
}

function logFactorialsUpTo(top: number): Float64Array {
  const logs = new Float64Array(top + 1)
  for (let number = 2; number <= top; number += 1) logs[number] = (logs[number - 1] ?? 0) + Math.log(number)
  return logs
}

/**
 * Cases a side with which shares that differ as much as these would be told apart: at 5 %, two-sided, in four of five tries.
 * Undefined where they do not differ at all, or a side has none. With the correction that an exact test of few cases needs (Fleiss,
 * Tytun and Ury 1980).
 */
export function casesToDecide(one: Cases, other: Cases): number | undefined {
  if (one.whole === 0 || other.whole === 0) return undefined
  const [first, second] = [shareOf(one), shareOf(other)]
  if (first === second) return undefined
  const middle = (first + second) / 2
  const spread =
    scoreOfSignificance * Math.sqrt(2 * middle * (1 - middle)) +
    scoreOfPower * Math.sqrt(first * (1 - first) + second * (1 - second))
  const distance = Math.abs(first - second)
  const cases = (spread / distance) ** 2
  return Math.ceil((cases / 4) * (1 + Math.sqrt(1 + 4 / (cases * distance))) ** 2)
}

/** Numbers that are drawn in all; with more cases there are fewer shuffles. */
const maxDraws = 10_000_000

/**
 * How probable a difference of means at least as large is where it does not matter which value is on which side: a permutation
 * test, with a seed that is always the same. 1 where a side has no value.
 */
export function permutationTest(one: readonly number[], other: readonly number[], shuffles = 2000): number {
  if (one.length === 0 || other.length === 0) return 1
  const values = [...one, ...other]
  const seen = Math.abs(meanOf(one) - meanOf(other))
  const total = values.reduce((sum, value) => sum + value, 0)
  const few = Math.min(one.length, other.length)
  const rounds = Math.max(200, Math.min(shuffles, Math.floor(maxDraws / few)))
  const next = randomNumbers(1)
  let asLarge = 0
  for (let round = 0; round < rounds; round += 1) {
    const sum = sumOfDrawn(values, few, next)
    const difference = Math.abs(sum / few - (total - sum) / (values.length - few))
    if (difference >= seen - 1e-12 * Math.abs(total)) asLarge += 1
  }
  return (asLarge + 1) / (rounds + 1)
}

/** Draws so many without putting back: they are at the beginning afterwards. */
function sumOfDrawn(values: number[], count: number, next: () => number): number {
  let sum = 0
  for (let index = 0; index < count; index += 1) {
    const chosen = index + Math.floor(next() * (values.length - index))
    const value = values[chosen] ?? 0
    values[chosen] = values[index] ?? 0
    values[index] = value
    sum += value
  }
  return sum
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function shareOf({ part, whole }: Cases): number {
  return whole === 0 ? 0 : part / whole
}
