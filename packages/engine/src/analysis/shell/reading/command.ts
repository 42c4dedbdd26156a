import type { Assignment, Command, Word } from 'unbash'
import { isAppendedPath, isHarmlessVariable, isToolPath, toolPathReason } from '../environment.ts'
import { addObstacle, formatText, spanOf, type ReadingContext } from '../reading-state.ts'
import { maxCandidates } from '../words/facts.ts'
import { inputOf } from '../words/printed.ts'
import { resolveWord } from '../words/resolve.ts'
import { literalText, literalWord, readWord, withoutBraces, type ReadWord } from '../words/word.ts'
import { readSubscripts } from './arithmetic.ts'
import { addSimple, addUnknownWords } from './simple.ts'

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
