import type { ObstacleKind, Span } from '../decomposition.ts'
import { formatText } from '../reading-state.ts'
import { literalWord, type ReadWord } from '../words/word.ts'

/** Something else that a program runs. */
export type Start =
  | {
      readonly kind: 'words'
      readonly through: string
      readonly words: readonly ReadWord[]
      /** Words of its standard input are put behind. */
      readonly takesInput?: true
    }
  | ScriptStart
  /** Its standard input, read as commands. */
  | {
      readonly kind: 'input'
      readonly through: string
      readonly isBash: boolean
      /** As those of a script. */
      readonly arguments?: readonly ReadWord[]
    }

export interface ScriptStart {
  readonly kind: 'script'
  readonly through: string
  readonly script: ReadWord
  /** The shell that reads it is one that reads as `bash` does. */
  readonly isBash: boolean
  /** `$0`, `$1` … of the text; undefined: those of the shell around it. */
  readonly arguments?: readonly ReadWord[]
}

export interface StartObstacle {
  readonly kind: ObstacleKind
  readonly reason: string
  /** Undefined: the whole command. */
  readonly word?: ReadWord
  /** See `Obstacle`. */
  readonly subject?: string
  /** It is there because the word is evaluated as arithmetic: none where that holds nothing but numbers. */
  readonly isSum?: true
}

/** What a program that was found runs in its turn. Of most programs nothing: what they do is their own. */
export interface Started {
  readonly starts?: readonly Start[]
  /** See `FoundCommand`. Default false. */
  readonly isTransparent?: boolean
  readonly obstacles?: readonly StartObstacle[]
}

export function elsewhere(reason: string, word?: ReadWord): StartObstacle {
  return { kind: 'elsewhere', reason, ...(word === undefined ? {} : { word }) }
}

export function unknownScript(word: ReadWord): StartObstacle {
  return {
    kind: 'dynamic-script',
    reason: `"${formatText(word.written)}" is run as commands and only known when it runs`,
    word,
  }
}

/** A text for a shell, and an obstacle where it is not known. */
export function scriptStarted(
  script: ReadWord,
  through: string,
  more: Partial<Pick<ScriptStart, 'isBash' | 'arguments'>> = {},
): { readonly start: Start; readonly obstacles: readonly StartObstacle[] } {
  return {
    start: { kind: 'script', through, script, isBash: false, ...more },
    obstacles: script.text === null ? [unknownScript(script)] : [],
  }
}

/** The same of several texts. */
export function scriptsStarted(
  scripts: readonly ReadWord[],
  through: string,
): Required<Pick<Started, 'starts' | 'obstacles'>> {
  const started = scripts.map((script) => scriptStarted(script, through))
  return {
    starts: started.map(({ start }) => start),
    obstacles: started.flatMap(({ obstacles }) => obstacles),
  }
}

/** Several words as the one text that a shell gets of them. */
export function joinWords(words: readonly ReadWord[]): ReadWord {
  return {
    text: words.every(({ text }) => text !== null) ? words.map(({ text }) => text).join(' ') : null,
    written: words.map(({ written }) => written).join(' '),
    span: spanOfWords(words),
    guess: words.map(({ guess }) => guess).join(' '),
  }
}

export function spanOfWords(words: readonly ReadWord[]): Span {
  const [first, last] = [words[0]?.span, words.at(-1)?.span]
  return first && last ? [first[0], last[1]] : null
}

/** Options of a program that stand before the words that it runs. */
export interface OptionTable extends Pick<Options, 'has' | 'keys'> {
  takesValue(name: string): boolean
  /** It is known, and does not change what the program is run as or where. */
  isPlain(name: string): boolean
}

type Options = ReadonlyMap<string, { readonly hasValue: boolean; readonly isChange: boolean }>

/**
 * Reads a table such as `'n preserve-env u: user: C:!'`: names of options without their dashes, `:` behind those that take a
 * value of their own, `!` behind those that change what the program is run as or where. `#` stands for any number. There are
 * many, and a command line needs few of them: each is read when it is needed first.
 */
export function optionTable(text: string): OptionTable {
  let read: Options | undefined
  const options = (): Options => (read ??= tableIn(text))
  return {
    takesValue: (name) => options().get(name)?.hasValue === true,
    isPlain: (name) => options().get(name)?.isChange === false,
    has: (name) => options().has(name),
    keys: () => options().keys(),
  }
}

function tableIn(text: string): Options {
  const names = text.split(/\s+/u).filter((name) => name !== '')
  return new Map(
    names.map((name) => [
      name.replace(/[:!]+$/, ''),
      { hasValue: /:!?$/.test(name), isChange: name.endsWith('!') },
    ]),
  )
}

interface UsedOption {
  readonly name: string
  readonly value?: ReadWord
}

export interface ReadOptions {
  /** Where the words behind the options begin. More than one where an option is not known, so that its value is not either. */
  readonly ends: readonly number[]
  readonly used: readonly UsedOption[]
  /** Every option is known, and none of them changes what is run. */
  readonly isPlain: boolean
  /** There are more ways to read them. */
  readonly isCut: boolean
}

/** As `getopt` reads them up to the first word that is none. What cannot be told is read in both ways. */
export function readOptions(words: readonly ReadWord[], from: number, table: OptionTable): ReadOptions {
  const ends = new Set<number>()
  const used: UsedOption[] = []
  const waiting = [from]
  const seen = new Set<number>()
  let isPlain = true
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    if (seen.has(index)) continue
    seen.add(index)
    const step = stepOver(words, index, table)
    if (step.end !== undefined) ends.add(step.end)
    waiting.push(...(step.next ?? []))
    used.push(...(step.used ?? []))
    isPlain &&= step.isPlain ?? true
  }
  const inOrder = [...ends].sort((first, second) => first - second)
  return { ends: inOrder.slice(0, maxEnds), used, isPlain, isCut: inOrder.length > maxEnds }
}

/** In so many ways words are read whose options are not known. */
const maxEnds = 8

interface Step {
  readonly end?: number
  readonly next?: readonly number[]
  readonly used?: readonly UsedOption[]
  /** Default true. */
  readonly isPlain?: boolean
}

function stepOver(words: readonly ReadWord[], index: number, table: OptionTable): Step {
  const word = words[index]
  if (word === undefined) return { end: words.length }
  const { text, written } = word
  if (text === null) return { end: index, next: [index + 1], isPlain: false }
  if (text === '--') return { end: index + 1 }
  if (!text.startsWith('-') || (text === '-' && !table.has('-'))) return { end: index }
  if (/^-\d+$/.test(text) && table.has('#')) return { next: [index + 1] }
  const { names, attached, isOpen } = optionsIn(text, table)
  const takesNext = attached === undefined && table.takesValue(names.at(-1) ?? '')
  const own = attached === undefined ? undefined : literalWord(attached, written)
  const value = takesNext ? words[index + 1] : own
  const used = names.map((name, at) => (value && at === names.length - 1 ? { name, value } : { name }))
  const isPlain = names.length > 0 && names.every((name) => table.isPlain(name))
  if (takesNext) return { next: [index + 2], used, isPlain }
  return { next: isOpen ? [index + 1, index + 2] : [index + 1], used, isPlain }
}

interface OptionsInWord {
  /** Several: letters of a group. None: a long one that is not known. */
  readonly names: readonly string[]
  /** The value of the last of them that stands in the same word. */
  readonly attached: string | undefined
  /** One of them is not known: the next word may be its value. */
  readonly isOpen: boolean
}

function optionsIn(text: string, table: OptionTable): OptionsInWord {
  if (text.startsWith('--')) {
    const [, written = '', attached] = /^--([^=]*)(?:=(.*))?$/s.exec(text) ?? []
    const name = longName(written, table)
    return { names: name === undefined ? [] : [name], attached, isOpen: (name ?? attached) === undefined }
  }
  const letters = text === '-' ? ['-'] : text.slice(1).split('')
  const last = letters.findIndex((letter) => table.takesValue(letter))
  const names = last === -1 ? letters : letters.slice(0, last + 1)
  const attached = letters.slice(names.length).join('')
  return {
    names,
    attached: attached === '' ? undefined : attached,
    isOpen: !names.every((name) => table.has(name)),
  }
}

/** An option may be shortened where no other begins so. */
function longName(written: string, table: OptionTable): string | undefined {
  if (table.has(written)) return written
  const longer = [...table.keys()].filter((name) => name.length > 1 && name.startsWith(written))
  return longer.length === 1 ? longer[0] : undefined
}
