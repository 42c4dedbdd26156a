import type {
  Assignment,
  Command,
  Word,
  ArithmeticWord,
  ParameterExpansionPart,
  TestBinaryExpression,
  TestUnaryExpression,
  WordPart,
} from 'unbash'
import type { Span } from '../decomposition.ts'
import { isAppendedPath, isHarmlessVariable, isToolPath, toolPathReason } from '../environment.ts'
import { isShell } from '../programs/shells.ts'
import { joinWords, spanOfWords, type Start } from '../programs/started.ts'
import { programName } from '../decomposition.ts'
import { startsOf } from '../programs/starts-of.ts'
import { wrapperOf } from '../programs/wrappers.ts'
import {
  addCommand,
  addObstacle,
  addText,
  addTooDeep,
  formatText,
  type ReadingContext,
  spanOf,
  addSecondText,
} from '../reading-state.ts'
import { maxCandidates } from '../words/facts.ts'
import { isNumber } from '../words/numbers.ts'
import { inputOf, resolveWord, resolveText } from '../words/resolve.ts'
import {
  literalText,
  literalWord,
  readWord,
  type ReadWord,
  toFoundWord,
  unknownWord,
  withoutBraces,
  literalRemains,
} from '../words/word.ts'

/** A simple command as it is written, and what it may become once its variables are put in. */
export function readCommand(node: Command, around: ReadingContext): void {
  const place = { ...around, input: inputOf(node.redirects) ?? around.input }
  for (const part of node.prefix) if (part.type === 'Assignment') readAssignment(part, place)
  const written = writtenWords(node)
  const words = written.flatMap((word) => readArgument(word, place))
  if (words.length === 0) return
  addSimple(words, place)
  addUnknownWords(words, place)
  const second = { ...place, isSecond: true }
  for (const other of becoming(written, words, place)) addSimple(other, second)
  for (const other of asOtherShellsRead(node, words, place)) addSimple(other, second)
}

type WrittenWord = Word | Assignment

function writtenWords({ name, args }: Command): readonly WrittenWord[] {
  return name === undefined ? [] : [name, ...args]
}

function readArgument(word: WrittenWord, place: ReadingContext): readonly ReadWord[] {
  const span = spanOf(word, place)
  if (word.type === 'Word') return readWord(word, span)
  readSubscripts(word, place)
  const value =
    word.value.type === 'Word' ? literalText(word.value) : word.text.slice(word.text.indexOf('=') + 1)
  const isKnown = value !== null && word.index === undefined
  const guess = `${word.name}${word.append === true ? '+' : ''}=${value ?? ''}`
  return [{ text: isKnown ? guess : null, written: word.text, span, guess }]
}

function readAssignment(assignment: Assignment, place: ReadingContext): void {
  const { name, value, text } = assignment
  readSubscripts(assignment, place)
  if (isAppendedPath(text)) return
  if (isToolPath(text)) {
    addObstacle('redefinition', toolPathReason(text), spanOf(assignment, place), place, text)
    return
  }
  if (isHarmlessVariable(name, value.type === 'Word' ? literalText(value) : null)) return
  const reason = `"${formatText(text)}" sets a variable that can change what programs do`
  addObstacle('environment', reason, spanOf(assignment, place), place, name)
}

/** The words with what the line says of its variables, where that makes another command of them. */
function becoming(
  written: readonly WrittenWord[],
  words: readonly ReadWord[],
  place: ReadingContext,
): readonly (readonly ReadWord[])[] {
  if (words.every(({ text }) => text !== null)) return []
  let all: ReadWord[][] = [[]]
  for (const word of written) {
    const [first = [], ...others] = choicesOf(word, place)
    const isOpen = others.length > 0 && all.length < maxCandidates
    if (isOpen)
      all = all
        .flatMap((before) => [first, ...others].map((choice) => [...before, ...choice]))
        .slice(0, maxCandidates)
    else for (const before of all) before.push(...first)
  }
  // A prefix of the words says no more than they do.
  return all.filter((other) => !other.every(({ text }, index) => text === words[index]?.text))
}

function choicesOf(word: WrittenWord, place: ReadingContext): readonly (readonly ReadWord[])[] {
  const read = readArgument(word, place)
  if (word.type !== 'Word' || read.every(({ text }) => text !== null)) return [read]
  const span = spanOf(word, place)
  const resolved = resolveWord(word, place.facts)
  if (resolved.length === 0) return [read]
  return resolved.map((fields) => fields.map((field) => literalWord(field, word.text, span)))
}

/** `zsh` puts the place of a program for `=program`; some shells do not mind a carriage return. */
function asOtherShellsRead(
  node: Command,
  words: readonly ReadWord[],
  place: ReadingContext,
): readonly (readonly ReadWord[])[] {
  const others: (readonly ReadWord[])[] = []
  const [program, ...args] = words
  if (program?.text?.startsWith('=') === true)
    others.push([{ ...program, text: program.text.slice(1) }, ...args])
  const last = words.at(-1)
  if (last?.text?.endsWith('\r') === true) {
    const reason = `"${formatText(last.written)}" ends with a carriage return, which shells read in different ways`
    addObstacle('dynamic-word', reason, last.span, place)
    others.push(words.map((word) => ({ ...word, text: word.text?.replace(/\r+$/, '') ?? null })))
  }
  if (!place.isBash) {
    // A plain `sh` reads `a &> file b` as `a &` and `> file b`.
    const ampersand = node.suffix.find((part) => part.type === 'Redirect' && part.operator.startsWith('&'))
    const behind = ampersand === undefined ? [] : node.args.filter(({ pos }) => pos > ampersand.end)
    if (behind.length > 0) others.push(behind.flatMap((word) => readArgument(word, place)))
    const plain = writtenWords(node).map((word) =>
      word.type === 'Word' ? withoutBraces(word, spanOf(word, place)) : undefined,
    )
    if (plain.some((word) => word !== undefined))
      others.push(writtenWords(node).flatMap((word, index) => plain[index] ?? readArgument(word, place)))
  }
  return others
}

/** A program with its words, and all that it starts in its turn. */
export function addSimple(words: readonly ReadWord[], place: ReadingContext): void {
  const [program] = words
  if (program === undefined || place.ledger.isFull) return
  const span = spanOfWords(words)
  const { starts = [], isTransparent = false, obstacles = [] } = startsOf(words)
  const input = place.input?.isSure === true ? place.input.text : null
  const found = { words: words.map(toFoundWord), span, through: place.through, isTransparent }
  addCommand(input === null ? found : { ...found, input }, place)
  if (program.text === null) addUnknownProgram(program, words, place)
  for (const { kind, reason, word, subject, isSum = false } of obstacles) {
    if (isSum && word !== undefined && isNumber(word.written, place.facts.numbers)) continue
    addObstacle(kind, reason, word?.span ?? span, place, subject)
  }
  for (const start of starts) follow(start, words, span, place)
}

/** The words of a command that are only known when it runs. */
function addUnknownWords([, ...words]: readonly ReadWord[], place: ReadingContext): void {
  for (const { text, written, span } of words)
    if (text === null)
      addObstacle('dynamic-word', `"${formatText(written)}" is only known when it runs`, span, place)
}

/** Whatever folder it turns out to be in, its name may be written. */
function addUnknownProgram(program: ReadWord, words: readonly ReadWord[], place: ReadingContext): void {
  const reason = `the program "${formatText(program.written)}" is only known when it runs`
  addObstacle('dynamic-program', reason, program.span, place)
  const [, name] = /\/([\w.+-]+)$/.exec(program.guess) ?? []
  if (name !== undefined)
    addSimple([literalWord(name, program.written, program.span), ...words.slice(1)], {
      ...place,
      isSecond: true,
    })
}

function follow(start: Start, words: readonly ReadWord[], span: Span, place: ReadingContext): void {
  const inner: ReadingContext = {
    ...place,
    through: [...place.through, start.through],
    depth: place.depth + 1,
    at: span?.[0] ?? place.at,
    holder: holderOf(start, words) ?? span ?? place.holder,
  }
  switch (start.kind) {
    case 'words':
      if (inner.depth > place.ledger.bounds.maxDepth) addTooDeep(joinWords(start.words).written, span, place)
      else {
        addSimple(start.words, inner)
        if (start.takesInput === true) addWithInput(start.words, inner)
      }
      return
    case 'script': {
      const isBash = start.isBash || (start.arguments === undefined && place.isBash)
      addText(start.script.guess, { ...withArguments(start.arguments, inner), base: null, isBash })
      return
    }
    case 'input':
      followInput(start.isBash, words[0]?.written ?? '', span, withArguments(start.arguments, inner))
  }
}

/** Of a text its own place; of words that were taken out of one that word's. */
function holderOf(start: Start, words: readonly ReadWord[]): Span {
  if (start.kind === 'script') return start.script.span
  if (start.kind === 'input') return null
  const taken = start.words.find(({ span }) => span === null)
  return words.find(({ written }) => written === taken?.written)?.span ?? null
}

function withArguments(given: readonly ReadWord[] | undefined, place: ReadingContext): ReadingContext {
  if (given === undefined) return place
  const [zeroth, ...others] = given
  const facts = {
    variables: place.facts.variables,
    numbers: place.facts.numbers,
    positional: others.length === 0 ? [] : [others.map(({ guess }) => guess)],
    ...(zeroth === undefined ? {} : { zeroth: zeroth.guess }),
  }
  return { ...place, facts }
}

/** Words of the input are put behind by `xargs`: where the line gives them they are known, and a wrapper runs the first of them. */
function addWithInput(words: readonly ReadWord[], place: ReadingContext): void {
  const text = place.input?.text
  const second: ReadingContext = { ...place, isSecond: true }
  const name = programName(words[0]?.text ?? '')
  if (typeof text !== 'string') {
    if (isShell(name) || wrapperOf(name, words) !== undefined)
      addSimple(
        [...words, unknownWord('…', { text: null, written: 'words of its input', span: null })],
        second,
      )
    return
  }
  const split = text.split(/\s+/).filter((word) => word !== '')
  for (const given of [split, [text.trim()]])
    addSimple([...words, ...given.map((word) => literalWord(word))], second)
}

function followInput(isBash: boolean, program: string, span: Span, place: ReadingContext): void {
  const { input } = place
  const reason = `"${formatText(program)}" runs its input, which is only known when it runs`
  if (input?.isSure !== true) addObstacle('dynamic-script', reason, span, place)
  if (typeof input?.text === 'string') addText(input.text, { ...place, base: null, isBash, input: undefined })
}

export function readArithmetic({ value, parts, pos, end }: ArithmeticWord, place: ReadingContext): void {
  readEvaluated({ text: value, parts, pos, end }, place)
}

/** `${x:offset:length}`, `${x[index]}`, `${!x}`, which evaluates what stands in the variable. */
export function readParameterArithmetic(node: ParameterExpansionPart, place: ReadingContext): void {
  const { index, operation, prefix } = node
  if (index !== undefined) readIndex(index, place)
  if (prefix === '!' && index === undefined && operation?.type !== 'Names') readEvaluated(node, place)
  if (operation?.type !== 'Slice') return
  for (const word of [operation.offset, operation.length]) if (word !== undefined) readEvaluated(word, place)
}

/** `name[index]=value`, `name=([index]=value)`. */
function readSubscripts({ index, value }: Assignment, place: ReadingContext): void {
  if (index !== undefined) readIndex(index, place)
  if (value.type !== 'ArrayValue') return
  for (const element of value.elements) if (/^\[.*\]\+?=/s.test(element.text)) readEvaluated(element, place)
}

function readIndex(index: Word, place: ReadingContext): void {
  if (index.text !== '@' && index.text !== '*') readEvaluated(index, place)
}

/** `[[ a -eq b ]]`, whose sides are arithmetic. */
export function readComparison({ operator, left, right }: TestBinaryExpression, place: ReadingContext): void {
  if (!/^-(eq|ne|lt|le|gt|ge)$/.test(operator)) return
  readEvaluated(left, place)
  readEvaluated(right, place)
}

/** `[[ -v name[index] ]]`. */
export function readTest({ operator, operand }: TestUnaryExpression, place: ReadingContext): void {
  if (/^-[vR]$/.test(operator) && !/^\w+$/.test(operand.text)) readEvaluated(operand, place)
}

/** A part of the line, as it stands there. */
export interface Written {
  readonly text: string
  readonly parts?: readonly WordPart[] | undefined
  readonly pos: number
  readonly end: number
}

/** A part of the line that a shell evaluates as arithmetic. */
export function readEvaluated(node: Written, place: ReadingContext): void {
  const { text, parts } = node
  const { facts } = place
  if (isNumber(text.replace(/^\[(.*)\]\+?=-?\d*$/s, '$1'), facts.numbers)) return
  const reason = `"${formatText(text)}" is evaluated as arithmetic, which runs what stands in a subscript`
  addObstacle('dynamic-script', reason, spanOf(node, place), place, text)
  const values = (text.match(/[A-Za-z_]\w*/g) ?? []).flatMap((name) =>
    (facts.variables.get(name) ?? []).flat(),
  )
  const texts = [literalRemains(parts, text), ...resolveText({ parts, text }, facts), ...values]
  for (const hidden of new Set(texts)) if (/\$\(|`/.test(hidden)) addHidden(hidden, node, place)
}

/** Commands of a text that is expanded once more, whatever stands around them. */
export function addHidden(text: string, node: Pick<Written, 'pos' | 'end'>, place: ReadingContext): void {
  addSecondText(`: "${text.replace(/["\\]/g, ' ')}"`, spanOf(node, place), place)
}
