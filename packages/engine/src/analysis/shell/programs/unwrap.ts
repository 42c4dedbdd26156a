import { literalWord } from '../words/word.ts'
import { readOptions } from './options.ts'
import { programName } from './started.ts'
import { behindVariables } from './wrapper.ts'
import { wrapperOf, type Wrapper } from './wrappers.ts'

/** The program that is run in the end, with its arguments; variables that are set on the way come apart. */
export interface Unwrapped {
  readonly words: readonly string[]
  /** As `NAME=value`. */
  readonly variables: readonly string[]
  /** One of the wrappers may end for a reason of its own. */
  readonly addsEnd: boolean
}

/** What is to be known of the program: how it ends, or what it reports. */
export type UnwrapFor = 'exit-code' | 'report'

/** In so many wrappers a program is followed. */
const maxDepth = 10

/** Takes wrappers away that run the rest of their words and do not hide this. What is not understood stays. */
export function unwrapWords(words: readonly string[], purpose: UnwrapFor): Unwrapped {
  const variables: string[] = []
  let rest = words
  let addsEnd = false
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const inner = withoutWrapper(rest, purpose)
    if (inner === undefined) break
    variables.push(...inner.variables)
    rest = inner.words
    addsEnd ||= inner.addsEnd
  }
  return { words: rest, variables, addsEnd }
}

function withoutWrapper(words: readonly string[], purpose: UnwrapFor): Unwrapped | undefined {
  const read = words.map((word) => literalWord(word))
  const found = wrapperOf(programName(words[0] ?? ''), read)
  if (found?.wrapper.runs !== 'words' || hides(found.wrapper, purpose)) return undefined
  const [end] = readOptions(read, found.from, found.wrapper.options).ends
  if (end === undefined) return undefined
  const { rest, variables } = behindVariables(read, end, found.wrapper)
  const inner = rest.slice(found.wrapper.operands)
  if (inner.length === 0) return undefined
  return {
    words: inner.map(({ guess }) => guess),
    variables: variables.map(({ guess }) => guess),
    addsEnd: found.wrapper.exitCode !== 'same',
  }
}

function hides({ exitCode, leavesReport }: Wrapper, purpose: UnwrapFor): boolean {
  return purpose === 'report' ? !leavesReport : exitCode === 'other'
}
