/** Which rule would allow a command from now on, and others of its kind. */
import type { Amendment } from '../../../../ports/gate.ts'
import { kindOfOption } from '../match/known-options.ts'
import { checkers, interpreters, isOpenProgram, wordsBehind } from './command-families.ts'

const maxWords = 32
const maxLength = 1000

/**
 * Program and subcommand of a command that is known, else the whole command; undefined where a rule would allow more than
 * anybody has looked at: an interpreter or a shell alone or with code of the command line, a wrapper, what is stopped anyway.
 */
export function proposeAmendment(
  words: readonly string[],
  isStopped: (prefix: readonly string[]) => boolean,
): Amendment | undefined {
  if (isStopped(words)) return undefined
  const prefix = [kindOf(words), wholeOf(words)].find(
    (candidate) => candidate !== undefined && !isStopped(candidate),
  )
  return prefix === undefined ? undefined : { prefix }
}

/**
 * Whether a prefix would allow more than one kind of command, such as one that the model has asked for: an open program
 * with whatever it would be given, an interpreter without a script, a family of commands without the word that says which.
 */
export function isTooGeneral(prefix: readonly string[]): boolean {
  const [program, ...rest] = prefix
  if (program === undefined) return true
  const name = nameOf(program)
  if (interpreters.has(name)) return !(isModule(name, rest) || isScript(rest[0]))
  if (isOpenProgram(name)) return true
  if (wordsBehind(name) === undefined) return false
  const bare = withoutOptions(name, rest)
  const family = bare === undefined ? undefined : familyOf([name, ...bare])
  return bare === undefined || family === undefined || bare.length < family.needed
}

function kindOf(words: readonly string[]): readonly string[] | undefined {
  const [program] = words
  if (program === undefined || !isPlain(program)) return undefined
  if (checkers.has(program)) return [program]
  const family = familyOf(words)
  if (!family?.isGeneral) return undefined
  const kind = words.slice(0, family.needed + 1)
  const isModuleFlag = kind[1] === '-m' && interpreters.has(program)
  const areNamed = kind.slice(isModuleFlag ? 2 : 1).every(isPlain)
  return kind.length === family.needed + 1 && areNamed ? kind : undefined
}

interface Family {
  /** How many words behind the program say which command of it. */
  readonly needed: number
  /** False: further words decide what it does, and it is not said in general. */
  readonly isGeneral: boolean
}

/** By the longest entry that fits; undefined for an unknown program. */
function familyOf(words: readonly string[]): Family | undefined {
  for (const length of [3, 2, 1]) {
    const count = wordsBehind(words.slice(0, length).join(' '))
    if (words.length >= length && count !== undefined)
      return count === 0 ? { needed: length, isGeneral: false } : { needed: count, isGeneral: true }
  }
  return undefined
}

/** What stands behind the options in front; undefined where one of them is not known, or changes what is run. */
function withoutOptions(program: string, rest: readonly string[]): readonly string[] | undefined {
  let at = 0
  while (rest[at]?.startsWith('-') === true) {
    const kind = kindOfOption(program, rest[at] ?? '')
    if (kind !== 'alone' && kind !== 'with-value') return undefined
    at += kind === 'alone' ? 1 : 2
  }
  return rest.slice(at)
}

function wholeOf(words: readonly string[]): readonly string[] | undefined {
  const isShort = words.length <= maxWords && words.join(' ').length <= maxLength
  const isText = words.every((word) => word.isWellFormed() && !word.includes('\0'))
  return isShort && isText && !isTooGeneral(words) && words[0] !== '' ? words : undefined
}

/** A word that names something: no option, no path, no number, no assignment. */
const isPlain = (word: string) => /^[a-zA-Z@][a-zA-Z0-9_.:@-]*$/.test(word)

const isScript = (word: string | undefined) => word !== undefined && /^(?!-|\/dev\/|\/proc\/)./.test(word)

const isModule = (name: string, [flag, module]: readonly string[]) =>
  name.startsWith('py') && flag === '-m' && module !== undefined && isPlain(module)

/** Without its folder and its version: `/usr/bin/python3.12` is `python`. */
function nameOf(program: string): string {
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/\.exe$/, '')
  const bare = name.replace(/[-.0-9]+$/, '')
  return isOpenProgram(bare) ? bare : name
}
