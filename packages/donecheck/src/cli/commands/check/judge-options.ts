/** What can be typed about judges: how far they agree with people. */
import type { Command } from 'commander'
import type { CalibrateFlags, LabelFlags } from './calibrate.ts'
import type { CliIo } from '../../process/io.ts'
import { collect } from '../../options/flag-values.ts'
import { addCommand } from '../../options/option.ts'
import { aRun, type End } from '../record/record-options.ts'
import { configOption, storeOptions } from '../../options/table.ts'

export interface JudgeCommands {
  calibrate(flags: CalibrateFlags, io: CliIo): Promise<number>
  label(
    runId: string,
    label: string,
    category: string | undefined,
    flags: LabelFlags,
    io: CliIo,
  ): Promise<number>
}

export function addJudgeCommands(program: Command, commands: JudgeCommands, io: CliIo, end: End): void {
  addCommand(program, {
    name: 'calibrate',
    description: 'measure how far a judge agrees with people, and keep it: only a measured judge may decide',
    options: [
      [
        '--judge <provider/model>',
        'who is measured (default: the judge of the configuration); several are a panel',
        collect,
      ],
      ['--rubric <rubric>', 'goal (default), clarity, coherence, coverage, a file, or the text itself'],
      [
        '--labels <file>',
        'cases as JSON Lines; several times (default: those that come along, and labels of your runs)',
        collect,
      ],
      ...storeOptions,
      configOption,
      ['--json', 'as JSON'],
    ],
    examples: [
      'donecheck calibrate --judge openai/gpt-5',
      'donecheck calibrate --judge openai/gpt-5 --rubric clarity --labels clarity.jsonl',
    ],
  }).action(async (flags: CalibrateFlags) => end(await commands.calibrate(flags, io)))
  addCommand(program, {
    name: 'label',
    description: 'say whether a run did what it should, to measure judges with',
    arguments: [
      aRun,
      ['<label>', 'pass or fail'],
      [
        '[category]',
        'of a fail: goal_missed, incomplete, rule_violation, tone_mismatch, refusal, or a word of yours',
      ],
    ],
    options: [...storeOptions, ['--why <text>', 'for whoever reads the label']],
    examples: [
      'donecheck label last pass',
      'donecheck label last fail incomplete --why "no tests for the second bug"',
    ],
  }).action(async (runId: string, label: string, category: string | undefined, flags: LabelFlags) =>
    end(await commands.label(runId, label, category, flags, io)),
  )
}
