import { literalWord, type ReadWord } from '../words/word.ts'

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
  const options = (): Options => (read ??= optionsIn(text))
  return {
    takesValue: (name) => options().get(name)?.hasValue === true,
    isPlain: (name) => options().get(name)?.isChange === false,
    has: (name) => options().has(name),
    keys: () => options().keys(),
  }
}

function optionsIn(text: string): Options {
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
    waiting.push(...step.next)
    used.push(...step.used)
    isPlain &&= step.isPlain
  }
  const inOrder = [...ends].sort((first, second) => first - second)
  return { ends: inOrder.slice(0, maxEnds), used, isPlain, isCut: inOrder.length > maxEnds }
}

/** In so many ways words are read whose options are not known. */
const maxEnds = 8

interface Step {
  readonly end?: number
  readonly next: readonly number[]
  readonly used: readonly UsedOption[]
  readonly isPlain: boolean
}

function stepOver(words: readonly ReadWord[], index: number, table: OptionTable): Step {
  const word = words[index]
  const text = word?.text
  if (word === undefined) return { end: words.length, next: [], used: [], isPlain: true }
  if (text === null || text === undefined) return { end: index, next: [index + 1], used: [], isPlain: false }
  if (text === '--') return { end: index + 1, next: [], used: [], isPlain: true }
  if (text === '-' && table.has('-'))
    return over(index + 1, { used: [{ name: '-' }], isPlain: table.isPlain('-') })
  if (!text.startsWith('-') || text === '-') return { end: index, next: [], used: [], isPlain: true }
  if (/^-\d+$/.test(text) && table.has('#')) return over(index + 1)
  return text.startsWith('--') ? overLong(words, index, text, table) : overShort(words, index, text, table)
}

function over(next: number, more: Partial<Step> = {}): Step {
  return { next: [next], used: [], isPlain: true, ...more }
}

function overLong(words: readonly ReadWord[], index: number, text: string, table: OptionTable): Step {
  const [, written = '', attached] = /^--([^=]*)(?:=(.*))?$/s.exec(text) ?? []
  const name = longName(written, table)
  if (name === undefined) {
    const next = attached === undefined ? [index + 1, index + 2] : [index + 1]
    return over(index + 1, { next, isPlain: false })
  }
  if (attached !== undefined) {
    const value = literalWord(attached, words[index]?.written)
    return over(index + 1, { used: [{ name, value }], isPlain: table.isPlain(name) })
  }
  return readValue(words, index, name, table)
}

/** An option may be shortened where no other begins so. */
function longName(written: string, table: OptionTable): string | undefined {
  if (table.has(written)) return written
  const longer = [...table.keys()].filter((name) => name.length > 1 && name.startsWith(written))
  return longer.length === 1 ? longer[0] : undefined
}

function readValue(words: readonly ReadWord[], index: number, name: string, table: OptionTable): Step {
  const hasValue = table.takesValue(name)
  const value = hasValue ? words[index + 1] : undefined
  return over(index + (hasValue ? 2 : 1), {
    used: [{ name, ...(value === undefined ? {} : { value }) }],
    isPlain: table.isPlain(name),
  })
}

function overShort(words: readonly ReadWord[], index: number, text: string, table: OptionTable): Step {
  const used: UsedOption[] = []
  let plain = true
  let isKnown = true
  for (let at = 1; at < text.length; at += 1) {
    const name = text.charAt(at)
    isKnown &&= table.has(name)
    plain &&= table.isPlain(name)
    if (!table.takesValue(name)) {
      used.push({ name })
      continue
    }
    const rest = text.slice(at + 1)
    if (rest === '') {
      const step = readValue(words, index, name, table)
      return { ...step, used: [...used, ...step.used], isPlain: plain }
    }
    used.push({ name, value: literalWord(rest, words[index]?.written) })
    break
  }
  return over(index + 1, { next: isKnown ? [index + 1] : [index + 1, index + 2], used, isPlain: plain })
}
