import type { Command } from 'commander'
import { ownIo } from '../main.ts'
import { flagsNamed } from '../options/table.ts'
import { buildProgram, helpColumns, sessionName } from '../program.ts'

interface HelpPage {
  /** What asks for it. */
  readonly words: readonly string[]
  readonly text: string
}

/**
 * The help of every command as it is printed without a terminal. It is made when the package is built: to put it
 * together at each start would take as long as Node itself takes to start.
 */
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
