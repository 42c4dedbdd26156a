/** How an option is written down, and how it is added to a command. */
import { Option, type Command } from 'commander'
import { helpLayout, helpText } from '../help/help-layout.ts'

/** Its second parameter is what it gave for the value before: a method, so that each may name its own type. */
type Reader = { read(text: string, before: unknown): unknown }['read']

export type OptionRow = readonly [
  /** As it is typed, such as `--max-tokens <count>`. */
  flags: string,
  help: string,
  /** What it may be, or how one value is read after those before it. */
  value?: readonly string[] | Reader,
  /** In a configuration, where it is called otherwise there. */
  key?: string,
]

/** Options that `--help` lists under a heading of their own. */
export interface OptionGroup {
  readonly heading: string
  readonly rows: readonly OptionRow[]
}

function addOptions(command: Command, entries: readonly (OptionRow | OptionGroup)[]): Command {
  for (const entry of entries)
    if ('heading' in entry)
      for (const row of entry.rows) command.addOption(optionOf(row).helpGroup(`${entry.heading}:`))
    else command.addOption(optionOf(entry))
  return command
}

export function optionOf([flags, help, value]: OptionRow): Option {
  const option = new Option(flags, help)
  if (value === undefined) return option
  return typeof value === 'function' ? option.argParser(value) : option.choices(value)
}

export interface CommandLine {
  readonly name: string
  readonly description: string
  /** As they are written, with what they are, and what is taken where there is none. */
  readonly arguments?: readonly (readonly [argument: string, help?: string, otherwise?: string])[]
  readonly options?: readonly (OptionRow | OptionGroup)[]
  /** Flags that its help shows, in this order; the others are shown by `help COMMAND --all`. Absent: all are shown. */
  readonly first?: readonly string[]
  /** Lines that can be typed as they stand, or a whole text below the help. */
  readonly examples: readonly string[] | string
}

/** What a command does with its arguments, its flags and the world around it, in this order. A method, so that each may name its own types. */
type Perform = { perform(...given: unknown[]): Promise<number> }['perform']

/** Loads what a command does, once it is called: `--help` need not wait for what it does not use. */
export type LoadCommand = () => Promise<Perform>

/** What `action` of a command is given: it is called with what was typed, and then the command itself. */
export type Act = (load: LoadCommand) => (...typed: unknown[]) => Promise<void>

/** What is done about it is added by `action` of the result. */
export function addCommand(program: Command, line: CommandLine): Command {
  const command = addOptions(program.command(line.name), line.options ?? []).description(line.description)
  for (const [argument, help, otherwise] of line.arguments ?? [])
    command.argument(argument, help ?? '', otherwise)
  if (line.first !== undefined) showFirst(command, line.first)
  const { examples } = line
  return command.addHelpText(
    'after',
    helpText(typeof examples === 'string' ? examples : examplesOf(examples)),
  )
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

function examplesOf(lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`
}
