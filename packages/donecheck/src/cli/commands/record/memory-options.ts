/** What can be typed after `donecheck memory`. */
import type { Command } from 'commander'
import type { MemoryAction } from './memory.ts'
import { addCommand, type Act, type OptionRow } from '../../options/option.ts'
import { storeOptions } from '../../options/table.ts'

interface ActionRow {
  readonly action: MemoryAction
  readonly description: string
  readonly argument?: string
  readonly options?: readonly OptionRow[]
  readonly examples: readonly string[]
}

const rows: readonly ActionRow[] = [
  {
    action: 'list',
    description: 'what is remembered, the latest first',
    options: [['--json', 'as JSON']],
    examples: ['donecheck memory list', 'donecheck memory list --json'],
  },
  {
    action: 'show',
    description: 'all that is known of a fact: where it comes from, how often it was told and helped',
    argument: '<id...>',
    examples: ['donecheck memory show m12'],
  },
  {
    action: 'forget',
    description: 'take facts out of the memory, and off the disk',
    argument: '<id...>',
    examples: ['donecheck memory forget m12 m13'],
  },
  {
    action: 'pin',
    description: 'keep facts whatever their age',
    argument: '<id...>',
    options: [['--off', 'let them age again']],
    examples: ['donecheck memory pin m12', 'donecheck memory pin m12 --off'],
  },
  {
    action: 'export',
    description: 'write the memory as JSON Lines',
    examples: ['donecheck memory export > memory.jsonl'],
  },
]

const memoryOption: OptionRow = [
  '--memory <which>',
  'of this project (default), or the one of the user',
  ['project', 'user'],
]

export function addMemoryCommand(program: Command, act: Act): void {
  const memory = addCommand(program, {
    name: 'memory',
    description: 'see and change what earlier runs left behind for later ones',
    examples: rows.flatMap(({ examples }) => examples.slice(0, 1)),
  })
  for (const { action, description, argument, options = [], examples } of rows) {
    addCommand(memory, {
      name: action,
      description,
      arguments: argument === undefined ? [] : [[argument, 'as "memory list" names it']],
      options: [...options, memoryOption, ...storeOptions],
      examples,
    }).action(
      act(async () => {
        const { memoryCommand } = await import('./memory.ts')
        return argument === undefined
          ? memoryCommand.bind(undefined, action, [])
          : memoryCommand.bind(undefined, action)
      }),
    )
  }
}
