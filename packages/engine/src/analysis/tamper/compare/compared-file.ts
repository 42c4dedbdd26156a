import type { FileFacts, TestFacts } from '../facts.ts'
import { defines, namesOf, wordsOf } from './words.ts'

/** A changed file with what its two versions say. */
export interface ComparedFile {
  readonly path: string
  readonly before: FileFacts
  readonly after: FileFacts
  readonly beforeText: string
  readonly afterText: string
  /** The runner finds tests in the new version. */
  readonly isRun: boolean
}

export interface PlacedTest {
  readonly file: ComparedFile
  readonly test: TestFacts
}

/** Whether a name was given up for another one in all changed files, so that both mean the same thing. */
export type Renames = (from: string, to: string) => boolean

export function renamesIn(files: readonly ComparedFile[]): Renames {
  const before = files.map((file) => file.beforeText).join('\n')
  const after = files.map((file) => file.afterText).join('\n')
  const tests = files.filter((file) => file.isRun)
  const testsBefore = tests.map((file) => file.beforeText).join('\n')
  const testsAfter = tests.map((file) => file.afterText).join('\n')
  const namesBefore = namesOf(before)
  const namesAfter = namesOf(testsAfter)
  const known = new Map<string, boolean>()
  return (from, to) => {
    const key = `${from} ${to}`
    const answer =
      known.get(key) ??
      (!namesAfter.has(from) &&
        !namesBefore.has(to) &&
        namesOf(after).has(to) &&
        (!defines(testsAfter, to) || defines(testsBefore, from)))
    known.set(key, answer)
    return answer
  }
}

/** Equal but for names that were given up for others. */
export function isSameSource(left: string | null, right: string | null, renames: Renames): boolean {
  if (left === right) return true
  if (left === null || right === null) return false
  const ours = wordsOf(left)
  const theirs = wordsOf(right)
  if (ours.length !== theirs.length) return false
  return ours.every((word, index) => {
    const other = theirs[index]
    if (other?.text === word.text) return true
    return word.kind === 'name' && other?.kind === 'name' && renames(word.text, other.text)
  })
}
