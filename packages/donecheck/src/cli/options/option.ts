/** How commands and their options are written down, and how they are added to the program. */
import { Option, type Command } from 'commander'
import type { CliIo } from '../process/io.ts'
import { helpLayout, helpText } from '../help/help-layout.ts'

/** Its second parameter is what it gave for the value before: a method, so that each may name its own type. */
type Reader = { read(text: string, before: unknown): unknown }['read']

export type OptionRow = readonly [
  /** As it is typed, such as `--max-tokens <count>`. */
  flags: string,
  help: string,
  /** What it may be, or how one value is read after those before it. */
  value?: readonly string[] | Reader,
]

/** Options that `--help` lists under a heading of their own. */
export interface OptionGroup {
  readonly heading: string
  readonly rows: readonly OptionRow[]
}

export type Options = readonly (OptionRow | OptionGroup)[]

export type FlagName = 'store' | 'config' | 'checks' | 'judges' | 'quiet' | 'run' | 'resume' | 'install'

/** Gives the flags of the configuration under a name; none if the command that was typed takes none. */
export type FlagsNamed = (name: FlagName) => Options

export function optionOf([flags, help, value]: OptionRow): Option {
  const option = new Option(flags, help)
  if (value === undefined) return option
  return typeof value === 'function' ? option.argParser(value) : option.choices(value)
}

/** What a command does with its arguments, its flags and the world around it, in this order. A method, so that each may name its own types. */
type Perform = { perform(...given: unknown[]): Promise<number> }['perform']

/** Runs another command line of donecheck in this process. */
export type RunWords = (words: readonly string[], io: CliIo) => Promise<number>

/** Loads what a command does, once it is called: `--help` need not wait for what it does not use. */
export type LoadCommand = (runWords: RunWords) => Promise<Perform>

/** What `action` of a command is given: it is called with what was typed, and then the command itself. */
export type Act = (load: LoadCommand) => (...typed: unknown[]) => Promise<void>

export interface CommandLine {
  readonly name: string
  readonly description: string
  /** As they are written, with what they are, and what is taken if there is none. */
  readonly arguments?: readonly (readonly [argument: string, help?: string, otherwise?: string])[]
  /** With the flags of the configuration, if it takes some. */
  readonly options?: Options | ((flags: FlagsNamed) => Options)
  /** Flags that its help shows, in this order; the others are shown by `help COMMAND --all`. Absent: all are shown. */
  readonly first?: readonly string[]
  /** Lines that can be typed as they stand. */
  readonly examples: readonly string[]
  /** Below the examples. */
  readonly note?: string
  /** Absent: it only has commands of its own. */
  readonly load?: LoadCommand
  readonly commands?: readonly CommandLine[]
  /** Everything after its first word belongs to it, flags included. */
  readonly takesAll?: boolean
  /** No help lists it. */
  readonly isHidden?: boolean
}

export function addCommand(
  parent: Command,
  line: CommandLine,
  act: Act,
  flags: FlagsNamed = () => [],
): Command {
  const { examples, note, first, load, options = [] } = line
  const { isHidden: hidden = false } = line
  const command = parent.command(line.name, { hidden }).description(line.description)
  for (const entry of typeof options === 'function' ? options(flags) : options)
    if ('heading' in entry)
      for (const row of entry.rows) command.addOption(optionOf(row).helpGroup(`${entry.heading}:`))
    else command.addOption(optionOf(entry))
  for (const [argument, help, otherwise] of line.arguments ?? [])
    command.argument(argument, help ?? '', otherwise)
  if (first !== undefined) showFirst(command, first)
  const typed = examples.map((example) => `  $ ${example}`)
  command.addHelpText(
    'after',
    helpText(['\nExamples:', ...typed, ...(note === undefined ? [] : ['', note])].join('\n')),
  )
  if (line.takesAll === true) command.passThroughOptions()
  if (line.commands !== undefined || line.takesAll === true) command.enablePositionalOptions()
  if (load !== undefined) command.action(act(load))
  for (const inner of line.commands ?? []) addCommand(command, inner, act, flags)
  return command
}

function showFirst(command: Command, first: readonly string[]): void {
  command.configureHelp({
    ...helpLayout,
    visibleOptions: ({ options }) =>
      first.flatMap((name) => options.find(({ long }) => long === name) ?? []).map(inFirstGroup),
  })
  command.addHelpText('after', () =>
    command.configureHelp().visibleOptions === undefined
      ? ''
      : `\nAll ${command.options.length} flags, by purpose: donecheck help ${command.name()} --all`,
  )
}

function inFirstGroup({ flags, description, argChoices }: Option): Option {
  const copy = new Option(flags, description).helpGroup('The first flags:')
  return argChoices === undefined ? copy : copy.choices(argChoices)
}
