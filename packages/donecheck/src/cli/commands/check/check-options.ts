/** What can be typed to have the checks asked without an agent, and about judges. */
import type { Command } from 'commander'
import { collect } from '../../options/flag-values.ts'
import { addCommand, type Act, type OptionRow } from '../../options/option.ts'
import { aRun } from '../record/record-options.ts'
import { checkOptions, configOption, judgeOptions, quietOption, storeOptions } from '../../options/table.ts'

const resultOption: OptionRow = ['--json', 'the result as JSON']

const firstVerifyFlags: readonly string[] = [
  ...['--until', '--preset', '--check', '--baseline', '--workdir'],
  ...['--watch', '--json', '--junit', '--github', '--quiet'],
]

export function addCheckCommands(program: Command, act: Act): void {
  addCommand(program, {
    name: 'verify',
    description: 'run the checks once, without any agent',
    options: [
      ...checkOptions,
      ...judgeOptions,
      ...storeOptions,
      configOption,
      resultOption,
      quietOption,
      ['--junit <file>', 'write a JUnit report'],
      ['--github', 'write annotations, and a step summary, for GitHub Actions'],
      ['--receipt <file>', 'write a receipt of what was checked'],
      ['-w, --watch', 'check again whenever the tree changes'],
      ['--verdict-cache <off>', 'off: use nothing that earlier runs recorded about the checks', ['off']],
    ],
    first: firstVerifyFlags,
    examples: verifyExamples,
  }).action(act(async () => (await import('./verify.ts')).verifyCommand))
  addCommand(program, {
    name: 'mcp',
    description:
      'a server of the Model Context Protocol on standard input and output: what is the goal, is it done, why not',
    options: [
      ...checkOptions,
      ...judgeOptions,
      ...storeOptions,
      ['--goal <text>', 'what is to be reached, as the client is told it'],
      configOption,
    ],
    examples: [
      'donecheck mcp --until "npm test" --goal "Make the tests pass."',
      'donecheck mcp --workdir ../other',
    ],
  }).action(act(async () => (await import('./mcp.ts')).mcpCommand))
  addCommand(program, {
    name: 'baseline',
    description: 'record what the checks say now (or said at a revision), to compare with later',
    options: [
      ...checkOptions,
      ...storeOptions,
      configOption,
      ['--at <revision>', 'of a git revision, instead of the tree as it is now'],
      resultOption,
    ],
    examples: ['donecheck baseline --until "npm test"', 'donecheck baseline --at HEAD'],
  }).action(act(async () => (await import('./baseline.ts')).baselineCommand))
}

/** How far judges agree with people. */
export function addJudgeCommands(program: Command, act: Act): void {
  const judge = addCommand(program, {
    name: 'judge',
    description: 'measure a judge, and label the runs it is measured with',
    examples: ['donecheck judge calibrate --judge openai/gpt-5', 'donecheck judge label last pass'],
  })
  addCommand(judge, {
    name: 'calibrate',
    description: 'measure how far a judge agrees with people; only a measured one may decide',
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
      'donecheck judge calibrate --judge openai/gpt-5',
      'donecheck judge calibrate --judge openai/gpt-5 --rubric clarity --labels clarity.jsonl',
    ],
  }).action(act(async () => (await import('./calibrate.ts')).calibrateCommand))
  addCommand(judge, {
    name: 'label',
    description: 'label a run as pass or fail, to measure judges with',
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
      'donecheck judge label last pass',
      'donecheck judge label last fail incomplete --why "no tests for the second bug"',
    ],
  }).action(act(async () => (await import('./calibrate.ts')).labelCommand))
}

const verifyExamples = `
Examples:
  $ donecheck verify
  $ donecheck verify --until "npm test" --preset lint --baseline origin/main --junit checks.xml
  $ donecheck verify --until "npm test" --watch

Exit codes: 0 verified, 1 failed, 2 wrong usage, 4 unverified, 5 blocked, 70 error, 130 interrupted.`
