/** What can be typed to replay recorded runs against other stop policies. */
import { InvalidArgumentError, type Command } from 'commander'
import { collect } from '../../../options/flag-values.ts'
import { addCommand, type Act, type OptionRow } from '../../../options/option.ts'
import { configOption, storeOptions } from '../../../options/table.ts'

const files = [
  '[files...]',
  'recorded runs, as .jsonl or .jsonl.gz, or folders of them; none: the runs of this project',
] as const

const recordingOptions: readonly OptionRow[] = [
  ['--runs', 'the runs of this project beside the files'],
  ['--without-label <label>', 'leaves out runs with this label; several times', collect],
]

export function addBacktestCommands(program: Command, act: Act): void {
  addCommand(program, {
    name: 'backtest',
    description: 'replay recorded runs against other stop policies: what would be saved, and what lost',
    arguments: [files],
    options: [
      [
        '--policy <name=settings>',
        'caps, loopDetection, stagnation, tokenBudget over those of the project: JSON, a file of it, or key=value,…; several times',
        collect,
      ],
      ...recordingOptions,
      ['--half <half>', 'runs of one half, by a hash of their id (default all)', ['tune', 'report', 'all']],
      ['--sets', 'each file by itself as well'],
      ['--plot <file>', 'a new SVG file: runs lost against calls saved'],
      ...storeOptions,
      configOption,
      ['--json', 'as JSON, with every run lost'],
    ],
    examples: [
      'donecheck backtest --policy short=maxTurns=20',
      'donecheck backtest runs.jsonl.gz --policy strict=loopDetection.vetoesUntilEnd=0 --plot stops.svg',
      `donecheck backtest trajectories/ --policy 'patient={"stagnation":{"patienceVerifications":12}}' --json`,
    ],
  }).action(act(async () => (await import('./backtest.ts')).backtestCommand))
  addCommand(program, {
    name: 'tune',
    description:
      'search settings on one half of the runs, report on the other; the configuration stays as it is',
    arguments: [files],
    options: [
      [
        '--max-false-stops <share>',
        'of the runs that reached their goal, such as 0.1% (default) or 0.001',
        shareOrPercent,
      ],
      ...recordingOptions,
      ['--write <file>', 'a new JSON file with the settings'],
      ...storeOptions,
      configOption,
      ['--json', 'as JSON'],
    ],
    examples: [
      'donecheck tune --max-false-stops 0.1%',
      'donecheck tune trajectories/ --max-false-stops 1% --write stops.json',
    ],
  }).action(act(async () => (await import('./tune.ts')).tuneCommand))
}

function shareOrPercent(text: string): number {
  const [, digits, sign] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim()) ?? []
  const value = Number(digits) / (sign === '%' ? 100 : 1)
  if (value >= 0 && value <= 1) return value
  throw new InvalidArgumentError(`"${text}" is no share, such as 0.1% or 0.001.`)
}
