/** What can be typed to have the checks asked without an agent, and about judges. */
import type { Command } from 'commander'
import { collect } from '../../options/flag-values.ts'
import { addCommand, type Act, type OptionRow } from '../../options/option.ts'
import { aRun, outputOption } from '../record/record-options.ts'
import { checkOptions, configOption, judgeOptions, quietOption, storeOptions } from '../../options/table.ts'
import type { Perform } from './ci.ts'

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

export function addCiCommand(program: Command, act: Act, perform: Perform): void {
  const ci = addCommand(program, {
    name: 'ci',
    description:
      'verify or run in a job of CI: annotations, a summary, outputs and files for what comes after',
    arguments: [['<command...>', 'verify or run, with its options']],
    options: [
      ['--report <file>', 'write the checks and the timeline as Markdown'],
      ['--receipt <file>', 'write a receipt of what was checked'],
      ['--junit <file>', 'write a JUnit report'],
    ],
    examples: [
      'donecheck ci --report report.md verify --preset tests --baseline origin/main',
      'donecheck ci --receipt receipt.json run --until "npm test" --agent claude "Fix the failing test."',
    ],
  })
    .enablePositionalOptions()
    .passThroughOptions()
    .action(act(async () => (await import('./ci.ts')).ciCommand.bind(undefined, perform)))
  addCommand(ci, {
    name: 'comment',
    description: 'write a report as a comment of the pull or merge request, or write that comment anew',
    arguments: [['<report>', 'as "donecheck ci --report" wrote it']],
    options: [['--name <name>', 'tells the comments of several jobs apart (default: the job)']],
    examples: ['donecheck ci comment report.md'],
  }).action(act(async () => (await import('./ci.ts')).commentCommand))
}

const verifyOptions: readonly OptionRow[] = [
  [
    '--gate',
    'exit with 0 only for a verified run on this tree, of this store or signed by an allowed signer',
  ],
  ['--tree <revision>', 'compare with a git revision, instead of the work folder'],
  [
    '--require-check <check>',
    'of the gate: NAME=COMMAND or NAME, a check that must have passed; several times',
    collect,
  ],
  ['--allowed-signers <file>', 'whose SSH keys count, as ssh-keygen reads it'],
  ['--signer <identity>', 'principal of that file who must have signed'],
  ...storeOptions,
  ['--json', 'what was compared, as JSON'],
]

export function addReceiptCommand(program: Command, act: Act): void {
  const receipt = addCommand(program, {
    name: 'receipt',
    description: 'print the receipt of a run: what was checked, on which tree, with what result',
    arguments: [aRun],
    options: [...storeOptions, outputOption],
    examples: ['donecheck receipt last --output receipt.json', 'donecheck receipt verify receipt.json'],
  })
    .enablePositionalOptions()
    .action(act(async () => (await import('./receipt.ts')).receiptCommand))
  addCommand(receipt, {
    name: 'sign',
    description: 'put a receipt into an envelope that an SSH key has signed',
    arguments: [['<file>', 'the receipt']],
    options: [['--key <file>', 'a private SSH key, or a public one whose agent runs'], outputOption],
    examples: ['donecheck receipt sign receipt.json --key ~/.ssh/id_ed25519 --output receipt.dsse.json'],
  }).action(act(async () => (await import('./receipt.ts')).signReceiptCommand))
  addCommand(receipt, {
    name: 'verify',
    description: 'compare a receipt with the store and the tree, and check its signature',
    arguments: [['<file>', 'the receipt: a statement or a DSSE envelope']],
    options: verifyOptions,
    examples: [
      'donecheck receipt verify receipt.json',
      'donecheck receipt verify receipt.dsse.json --gate --allowed-signers signers --require-check "tests=npm test"',
    ],
  }).action(act(async () => (await import('./receipt.ts')).verifyReceiptCommand))
}
