/** A prefix with options between its words: `git -C x push` is a `git push`. */
import type { Pattern } from '../builders/rule-parts.ts'
import type { Uncertainty } from './arguments-match.ts'
import { kindOfOption } from './known-options.ts'

/** How far one reading of the words has come. */
interface Reading {
  readonly matched: readonly number[]
  /** `--` has been read: no word is an option any more. */
  readonly isEnded: boolean
}

type Steps = readonly (Reading & { readonly next: number })[] | 'no'

/**
 * In doubt a match: an option that is not known may have its value in the next word or not, and one of the readings must
 * match. In doubt none: only known options are passed over, and of those none that changes what the program would run.
 */
export function matchPassingOptions(
  pattern: Pattern,
  words: readonly string[],
  uncertainty: Uncertainty,
): readonly number[] | undefined {
  const [program] = words
  if (program === undefined || !pattern[0].includes(program)) return undefined
  const waiting: Reading[][] = [[], [{ matched: [0], isEnded: false }]]
  let complete: readonly number[] | undefined
  for (let index = 1; index < waiting.length; index += 1) {
    for (const reading of distinct(waiting[index] ?? [])) {
      if (reading.matched.length === pattern.length) {
        if (uncertainty === 'match') return reading.matched
        complete ??= reading.matched
        continue
      }
      const steps = stepsOf(pattern, words, index, reading, uncertainty)
      if (steps === 'no' && uncertainty === 'no-match') return undefined
      if (steps === 'no') continue
      for (const { next, ...further } of steps) (waiting[next] ??= []).push(further)
    }
    for (let gap = index + 1; gap < waiting.length; gap += 1) waiting[gap] ??= []
  }
  return complete
}

/** Of readings that have come equally far one is enough. */
function distinct(readings: readonly Reading[]): readonly Reading[] {
  const known = new Map<string, Reading>()
  for (const reading of readings) {
    const key = `${reading.matched.length} ${reading.isEnded}`
    if (!known.has(key)) known.set(key, reading)
  }
  return [...known.values()]
}

function stepsOf(
  pattern: Pattern,
  words: readonly string[],
  index: number,
  reading: Reading,
  uncertainty: Uncertainty,
): Steps {
  const word = words[index]
  const token = pattern[reading.matched.length]
  if (word === undefined || token === undefined) return 'no'
  const taken = { ...reading, matched: [...reading.matched, index], next: index + 1 }
  const isOption = !reading.isEnded && word.startsWith('-') && word !== '-'
  if (token.includes(word))
    return isOption && uncertainty === 'match'
      ? [taken, ...passOption(words, index, reading, uncertainty)]
      : [taken]
  if (!isOption) return 'no'
  const further = passOption(words, index, reading, uncertainty)
  return further.length === 0 ? 'no' : further
}

function passOption(
  words: readonly string[],
  index: number,
  reading: Reading,
  uncertainty: Uncertainty,
): readonly (Reading & { readonly next: number })[] {
  const word = words[index] ?? ''
  if (word === '--') return [{ ...reading, isEnded: true, next: index + 1 }]
  const alone = { ...reading, next: index + 1 }
  const withValue = { ...reading, next: index + 2 }
  switch (kindOfOption(words[0] ?? '', word)) {
    case 'alone':
      return [alone]
    case 'with-value':
      return index + 1 < words.length ? [withValue] : []
    case 'redirects':
    case 'unknown':
      return uncertainty === 'match' ? [alone, withValue] : []
  }
}
