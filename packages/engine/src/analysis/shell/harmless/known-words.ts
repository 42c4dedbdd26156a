/** Options and operands of programs, as far as they are known to do no more than read. What is not known here is asked for. */
import type { FoundWord } from '../decomposition.ts'
import { isSteady } from '../command-words.ts'
import type { OptionTable } from '../programs/options.ts'

export interface ReadWords {
  /** Without dashes. */
  readonly options: readonly string[]
  /** Without the values of options, as far as those are known. */
  readonly operands: readonly FoundWord[]
}

/**
 * Long options are known by their whole name, for an abbreviation may be that of another. Undefined: an option is not known, or a
 * word that is only known when it runs may be one.
 */
export function readWords(words: readonly FoundWord[], known: OptionTable): ReadWords | undefined {
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

function optionsIn(text: string, known: OptionTable): readonly string[] | undefined {
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
