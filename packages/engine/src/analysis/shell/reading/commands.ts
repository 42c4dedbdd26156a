import type { Command, CommandNode, Redirection } from 'unbash'
import { programName, type Span } from '../decomposition.ts'
import { isShell } from '../programs/shells.ts'
import type { Start } from '../programs/started.ts'
import { startsOf } from '../programs/starts.ts'
import { isWrapper } from '../programs/wrappers.ts'
import { readSetting } from './evaluated.ts'
import {
  addCommand,
  addObstacle,
  addText,
  addTooDeep,
  type Input,
  maxDepth,
  type Place,
  shorten,
  spanOf,
} from './findings.ts'
import {
  isNumber,
  joinWords,
  literalText,
  type ReadWord,
  readWord,
  spanOfWords,
  wordsWithVariables,
} from './words.ts'

export function readCommand(node: Command, around: Place): void {
  const place = { ...around, input: inputOf(node.redirects) ?? around.input }
  for (const part of node.prefix)
    if (part.type === 'Assignment') {
      const value = part.value.type === 'Word' ? literalText(part.value) : null
      readSetting(part.name, part.text, part, place, value)
    }
  const written = node.name === undefined ? [] : [node.name, ...node.args]
  const words = written.map((word) => readArgument(word, place))
  if (words.length === 0) return
  addSimple(words, place)
  for (const { text, written: shown, span } of words.slice(1))
    if (text === null)
      addObstacle(
        { kind: 'dynamic-word', reason: `"${shorten(shown)}" is only known when it runs`, span },
        place,
      )
  const second = { ...place, isSecond: true }
  const filled = written.map((word, index) => {
    const variable =
      word.type === 'Word' ? wordsWithVariables(word, spanOf(word, place), place.variables) : undefined
    return variable ?? words.slice(index, index + 1)
  })
  if (filled.some((fields, index) => fields[0]?.text !== words[index]?.text)) addSimple(filled.flat(), second)
  // A plain `sh` reads `a &> file b` as `a &` and `> file b`.
  const ampersand = node.redirects.find(({ operator }) => operator.startsWith('&'))
  if (ampersand !== undefined && (written.at(-1)?.pos ?? 0) > ampersand.end)
    addObstacle(
      {
        kind: 'syntax',
        reason: 'shells read what stands behind "&>" in two ways',
        span: spanOf(node, place),
      },
      place,
    )
}

export function readArgument(word: Command['args'][number], place: Place): ReadWord {
  const span = spanOf(word, place)
  if (word.type === 'Word') return readWord(word, span)
  const { name, value, index, text } = word
  const literal = value.type === 'Word' ? literalText(value) : text.slice(text.indexOf('=') + 1)
  const guess = `${name}${text.includes('+=') ? '+' : ''}=${literal ?? ''}`
  return { text: literal !== null && index === undefined ? guess : null, written: text, span, guess }
}

export function addSimple(words: readonly ReadWord[], place: Place): void {
  const [program] = words
  if (program === undefined || place.findings.isFull) return
  const span = spanOfWords(words)
  const { starts = [], isTransparent = false, obstacles = [] } = startsOf(words)
  const input = place.input?.isSure === true ? place.input.text : null
  const found = {
    words: words.map(({ text, written, span: own }) => ({ text, written, span: own })),
    ...{ span, through: place.through, isTransparent },
  }
  addCommand(input === null ? found : { ...found, input }, place)
  // To `zsh`, `=rm` is the place of `rm`.
  if (program.text === null || program.text.startsWith('=')) {
    const reason = `the program "${shorten(program.written)}" is only known when it runs`
    addObstacle({ kind: 'dynamic-program', reason, span: program.span }, place)
  }
  for (const { word, isSum, ...obstacle } of obstacles)
    if (isSum !== true || !isNumber(word?.written ?? '$', place.variables))
      addObstacle({ ...obstacle, span: word?.span ?? span }, place)
  for (const start of starts) follow(start, words, span, place)
}

function follow(start: Start, words: readonly ReadWord[], span: Span, place: Place): void {
  const through = [...place.through, start.through]
  const inner: Place = { ...place, through, depth: place.depth + 1, at: span?.[0] ?? place.at }
  if (start.kind === 'words') {
    const first = programName(start.words[0]?.text ?? '')
    if (inner.depth > maxDepth) addTooDeep(joinWords(start.words).written, place)
    else addSimple(start.words, inner)
    const isOpen = (isShell(first) || isWrapper(first)) && (startsOf(start.words).starts ?? []).length === 0
    if (start.takesInput === true && isOpen)
      addObstacle({ kind: 'dynamic-script', reason: `"${first}" runs words of its input`, span }, place)
  } else if (start.kind === 'script') addText(start.script.guess, { ...inner, base: null })
  else {
    const reason = `"${shorten(words[0]?.written ?? '')}" runs its input, which is only known when it runs`
    if (place.input?.isSure !== true) addObstacle({ kind: 'dynamic-script', reason, span }, place)
    if (typeof place.input?.text === 'string')
      addText(place.input.text, { ...inner, base: null, input: undefined })
  }
}

/** Returns the text that `echo`, `printf`, `cat` or `tee` prints; null if unknown. */
export function printedBy(node: CommandNode, given: Input | undefined): string | null {
  if (node.type !== 'Command' || node.name === undefined) return null
  const words = node.args.map((word) => (word.type === 'Word' ? literalText(word) : word.text))
  if (!words.every((word) => word !== null)) return null
  const program = programName(literalText(node.name) ?? '')
  if (program === 'cat' || program === 'tee')
    return program === 'tee' || words.length === 0 ? ((inputOf(node.redirects) ?? given)?.text ?? null) : null
  if (program !== 'echo' && program !== 'printf') return null
  const [format = '', ...values] = words
  const texts =
    program === 'printf' && /%[sb]/.test(format)
      ? [format.replaceAll(/%[sb]/g, () => values.shift() ?? ''), ...values]
      : words
  return texts
    .filter((word) => !/^-[neE]+$/.test(word))
    .join(' ')
    .replaceAll('\\n', '\n')
}

export function inputOf(redirects: readonly Redirection[]): Input | undefined {
  const last = redirects.findLast(
    (one) =>
      (one.type !== 'Redirect' || one.operator.startsWith('<')) &&
      (one.descriptor === undefined ||
        (one.descriptor.type === 'FileDescriptor' && one.descriptor.value === 0)),
  )
  if (last === undefined) return undefined
  if (last.type === 'Redirect') return { text: null, isSure: false }
  if (last.type === 'HereString') {
    const text = last.target === undefined ? '' : literalText(last.target)
    return text === null
      ? { text: last.target?.text ?? null, isSure: false }
      : { text: `${text}\n`, isSure: true }
  }
  const text = last.operator === '<<-' ? last.body.text.replace(/^\t+/gm, '') : last.body.text
  if (last.delimiter?.quoted === true) return { text, isSure: true }
  return {
    text: text.replace(/\\([\\$`\n])/g, (_, letter: string) => (letter === '\n' ? '' : letter)),
    isSure: (last.body.parts ?? []).every(({ type }) => type === 'Literal'),
  }
}
