import type { Command } from 'commander'
import { ownIo } from '../main.ts'
import { flagsNamed } from '../options/table.ts'
import { buildProgram, helpColumns, sessionName } from '../program.ts'

interface HelpPage {
  readonly words: readonly string[]
  readonly text: string
}

/** Built with the package: generating help on each start would double the start-up time. */
export function helpPages(): readonly HelpPage[] {
  return pagesOf(buildProgram(ownIo(), flagsNamed), [])
}

function pagesOf(command: Command, names: readonly string[]): readonly HelpPage[] {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => helpColumns })
  command.outputHelp()
  return [
    { words: [...names, '--help'], text },
    ...command.commands
      .filter((each) => each.name() !== sessionName)
      .flatMap((each) => pagesOf(each, [...names, each.name()])),
  ]
}
