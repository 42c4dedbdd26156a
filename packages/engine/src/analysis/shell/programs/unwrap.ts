import { literalWord } from '../words/word.ts'
import { readOptions } from './options.ts'
import { programName } from './started.ts'
import { behindVariables } from './wrapper.ts'
import { wrapperOf } from './wrappers.ts'

/** In so many wrappers a program is followed. */
const maxDepth = 10

/**
 * Takes wrappers away that run the rest of their words and leave its report as it is. What is not understood stays.
 * @returns the program that is run in the end, with its arguments
 */
export function unwrapWords(words: readonly string[]): readonly string[] {
  let rest = words
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const inner = withoutWrapper(rest)
    if (inner === undefined) break
    rest = inner
  }
  return rest
}

function withoutWrapper(words: readonly string[]): readonly string[] | undefined {
  const read = words.map((word) => literalWord(word))
  const found = wrapperOf(programName(words[0] ?? ''), read)
  if (found?.wrapper.runs !== 'words' || !found.wrapper.leavesReport) return undefined
  const [end] = readOptions(read, found.from, found.wrapper.options).ends
  if (end === undefined) return undefined
  const { rest } = behindVariables(read, end, found.wrapper)
  const inner = rest.slice(found.wrapper.operands)
  return inner.length === 0 ? undefined : inner.map(({ guess }) => guess)
}
