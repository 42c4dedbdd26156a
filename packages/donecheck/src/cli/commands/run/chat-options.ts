import type { Command } from 'commander'
import type { ChatFlags } from './chat.ts'
import type { CliIo } from '../../process/io.ts'
import { addCommand } from '../../options/option.ts'
import type { End } from '../record/record-options.ts'
import { firstFlags, runGroups } from '../../options/table.ts'

export interface ChatCommands {
  chat(flags: ChatFlags, io: CliIo): Promise<number>
}

export function addChatCommand(program: Command, commands: ChatCommands, io: CliIo, end: End): void {
  addCommand(program, {
    name: 'chat',
    description: 'talk: a session at this terminal, which donecheck without a word opens as well',
    options: [['--plain', 'lines alone, for a screen reader: nothing is drawn twice'], ...runGroups],
    first: firstFlags,
    examples: ['donecheck chat --until "npm test" --agent claude', 'donecheck chat --plain'],
  }).action(async (flags: ChatFlags) => end(await commands.chat(flags, io)))
}
