import {
  assignmentIn,
  isAppendedPath,
  isHarmlessVariable,
  isToolPath,
  toolPathReason,
} from '../environment.ts'
import {
  elsewhere,
  joinWords,
  readOptions,
  type ReadOptions,
  scriptsStarted,
  scriptStarted,
  type Start,
  type Started,
  type StartObstacle,
} from './started.ts'
import { programName } from '../decomposition.ts'
import { type FoundWrapper, type Wrapper, wrapperOf } from './wrappers.ts'
import { formatText } from '../reading-state.ts'
import { literalWord, type ReadWord } from '../words/word.ts'

export function wrapperStarted(
  words: readonly ReadWord[],
  { wrapper, from, through }: FoundWrapper,
): Started {
  const options = readOptions(words, from, wrapper.options)
  const scripts = scriptOptions(words, options, through, wrapper)
  const behind = options.ends.map((end) => behindVariables(words, end, wrapper))
  const starts = behind.flatMap(({ rest }) => startOf(rest, through, wrapper))
  const input: readonly Start[] =
    wrapper.readsInput && starts.length === 0 && scripts.starts.length === 0
      ? [{ kind: 'input', through, isBash: false }]
      : []
  const functions = behind.flatMap(({ variables }) =>
    variables.flatMap((word) => exportedFunctions(word, through)),
  )
  return {
    starts: [...starts, ...scripts.starts, ...input, ...functions],
    isTransparent: wrapper.isTransparent && options.isPlain && starts.length === 1 && functions.length === 0,
    obstacles: [
      ...(wrapper.elsewhere === undefined ? [] : [elsewhere(`"${through}" ${wrapper.elsewhere}`)]),
      ...scripts.obstacles,
      ...(options.isCut ? [tooManyWays(through)] : []),
      ...behind.flatMap(({ variables }) => variables.flatMap(environmentObstacles)),
    ],
  }
}

/** `BASH_FUNC_name%%=() { …; }`, which a shell takes for a function. */
function exportedFunctions(word: ReadWord, through: string): readonly Start[] {
  const body = /=(\(\).*)$/s.exec(word.guess)?.[1]
  return body === undefined
    ? []
    : [scriptStarted({ ...word, guess: `_${body}` }, through, { isBash: true }).start]
}

function startOf(rest: readonly ReadWord[], through: string, { runs, operands }: Wrapper): readonly Start[] {
  const words = rest.slice(operands)
  const run = operands > 0 && words[0]?.text === '--' ? words.slice(1) : words
  if (run.length === 0 || runs === 'scripts') return []
  if (runs === 'words') return [{ kind: 'words', through, words: run }]
  return [scriptStarted(joinWords(run), through).start]
}

/** Values that are texts for a shell; where options may follow the operands, there too. */
function scriptOptions(
  words: readonly ReadWord[],
  options: ReadOptions,
  through: string,
  wrapper: Wrapper,
): ReturnType<typeof scriptsStarted> {
  if (wrapper.scripts.length === 0) return { starts: [], obstacles: [] }
  const later = options.ends.flatMap((end) =>
    words
      .slice(end)
      .flatMap((_, index) => (wrapper.operands > 0 || wrapper.runs === 'scripts' ? [end + index] : [])),
  )
  const used = [
    ...options.used,
    ...later.slice(0, maxLater).flatMap((index) => firstOption(words, index, wrapper)),
  ]
  const values = used.flatMap(({ name, value }) => (wrapper.scripts.includes(name) && value ? [value] : []))
  return scriptsStarted([...new Set(values)], `${through} -c`)
}

const maxLater = 100

function firstOption(words: readonly ReadWord[], index: number, { options }: Wrapper): ReadOptions['used'] {
  const isOption = words[index]?.text?.startsWith('-') === true
  return isOption ? readOptions(words.slice(index, index + 2), 0, options).used : []
}

function behindVariables(
  words: readonly ReadWord[],
  from: number,
  { takesVariables }: Wrapper,
): { readonly rest: readonly ReadWord[]; readonly variables: readonly ReadWord[] } {
  if (!takesVariables) return { rest: words.slice(from), variables: [] }
  // Any text with `=` in it is one to `env`.
  const first = words.findIndex(({ guess }, index) => index >= from && !/^[^=-][^=]*=/.test(guess))
  const end = first < 0 ? words.length : first
  return { rest: words.slice(end), variables: words.slice(from, end) }
}

export function environmentObstacles(word: ReadWord): readonly StartObstacle[] {
  const { name, value } = assignmentIn(word.guess) ?? { name: word.guess, value: '' }
  if (isHarmlessVariable(name, word.text === null ? null : value)) return []
  if (word.text === null && isAppendedPath(word.written)) return []
  if (isToolPath(word.written))
    return [{ kind: 'redefinition', reason: toolPathReason(word.written), word, subject: word.written }]
  return [{ ...settingObstacle(word), subject: name }]
}

export function settingObstacle(word: ReadWord): StartObstacle {
  const reason = `"${formatText(word.written)}" sets a variable that can change what programs do`
  return { kind: 'environment', reason, word }
}

function tooManyWays(through: string): StartObstacle {
  return { kind: 'too-deep', reason: `the options of "${through}" can be read in too many ways` }
}

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
