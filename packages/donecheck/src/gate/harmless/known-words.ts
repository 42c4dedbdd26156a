/** Options and operands of programs, as far as they are known to do no more than read. What is not known here is asked for. */
import type { FoundWord } from '../../shell/index.ts'
import { isSteady } from '../floor/command-words.ts'

/**
 * Options as words without their dashes: `n reverse k:`. One letter is a short one, which stands in groups; `:` behind it says that
 * it takes a value. Long ones are known by their whole name, for an abbreviation may be that of another; `#` is any number.
 */
export interface KnownOptions {
  has(option: string): boolean
  takesValue(option: string): boolean
}

export function knownOptions(text: string): KnownOptions {
  let read: ReadonlyMap<string, boolean> | undefined
  const options = () =>
    (read ??= new Map(text.split(/\s+/u).map((word) => [word.replace(/:$/u, ''), word.endsWith(':')])))
  return {
    has: (option) => options().has(option),
    takesValue: (option) => options().get(option) === true,
  }
}

export interface ReadWords {
  /** Without dashes. */
  readonly options: readonly string[]
  /** Without the values of options, as far as those are known. */
  readonly operands: readonly FoundWord[]
}

/** Undefined: an option is not known, or a word that is only known when it runs may be one. */
export function readWords(words: readonly FoundWord[], known: KnownOptions): ReadWords | undefined {
  const options: string[] = []
  const operands: FoundWord[] = []
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]
    if (word === undefined) break
    const { text } = word
    if (text === '--') return { options, operands: [...operands, ...words.slice(index + 1)] }
    if (text === null && !isSteady(word)) return undefined
    if (text === null || text === '-' || !text.startsWith('-')) {
      operands.push(word)
      continue
    }
    const names = optionsIn(text, known)
    if (names === undefined) return undefined
    options.push(...names)
    const last = names.at(-1) ?? ''
    if (known.takesValue(last) && text.endsWith(last)) index += 1
  }
  return { options, operands }
}

function optionsIn(text: string, known: KnownOptions): readonly string[] | undefined {
  if (/^-\d+$/u.test(text) && known.has('#')) return ['#']
  if (text.startsWith('--')) {
    const name = text.slice(2).split('=', 1)[0] ?? ''
    return name.length > 1 && known.has(name) ? [name] : undefined
  }
  const names: string[] = []
  for (const letter of text.slice(1)) {
    if (!known.has(letter)) return undefined
    names.push(letter)
    if (known.takesValue(letter)) break
  }
  return names
}
