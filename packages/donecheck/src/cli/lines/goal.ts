import type { GoalAction, GoalFlags } from '../commands/run/goal.ts'
import type { CliIo } from '../process/io.ts'
import {
  type CommandLine,
  type OptionRow,
  collect,
  positive,
  positiveWhole,
  aRun,
  jsonOption,
} from '../options/option.ts'

interface ActionRow {
  readonly action: GoalAction
  readonly description: string
  readonly words?: readonly [argument: string, help: string]
  readonly options?: readonly OptionRow[]
  readonly example: string
}

const rows: readonly ActionRow[] = [
  {
    action: 'set',
    description: 'put another goal in the place of this one; the checks stay',
    words: ['<text...>', 'what is wanted from now on'],
    example: 'donecheck goal set last "Make the search fast, not the upload."',
  },
  {
    action: 'add',
    description: 'add a part, with its checks, or a check of the whole',
    words: ['[title...]', 'the part; without one --until adds a check of the whole goal'],
    options: [
      ['--until <command>', 'closes the part once it exits with 0 (repeatable)', collect],
      ['--id <id>', 'what the part is called (default: part-N)'],
      ['--under <id>', 'the part that it belongs to'],
      ['--after <id>', 'a part that comes first (repeatable)', collect],
      ['--at-most <budget>', 'what it may use, such as "8 turns, 50000 tokens"'],
    ],
    example: 'donecheck goal add last "Also add tests" --until "npm test -- voucher"',
  },
  {
    action: 'edit',
    description: 'say the goal, or one of its parts, in other words, or give a part another budget',
    words: ['[text...]', 'the new words'],
    options: [
      ['--id <id>', 'the part that is meant (default: the goal)'],
      ['--at-most <budget>', 'what the part may use from its beginning, such as "8 turns, 50000 tokens"'],
    ],
    example: 'donecheck goal edit last --id docs "Write the guide in German"',
  },
  {
    action: 'pause',
    description: 'end the run before its next turn, so that it can be resumed',
    options: [['--reason <text>', 'why, for whoever resumes it']],
    example: 'donecheck goal pause last --reason "the database is being moved"',
  },
  {
    action: 'resume',
    description: 'wake a goal that waits, is blocked or paused',
    example: 'donecheck goal resume last',
  },
  {
    action: 'clear',
    description: 'want nothing more: the run ends, and goes on only with another goal',
    example: 'donecheck goal clear last',
  },
  {
    action: 'wait',
    description: 'begin no turn until a process or a run is over, or a time is up',
    options: [
      ['--process <id>', 'a process of this machine', positiveWhole],
      ['--run <run>', 'another run of this store'],
      ['--seconds <number>', 'at most so long (default: 1800)', positive],
      ['--reason <text>', 'what the agent is told of it'],
    ],
    example: 'donecheck goal wait last --process 4711 --seconds 600',
  },
]

const goalIdOption: OptionRow = ['--goal-id <id>', 'change nothing if the run has another goal by now']

const load = () => import('../commands/run/goal.ts')

export const goalLine: CommandLine = {
  name: 'goal',
  description: 'see and change the goal of a run while it works',
  examples: ['donecheck goal show last', ...rows.map(({ example }) => example)],
  commands: [
    {
      name: 'show',
      description: 'what is wanted, how its parts stand, what it has used',
      arguments: [aRun],
      options: (flags) => [...flags('store'), jsonOption],
      examples: ['donecheck goal show last'],
      load: async () => (await load()).goalShowCommand,
    },
    ...rows.map(({ action, description, words, options = [], example }): CommandLine => ({
      name: action,
      description,
      arguments: words === undefined ? [aRun] : [aRun, words],
      options: (flags) => [...options, goalIdOption, ...flags('store')],
      examples: [example],
      async load() {
        const { goalChangeCommand: change } = await load()
        if (words !== undefined) return change.bind(undefined, action)
        return (run: string, typed: GoalFlags, io: CliIo) => change(action, run, [], typed, io)
      },
    })),
  ],
}
