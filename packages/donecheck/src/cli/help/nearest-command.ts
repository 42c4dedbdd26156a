/** What to type instead of a command that does not exist. */
import { CommanderError, type Command } from 'commander'

/** @returns the error with the nearest command in its message, or as it is if it already has a suggestion */
export function suggestCommand(error: CommanderError, program: Command): CommanderError {
  if (error.code !== 'commander.unknownCommand' || error.message.includes('Did you mean')) return error
  const typed = /'(.+)'/.exec(error.message)?.[1] ?? ''
  const command = findNearestCommand(program, typed)
  const hint = command === undefined ? '; see: donecheck help' : ` (Did you mean ${command}?)`
  return new CommanderError(error.exitCode, error.code, `${error.message}${hint}`)
}

/** By its name inside a group, by a part of the name, or by what its help is about. */
function findNearestCommand(program: Command, typed: string): string | undefined {
  const commands = listCommands(program, [])
  const parts = typed.split('-')
  const isNamed = ({ command }: ListedCommand) => parts.includes(command.name())
  const stem = typed.toLowerCase().replace(/s$/, '')
  const isAbout = ({ command }: ListedCommand) =>
    command
      .description()
      .toLowerCase()
      .split(/\W+/)
      .some((word) => word.replace(/s$/, '') === stem)
  return (commands.find(isNamed) ?? commands.find(isAbout))?.path
}

interface ListedCommand {
  /** Such as `judge label`. */
  readonly path: string
  readonly command: Command
}

function listCommands(parent: Command, names: readonly string[]): readonly ListedCommand[] {
  return parent.commands.flatMap((command) => {
    const path = [...names, command.name()]
    return [{ path: path.join(' '), command }, ...listCommands(command, path)]
  })
}
