import { literalWord } from '../words/word.ts'
import { readOptions } from './options.ts'
import { programName } from './started.ts'
import { behindVariables } from './wrapper.ts'
import { wrapperOf } from './wrappers.ts'

/** The program that is run in the end, with its arguments; variables that are set on the way come apart. */
export interface Unwrapped {
  readonly words: readonly string[]
  /** As `NAME=value`. */
  readonly variables: readonly string[]
}

/** In so many wrappers a program is followed. */
const deepest = 10

/**
 * Takes wrappers away that run the rest of their words. Only those whose name is among `names`: which of them matter
 * is for the caller to say. What is not understood stays.
 */
export function unwrapWords(words: readonly string[], names: ReadonlySet<string>): Unwrapped {
  const variables: string[] = []
  let rest = words
  for (let depth = 0; depth < deepest; depth += 1) {
    const inner = withoutWrapper(rest, names)
    if (inner === undefined) break
    variables.push(...inner.variables)
    rest = inner.words
  }
  return { words: rest, variables }
}

function withoutWrapper(words: readonly string[], names: ReadonlySet<string>): Unwrapped | undefined {
  const name = programName(words[0] ?? '')
  const read = words.map((word) => literalWord(word))
  const found = names.has(name) ? wrapperOf(name, read) : undefined
  if (found?.wrapper.runs !== 'words') return undefined
  const [end] = readOptions(read, found.from, found.wrapper.options).ends
  if (end === undefined) return undefined
  const { rest, variables } = behindVariables(read, end, found.wrapper)
  const inner = rest.slice(found.wrapper.operands)
  return inner.length === 0
    ? undefined
    : { words: inner.map(({ guess }) => guess), variables: variables.map(({ guess }) => guess) }
}
