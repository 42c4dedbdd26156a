/** What stands among the words that an agent was started with, as far as flags go. Pure. */

/** The flag `-p` in any of its forms: alone, among others (`-yp`), and with its value behind it. */
export function hasShortFlag(words: readonly string[], letter: string): boolean {
  return words.some((word) => /^-[A-Za-z]/.test(word) && flagLetters(word).includes(letter))
}

function flagLetters(word: string): string {
  return /^-([A-Za-z]*)/.exec(word)?.[1] ?? ''
}

/** Any of these, with its value behind it or without. */
export function hasWord(words: readonly string[], wanted: readonly string[]): boolean {
  return words.some((word) => wanted.includes(word.split('=', 1)[0] ?? ''))
}

/** What may be the name of a command of the agent: the first word, if it is no flag and no sentence. */
export function commandIn(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => !word.startsWith('-'))
  const isValue = at > 0
  const word = words[at]
  return word !== undefined && !isValue && /^[a-z][a-z-]*$/.test(word) ? word : undefined
}
