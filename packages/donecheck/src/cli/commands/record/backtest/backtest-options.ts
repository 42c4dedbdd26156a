/** What can be typed to replay recorded runs against other stop policies. */
import type { Command } from 'commander'
import { collect } from '../../../options/flag-values.ts'
import { addCommand, type Act } from '../../../options/option.ts'
import { configOption, storeOptions } from '../../../options/table.ts'

export function addBacktestCommands(program: Command, act: Act): void {
  addCommand(program, {
    name: 'backtest',
    description: 'replay recorded runs against other stop policies: what would be saved, and what lost',
    arguments: [
      [
        '[files...]',
        'recorded runs, as .jsonl or .jsonl.gz, or folders of them; none: the runs of this project',
      ],
    ],
    options: [
      [
        '--policy <name=settings>',
        'caps, loopDetection, stagnation, tokenBudget over those of the project: JSON, a file of it, or key=value,…; several times',
        collect,
      ],
      ['--runs', 'the runs of this project beside the files'],
      ['--without-label <label>', 'leaves out runs with this label; several times', collect],
      ['--sets', 'each file by itself as well'],
      ...storeOptions,
      configOption,
      ['--json', 'as JSON, with every run lost'],
    ],
    examples: [
      'donecheck backtest --policy short=maxTurns=20',
      'donecheck backtest runs.jsonl.gz --policy strict=loopDetection.vetoesUntilEnd=0',
      `donecheck backtest trajectories/ --policy 'patient={"stagnation":{"patienceVerifications":12}}' --json`,
    ],
  }).action(act(async () => (await import('./backtest.ts')).backtestCommand))
}
