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

export function addInsightsCommands(program: Command, act: Act): void {
  addCommand(program, {
    name: 'insights',
    description:
      'tell what the runs on record say together: how they end, what they cost, what the checks catch',
    options: [
      ...questionOptions,
      ['--by <what>', 'what the runs are grouped by (default model)', groupings],
      ['--html <file>', 'write a page with plots, which needs nothing else'],
    ],
    examples: [
      'donecheck insights',
      'donecheck insights --since 7d --by week',
      'donecheck insights --project ../shop --project ../till --json',
      'donecheck insights --since 2026-11-01 --html insights.html',
    ],
  }).action(act(async () => (await import('./insights.ts')).insightsCommand))
  addCommand(program, {
    name: 'compare',
    description: 'tell whether two sets of the runs on record differ, how surely, and what would decide it',
    arguments: [
      ['<a>', 'a label, an agent, a model, a policy, or days such as 2026-11-01..2026-11-14'],
      ['<b>', 'the other; label:NAME, agent:NAME, model:NAME, policy:NAME where a name is several things'],
    ],
    options: questionOptions,
    examples: [
      'donecheck compare memory=on memory=off',
      'donecheck compare 2026-11-01..2026-11-14 2026-11-15..2026-11-28',
      'donecheck compare model:openai/gpt-5 model:anthropic/claude-sonnet-4-5 --since 4w --json',
    ],
  }).action(act(async () => (await import('./compare.ts')).compareCommand))
}
