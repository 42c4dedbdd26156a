/** What can stand where somebody presses Tab: from the same commands and options that are parsed. */
import type { Command, Option } from 'commander'

export interface Completion {
  readonly value: string
  readonly help: string
}

/** What only the machine knows: by the value that an option or an argument is written with, such as `run` or `agent`. */
export type Lookup = (what: string) => Promise<readonly Completion[]>

/**
 * @param words what stands after `donecheck`, up to and with the word that is being typed
 * @returns none: a file may be meant, or anything
 */
export async function completionsOf(
  program: Command,
  words: readonly string[],
  lookup: Lookup,
): Promise<readonly Completion[]> {
  const typed = words.at(-1) ?? ''
  const { command, open, operands } = placeOf(program, words.slice(0, -1))
  const offered =
    open === undefined ? await atWord(command, typed, operands, lookup) : await valuesOf(open, lookup)
  return offered.filter(({ value }) => value.startsWith(typed))
}

interface Place {
  readonly command: Command
  /** The option whose value is typed. */
  readonly open: Option | undefined
  readonly operands: number
}

function placeOf(program: Command, words: readonly string[]): Place {
  return words.reduce<Place>(
    ({ command, open, operands }, word) => {
      if (open !== undefined) return { command, open: undefined, operands }
      const option = command.options.find(({ long, short }) => word === long || word === short)
      if (option?.required === true) return { command, open: option, operands }
      if (word.startsWith('-')) return { command, open: undefined, operands }
      const inner = command.commands.find((one) => one.name() === word)
      return inner === undefined
        ? { command, open: undefined, operands: operands + 1 }
        : { command: inner, open: undefined, operands: 0 }
    },
    { command: program, open: undefined, operands: 0 },
  )
}

async function atWord(
  command: Command,
  typed: string,
  operands: number,
  lookup: Lookup,
): Promise<readonly Completion[]> {
  if (typed.startsWith('-'))
    return command.options
      .filter(({ long }) => long !== undefined)
      .map(({ long, description }) => ({ value: long ?? '', help: description }))
  const inner = command.commands.map((one) => ({ value: one.name(), help: one.description() }))
  const argument = command.registeredArguments[operands]
  return argument === undefined ? inner : [...inner, ...(await lookup(argument.name()))]
}

async function valuesOf(option: Option, lookup: Lookup): Promise<readonly Completion[]> {
  if (option.argChoices !== undefined) return option.argChoices.map((value) => ({ value, help: '' }))
  return lookup(option.attributeName())
}
