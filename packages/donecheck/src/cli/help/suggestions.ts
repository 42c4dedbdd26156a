import { CommanderError, type Command } from 'commander'
import { configKeys } from '../../config/index.ts'

/** @returns the error with a suggestion added, unless it has one */
export function withSuggestion(
  error: CommanderError,
  program: Command,
  words: readonly string[],
): CommanderError {
  if (error.message.includes('Did you mean')) return error
  const typed = /'(.+)'/.exec(error.message)?.[1] ?? ''
  const command = findTypedCommand(program, words)
  const hint =
    error.code === 'commander.unknownCommand'
      ? commandHint(command, typed)
      : error.code === 'commander.unknownOption'
        ? flagHint(command, typed)
        : ''
  return new CommanderError(error.exitCode, error.code, `${error.message}${hint}`)
}

function findTypedCommand(program: Command, words: readonly string[]): Command {
  return words.reduce(
    (command, word) => command.commands.find((inner) => inner.name() === word) ?? command,
    program,
  )
}

function commandHint(group: Command, typed: string): string {
  const commands = listCommands(group, [])
  const parts = typed.split('-')
  const isNamed = ({ command }: ListedCommand) => parts.includes(command.name())
  const stem = typed.toLowerCase().replace(/s$/, '')
  const isAbout = ({ command }: ListedCommand) =>
    command
      .description()
      .toLowerCase()
      .split(/\W+/)
      .some((word) => word.replace(/s$/, '') === stem)
  const nearest = commands.find(isNamed) ?? commands.find(isAbout)
  if (nearest !== undefined) return ` (Did you mean ${nearest.path}?)`
  return `; see: ${['donecheck help', ...(group.parent === null ? [] : [group.name()])].join(' ')}`
}

interface ListedCommand {
  readonly path: string
  readonly command: Command
}

function listCommands(parent: Command, names: readonly string[]): readonly ListedCommand[] {
  return parent.commands.flatMap((command) => {
    const path = [...names, command.name()]
    return [{ path: path.join(' '), command }, ...listCommands(command, path)]
  })
}

function flagHint({ options }: Command, typed: string): string {
  const [name = ''] = typed.replace(/^--/, '').split('=')
  const words = name.split('-')
  const withValue = options.find(({ argChoices }) => argChoices?.includes(name) === true)
  if (withValue !== undefined) return ` (Did you mean ${withValue.long} ${name}?)`
  const shorter = options.find(({ long }) => {
    const parts = long?.slice(2).split('-') ?? []
    return parts.length > 1 && parts.every((part) => words.includes(part))
  })
  if (shorter !== undefined) return ` (Did you mean ${shorter.long}?)`
  const key = name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const hasConfig = options.some(({ long }) => long === '--config')
  return hasConfig && configKeys.includes(key) ? `; set the key "${key}" in donecheck.config` : ''
}
