import { Option, type Command, InvalidArgumentError } from 'commander'
import type { CliIo } from '../process/io.ts'
import { helpLayout, helpText } from '../help/help-layout.ts'
import { UsageError } from '@donecheck/engine/internal/base'
import type { ListenAddress } from '@donecheck/server'

/** A method, so that each reader may narrow `before`. */
type Reader = { read(text: string, before: unknown): unknown }['read']

export type OptionRow = readonly [flags: string, help: string, value?: readonly string[] | Reader]

export interface OptionGroup {
  readonly heading: string
  readonly rows: readonly OptionRow[]
}

export type Options = readonly (OptionRow | OptionGroup)[]

export type FlagName = 'store' | 'config' | 'checks' | 'judges' | 'quiet' | 'run' | 'resume' | 'install'

export type FlagsNamed = (name: FlagName) => Options

export function optionOf([flags, help, value]: OptionRow): Option {
  const option = new Option(flags, help)
  if (value === undefined) return option
  return typeof value === 'function' ? option.argParser(value) : option.choices(value)
}

/** A method, so that each command may narrow its parameters. */
type Perform = { perform(...given: unknown[]): Promise<number> }['perform']

export type RunWords = (words: readonly string[], io: CliIo) => Promise<number>

/** Loads the implementation when the command runs, so that `--help` stays fast. */
export type LoadCommand = (runWords: RunWords) => Promise<Perform>

export type Act = (load: LoadCommand) => (...typed: unknown[]) => Promise<void>

export interface CommandLine {
  readonly name: string
  readonly description: string
  readonly arguments?: readonly (readonly [argument: string, help?: string, otherwise?: string])[]
  readonly options?: Options | ((flags: FlagsNamed) => Options)
  /** Flags shown by `--help`; `help COMMAND --all` shows the others. */
  readonly first?: readonly string[]
  readonly examples: readonly string[]
  readonly note?: string
  readonly load?: LoadCommand
  readonly commands?: readonly CommandLine[]
  readonly takesAll?: boolean
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

export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value]
}

export function positive(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError(`"${text}" is not a positive number.`)
  return value
}

export function positiveWhole(text: string): number {
  const value = positive(text)
  if (!Number.isInteger(value)) throw new InvalidArgumentError(`"${text}" is not a whole number.`)
  return value
}

/** @param text such as `127.0.0.1:4747`, `[::1]:0`, or `4747` */
export function readListenAddress(flag: string, text: string): ListenAddress {
  const [, bracketed, plain, digits = ''] = /^(?:(?:\[([^\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (digits === '' || port > 65_535)
    throw new UsageError(`${flag} takes HOST:PORT, such as 127.0.0.1:4747, not "${text}"`)
  return { host: bracketed ?? plain ?? '127.0.0.1', port }
}

export const aRun = ['<run>', 'its id, or the beginning of it; "last" is the latest'] as const
export const aRunOrLast = ['[run]', aRun[1], 'last'] as const
export const jsonOption: OptionRow = ['--json', 'as JSON']
export const outputOption: OptionRow = ['-o, --output <file>', 'instead of standard output']
