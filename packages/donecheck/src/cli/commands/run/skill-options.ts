/** What can be typed after `donecheck skill`, and `--skill` of a run. */
import type { Command } from 'commander'
import { collect } from '../../options/flag-values.ts'
import { addCommand, type Act, type OptionRow } from '../../options/option.ts'
import { aRun } from '../record/record-options.ts'
import { configOption, storeOptions } from '../../options/table.ts'

export const skillOption: OptionRow = [
  '--skill <path>',
  'a SKILL.md, or a folder of it or of several: the agent is told it, and its conditions become checks; several times',
  collect,
]

export function addSkillCommand(program: Command, act: Act): void {
  const skill = addCommand(program, {
    name: 'skill',
    description: 'look at skills with conditions of completion, or draft one from a verified run',
    examples: ['donecheck skill check skills/monthly-report', 'donecheck skill propose last'],
  })
  addCommand(skill, {
    name: 'check',
    description: 'tell what is wrong with skills, and which of their conditions are checked',
    arguments: [['<path...>', 'a SKILL.md, or a folder of it or of several']],
    options: [
      ['--run', 'run the checks once, in the work folder'],
      [
        '--judge <provider/model>',
        'a model that is asked what only a reader can say; several are a panel',
        collect,
      ],
      ['--json', 'as JSON; with --run the result of the checks in a second line'],
      ...storeOptions,
      configOption,
    ],
    examples: [
      'donecheck skill check skills/',
      'donecheck skill check skills/monthly-report --run --workdir ../shop',
    ],
  }).action(act(async () => (await import('./skill.ts')).skillCheckCommand))
  addCommand(skill, {
    name: 'propose',
    description:
      'draft a SKILL.md from the record of a verified run: its task, its checks, what failed first',
    arguments: [aRun],
    options: [
      ['-o, --output <file>', 'a file that does not exist yet, instead of standard output'],
      ...storeOptions,
    ],
    examples: [
      'donecheck skill propose last',
      'donecheck skill propose last --output skills/voucher/SKILL.md',
    ],
  }).action(act(async () => (await import('./skill.ts')).skillProposeCommand))
}
