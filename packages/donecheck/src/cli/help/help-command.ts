import type { Command } from 'commander'
import { nearest } from '@donecheck/core/base'
import { UsageError } from '@donecheck/engine/base'
import { addCommand } from '../options/option.ts'
import { helpLayout } from './help-layout.ts'

export function addHelpCommand(program: Command): void {
  program.helpCommand(false)
  addCommand(
    program,
    {
      name: 'help',
      description: 'tell what a command does, and which flags it has',
      arguments: [['[command...]', 'none: every command']],
      options: [['--all', 'every command, or every flag by purpose']],
      examples: ['donecheck help --all', 'donecheck help run', 'donecheck help run --all'],
    },
    () => () => Promise.resolve(),
  ).action((words: readonly string[], { all = false }: { readonly all?: boolean }) => {
    const command = words.reduce(commandIn, program)
    if (all) command.configureHelp(helpLayout)
    command.outputHelp()
  })
}

function commandIn(parent: Command, word: string): Command {
  const found = parent.commands.find((command) => command.name() === word)
  if (found !== undefined) return found
  const names = parent.commands.map((command) => command.name())
  const near = nearest(word, names)
  const wayOut = near === undefined ? `there are: ${names.join(', ')}` : `did you mean "${near}"?`
  throw new UsageError(`there is no command "${word}"; ${wayOut}`)
}
