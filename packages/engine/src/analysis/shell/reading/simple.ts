import type { Span } from '../decomposition.ts'
import {
  addCommand,
  addObstacle,
  addText,
  addTooDeep,
  formatText,
  type ReadingContext,
} from '../reading-state.ts'
import { isShell } from '../programs/shells.ts'
import { joinWords, programName, spanOfWords, type Start } from '../programs/started.ts'
import { startsOf } from '../programs/starts-of.ts'
import { wrapperOf } from '../programs/wrappers.ts'
import { isNumber } from '../words/numbers.ts'
import { toFoundWord, literalWord, unknownWord, type ReadWord } from '../words/word.ts'

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
export function addUnknownWords([, ...words]: readonly ReadWord[], place: ReadingContext): void {
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
