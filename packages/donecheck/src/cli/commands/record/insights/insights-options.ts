/** What can be typed of questions about many runs. */
import type { Command } from 'commander'
import { collect } from '../../../options/flag-values.ts'
import { addCommand, type Act, type OptionRow } from '../../../options/option.ts'
import { labelOption } from '../record-options.ts'

/** The names are those of the dimensions of the library, which is loaded when it is asked. */
const groupings = ['model', 'agent', 'project', 'week']

const questionOptions: readonly OptionRow[] = [
  ['--since <time>', 'only runs begun since then: a span such as 24h, 7d or 4w, or a day such as 2026-11-01'],
  ['--project <folder>', 'of this project (default: the current folder); several times', collect],
  labelOption,
  ['--store <folder>', 'where runs are kept; with --project, only the runs of those projects in it'],
  ['--json', 'as JSON'],
]

export function addInsightsCommand(program: Command, act: Act): void {
  addCommand(program, {
    name: 'insights',
    description:
      'tell what the runs on record say together: how they end, what they cost, what the checks catch',
    options: [...questionOptions, ['--by <what>', 'what the runs are grouped by (default model)', groupings]],
    examples: [
      'donecheck insights',
      'donecheck insights --since 7d --by week',
      'donecheck insights --project ../shop --project ../till --json',
    ],
  }).action(act(async () => (await import('./insights.ts')).insightsCommand))
}
