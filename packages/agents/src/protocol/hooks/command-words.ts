/** What stands among the words that an agent was started with, as far as flags go. Pure. */
import type { OwnProgram, Attendance } from './attended.ts'

/**
 * How an agent's own process is known by its words.
 * @param alone words by which it does one task and ends; one letter (`-p`) also among others (`-yp`)
 * @param elsewhere words by which whoever sits before it, if anybody does, sits elsewhere
 * @param commands after which somebody sits at its terminal; absent: whatever the command is
 */
export function attendanceByWords(
  alone: readonly string[],
  elsewhere: readonly string[] = [],
  commands?: readonly string[],
): OwnProgram['attendanceOf'] {
  return (words): Attendance => {
    if (alone.some((flag) => hasFlag(words, flag))) return 'nobody'
    if (hasWord(words, elsewhere)) return 'unknown'
    const command = commands === undefined ? undefined : commandIn(words)
    return command === undefined || commands?.includes(command) === true ? 'somebody' : 'unknown'
  }
}

function hasFlag(words: readonly string[], flag: string): boolean {
  return hasWord(words, [flag]) || (/^-[a-z]$/.test(flag) && hasShortFlag(words, flag.slice(1)))
}

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
