import type { MemoryAction } from '../commands/record/memory.ts'
import {
  type CommandLine,
  type OptionRow,
  collect,
  positiveWhole,
  aRun,
  aRunOrLast,
  jsonOption,
  outputOption,
} from '../options/option.ts'
import { serviceFleetOptions } from './fleet.ts'

const tagOption: OptionRow = ['--tag <name>', 'only runs with this tag (repeatable)', collect]

export const lookLines: readonly CommandLine[] = [
  {
    name: 'list',
    description: 'list the runs of this project, latest first',
    options: (flags) => [
      ...flags('store'),
      tagOption,
      ['--outcome <outcome>', 'only runs that ended so, such as verified or exhausted'],
      ['--all', 'verifications and baselines too'],
      ['--limit <count>', 'how many (default: 20; with --json all)', positiveWhole],
      ['--sessions', 'instead of runs the sessions of agents with hooks: checked, blocked, verified or not'],
      jsonOption,
    ],
    examples: [
      'donecheck list',
      'donecheck list --json --workdir ../other',
      'donecheck list --outcome exhausted --tag memory=on --limit 5',
      'donecheck list --sessions',
    ],
    load: async () => (await import('../commands/record/show.ts')).listCommand,
  },
  {
    name: 'show',
    description: 'show the timeline of a run, its changes or its events',
    arguments: [aRunOrLast],
    options: (flags) => [
      ...flags('store'),
      ['--trace', 'only hooks and decisions of the gate: on which call, in what order, to what effect'],
      ['--changes', 'the files it changed, on the source files and the check files'],
      ['--html <file>', 'write it as one HTML file that needs nothing else, such as for the artifacts of CI'],
      ['--json', 'its events as JSON Lines, one event a line; with --changes the files as JSON'],
    ],
    examples: [
      'donecheck show',
      'donecheck show last --trace',
      'donecheck show last --changes',
      'donecheck show last --html run.html',
      'donecheck show last --json | grep verdict-given',
    ],
    load: async () => (await import('../commands/record/show.ts')).showCommand,
  },
  {
    name: 'explain',
    description: 'explain why a run stopped, or what a reason means',
    arguments: [['[run]', 'a run, "last", or a reason such as loop_detected; none lists all reasons']],
    options: (flags) => [...flags('store'), jsonOption],
    examples: ['donecheck explain last', 'donecheck explain 01M7Z --json', 'donecheck explain loop_detected'],
    load: async () => (await import('../commands/record/show.ts')).explainCommand,
  },
  {
    name: 'watch',
    description: 'follow a run in another terminal until it ends',
    arguments: [['[run]', 'without one the run that is going on']],
    options: (flags) => flags('store'),
    examples: ['donecheck watch', 'donecheck watch 01M7Z --workdir ../other'],
    note: 'Ctrl-C leaves the run alone.',
    load: async () => (await import('../commands/record/show.ts')).watchCommand,
  },
  {
    name: 'serve',
    description: 'serve or view runs, approvals and the page over HTTP',
    arguments: [['[run]', 'with --read-only: a run or an exported file; none shows all runs']],
    options: (flags) => [
      ...flags('store'),
      ['--read-only', 'on a free port of this machine, only to look: nothing can be started or decided'],
      ['--open', 'with --read-only: open the browser, if this is a terminal'],
      ['--listen <host:port>', 'where (default: 127.0.0.1:4747); beyond this machine only with --token-file'],
      ['--token-file <file>', 'who may ask: names, tokens and roles, as JSON that only you can read'],
      ['--public-url <url>', 'under which browsers reach it through a proxy (repeatable)', collect],
      ['--webhook <url>', 'tell this address what ends and what is asked, signed (repeatable)', collect],
      ['--webhook-secret-file <file>', 'what it is signed with: base64 that only you can read'],
      ...serviceFleetOptions,
      ['--json', 'the address and the token as one line of JSON, for a program that starts it'],
    ],
    examples: [
      'donecheck serve',
      'donecheck serve --read-only last --open',
      'donecheck serve --read-only run.jsonl',
      'donecheck serve --webhook https://example.org/hooks/donecheck --webhook-secret-file ~/webhook-secret',
      'donecheck serve --fleet http://restate:8080 --store postgres://donecheck@database/donecheck',
      'donecheck serve --listen 0.0.0.0:4747 --token-file ~/.config/donecheck/tokens.json --public-url https://donecheck.example.org',
    ],
    note: 'Ctrl-C leaves runs alone.',
    load: async () => (await import('../commands/service/serve.ts')).serveCommand,
  },
]

interface MemoryRow {
  readonly name: MemoryAction
  readonly description: string
  readonly hasIds?: boolean
  readonly options?: readonly OptionRow[]
}

const memoryRows: readonly MemoryRow[] = [
  { name: 'list', description: 'what is remembered, the latest first', options: [jsonOption] },
  {
    name: 'show',
    description: 'all that is known of a fact: where it comes from, how often it was told and helped',
    hasIds: true,
  },
  { name: 'forget', description: 'take facts out of the memory, and off the disk', hasIds: true },
  { name: 'pin', description: 'keep facts whatever their age', hasIds: true },
  { name: 'unpin', description: 'let facts age again', hasIds: true },
  { name: 'export', description: 'write the memory as JSON Lines' },
]

const memoryOption: OptionRow = [
  '--memory <which>',
  'of this project (default), or of the user',
  ['project', 'user'],
]

const memoryLine: CommandLine = {
  name: 'memory',
  description: 'see and change what earlier runs left behind for later ones',
  examples: ['donecheck memory list', 'donecheck memory forget m12'],
  commands: memoryRows.map(({ name, description, hasIds = false, options = [] }): CommandLine => ({
    name,
    description,
    arguments: hasIds ? [['<id...>', 'as "memory list" names it']] : [],
    options: (flags) => [...options, memoryOption, ...flags('store')],
    examples: [`donecheck memory ${name}${hasIds ? ' m12' : ''}`],
    async load() {
      const { memoryCommand } = await import('../commands/record/memory.ts')
      return hasIds ? memoryCommand.bind(undefined, name) : memoryCommand.bind(undefined, name, [])
    },
  })),
}

/** Literals, so that the library loads only when it is used. */
const groupings = ['model', 'agent', 'project', 'week']

export const moreLookLines: readonly CommandLine[] = [
  {
    name: 'export',
    description: 'write runs as JSON Lines: records, or trajectories labelled by verdict',
    arguments: [['[run]', aRun[1]]],
    options: (flags) => [
      ...flags('store'),
      outputOption,
      ['--all', 'every run of the store, instead of one'],
      [
        '--format <form>',
        'form of the output (default: donecheck)',
        ['donecheck', 'sharegpt', 'openai', 'atif'],
      ],
      ['--only <which>', 'runs that ended so; no imported run is verified', ['verified', 'failed', 'all']],
      ['--redact <pattern>', 'pattern to mask in trajectories (repeatable)', collect],
    ],
    examples: [
      'donecheck export last --output run.jsonl',
      'donecheck export --all --format sharegpt --only verified --output data/runs.jsonl',
    ],
    load: async () => (await import('../commands/record/export.ts')).exportCommand,
  },
  {
    name: 'import',
    description: 'read runs that were exported, or trajectories of others',
    arguments: [['<file>', 'JSON Lines, also gzipped; - reads standard input']],
    options: (flags) => flags('store'),
    examples: ['donecheck import run.jsonl', 'donecheck import trajectories.jsonl.gz'],
    load: async () => (await import('../commands/record/import.ts')).importCommand,
  },
  {
    name: 'stats',
    description: 'tell what many runs say together',
    examples: ['donecheck stats insights', 'donecheck stats backtest --variant short=maxTurns=20'],
    commands: [
      {
        name: 'insights',
        description: 'tell how runs end, what they cost and what the checks catch',
        options: [
          ['--since <time>', 'only runs since then: 24h, 7d, 4w, or a day such as 2026-11-01'],
          ['--project <folder>', 'of this project (default: the current folder) (repeatable)', collect],
          tagOption,
          ['--store <folder>', 'where runs are kept; with --project, only the runs of those projects in it'],
          jsonOption,
          ['--by <what>', 'what the runs are grouped by (default: model)', groupings],
        ],
        examples: [
          'donecheck stats insights',
          'donecheck stats insights --since 7d --by week',
          'donecheck stats insights --project ../shop --project ../till --json',
        ],
        load: async () => (await import('../commands/record/insights.ts')).insightsCommand,
      },
      {
        name: 'backtest',
        description: 'replay runs against other stop policies: what would be saved, and lost',
        arguments: [['[files...]', '.jsonl or .jsonl.gz, or folders of them; none: this project']],
        options: (flags) => [
          ['--variant <name=settings>', 'caps or rules: JSON, a file, or key=value,… (repeatable)', collect],
          ['--runs', 'the runs of this project beside the files'],
          ['--without-label <label>', 'leaves out runs with this label (repeatable)', collect],
          ['--sets', 'each file by itself as well'],
          ...flags('store'),
          ...flags('config'),
          ['--json', 'as JSON, with every run lost'],
        ],
        examples: [
          'donecheck stats backtest --variant short=maxTurns=20',
          'donecheck stats backtest runs.jsonl.gz --variant strict=loopDetection.vetoesUntilEnd=0',
          `donecheck stats backtest trajectories/ --variant 'patient={"stagnation":{"patienceVerifications":12}}' --json`,
        ],
        load: async () => (await import('../commands/record/backtest.ts')).backtestCommand,
      },
    ],
  },
  memoryLine,
]
