/** What can be typed about runs that are kept: questions, changes, records. */
import type { Command } from 'commander'
import { amendmentScopes } from '@donecheck/core/gate'
import { collect, positiveWhole } from '../../options/flag-values.ts'
import { addCommand, type Act, type OptionRow } from '../../options/option.ts'
import { resumeOptions, storeOptions, configOption } from '../../options/table.ts'
import type { MemoryAction } from './memory.ts'

const labelOption: OptionRow = ['--label <name>', 'only runs with this label; several times', collect]

export const aRun = ['<run>', 'its id, or the beginning of it; "last" is the latest'] as const
/** Whoever only looks means the latest. */
const aRunOrLast = ['[run]', aRun[1], 'last'] as const
const jsonOption: OptionRow = ['--json', 'as JSON']
export const outputOption: OptionRow = ['-o, --output <file>', 'instead of standard output']

const listOptions: readonly OptionRow[] = [
  ...storeOptions,
  labelOption,
  ['--outcome <outcome>', 'only runs that ended so, such as verified or exhausted'],
  ['--all', 'verifications and baselines too'],
  ['--limit <count>', 'how many at most (default 20; with --json all)', positiveWhole],
  jsonOption,
]

const trajectoryOptions: readonly OptionRow[] = [
  ['--all', 'every run of the store, instead of one'],
  [
    '--format <form>',
    'of what is written (default donecheck: the record)',
    ['donecheck', 'sharegpt', 'openai', 'atif'],
  ],
  ['--only <which>', 'runs that ended so; of imported runs none is verified', ['verified', 'failed', 'all']],
  [
    '--redact <pattern>',
    'a regular expression, of trajectories: what it matches is masked; repeatable',
    collect,
  ],
]

const answerOptions: readonly OptionRow[] = [
  ['--by <name>', 'who decides; your user name where nothing is said'],
  ['--reason <text>', 'why, for the record and, of a no, for the agent'],
  ['--scope <how long>', 'of a question: this once (default), this session, or by a rule', amendmentScopes],
]

/** What waits for a person, and what people say. */
export function addAnswerCommands(program: Command, act: Act): void {
  addCommand(program, {
    name: 'approvals',
    description: 'list the questions that wait for a person, and how to answer them',
    options: [...storeOptions, jsonOption],
    examples: ['donecheck approvals', 'donecheck approvals --json'],
  }).action(act(async () => (await import('../check/approvals.ts')).approvalsCommand))
  addCommand(program, {
    name: 'approve',
    description:
      'say yes to a question that waits; of a run: allow changes of the checks by name, and go on with it',
    arguments: [
      ['<question or run>', `of a question: its id, from donecheck approvals; of a run: ${aRun[1]}`],
      ['[path...]', 'of a run: these alone, as paths or globs; without one all that waits'],
    ],
    options: [...resumeOptions, ...answerOptions],
    examples: [
      'donecheck approve q-4be1 --scope session',
      'donecheck approve last',
      'donecheck approve last test/cart.test.js --reason "prices include tax now"',
    ],
  }).action(act(async () => (await import('../check/approve.ts')).approveCommand))
  addCommand(program, {
    name: 'deny',
    description: 'say no to a question that waits; the agent is told why',
    arguments: [['<question>', 'its id, from donecheck approvals, or the beginning of it']],
    options: [...storeOptions, ...answerOptions],
    examples: ['donecheck deny q-4be1 --reason "leave the lock file alone"'],
  }).action(act(async () => (await import('../check/approvals.ts')).denyCommand))
}

export function addRecordCommands(program: Command, act: Act): void {
  addCommand(program, {
    name: 'list',
    description: 'list the runs of this project, latest first',
    options: listOptions,
    examples: [
      'donecheck list',
      'donecheck list --json --workdir ../other',
      'donecheck list --outcome exhausted --label memory=on --limit 5',
    ],
  }).action(act(async () => (await import('./show.ts')).listCommand))
  addTellingCommands(program, act)
  addCommand(program, {
    name: 'report',
    description: 'write a run as one HTML file that needs nothing else, such as for the artifacts of CI',
    arguments: [aRunOrLast],
    options: [...storeOptions, ['--html <file>', 'file to write (default: donecheck-RUN.html)']],
    examples: ['donecheck report last', 'donecheck report last --html run.html'],
  }).action(act(async () => (await import('./show.ts')).reportCommand))
  addCommand(program, {
    name: 'export',
    description: 'write runs as JSON Lines: the record as it is, or trajectories labelled by verdict',
    arguments: [['[run]', aRun[1]]],
    options: [...storeOptions, outputOption, ...trajectoryOptions],
    examples: [
      'donecheck export last --output run.jsonl',
      'donecheck export --all --format sharegpt --only verified --output data/runs.jsonl',
    ],
  }).action(act(async () => (await import('./export.ts')).exportCommand))
  addCommand(program, {
    name: 'import',
    description: 'read runs that were exported, or trajectories of others; - reads standard input',
    arguments: [['<file>']],
    options: storeOptions,
    examples: ['donecheck import run.jsonl', 'donecheck import trajectories.jsonl.gz'],
  }).action(act(async () => (await import('./import.ts')).importCommand))
  addCommand(program, {
    name: 'repair',
    description: 'put aside what cannot be read of a run, so that the rest can be resumed',
    arguments: [aRun],
    options: storeOptions,
    examples: ['donecheck repair 01M7Z'],
  }).action(act(async () => (await import('./repair.ts')).repairCommand))
}

/** What has become of one run, and what is becoming of it. */
function addTellingCommands(program: Command, act: Act): void {
  addCommand(program, {
    name: 'explain',
    description: 'explain why a run stopped, or what a reason means',
    arguments: [['[run]', 'a run, "last", or a reason such as loop_detected; none lists all reasons']],
    options: [...storeOptions, jsonOption],
    examples: ['donecheck explain last', 'donecheck explain 01M7Z --json', 'donecheck explain loop_detected'],
  }).action(act(async () => (await import('./explain.ts')).explainCommand))
  addCommand(program, {
    name: 'show',
    description: 'show a run as a timeline, or its events as JSON Lines',
    arguments: [aRunOrLast],
    options: [
      ...storeOptions,
      ['--trace', 'only hooks and decisions of the gate: on which call, in what order, to what effect'],
      ['--json', 'its events as JSON Lines, one event a line'],
    ],
    examples: [
      'donecheck show',
      'donecheck show last --trace',
      'donecheck show last --json | grep verdict-given',
    ],
  }).action(act(async () => (await import('./show.ts')).showCommand))
  addCommand(program, {
    name: 'changes',
    description: 'list the files a run changed on the product side and the check side',
    arguments: [aRunOrLast],
    options: [...storeOptions, jsonOption],
    examples: ['donecheck changes', 'donecheck changes last --json'],
  }).action(act(async () => (await import('./changes.ts')).changesCommand))
  addCommand(program, {
    name: 'watch',
    description: 'follow a run that goes on elsewhere, until it ends; Ctrl-C leaves the run alone',
    arguments: [['[run]', 'without one the run that is going on']],
    options: storeOptions,
    examples: ['donecheck watch', 'donecheck watch 01M7Z --workdir ../other'],
  }).action(act(async () => (await import('./show.ts')).watchCommand))
}

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
