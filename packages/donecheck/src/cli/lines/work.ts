import { type CommandLine, type OptionRow, collect, aRun, jsonOption } from '../options/option.ts'
import { submitOptions } from './fleet.ts'

export const skillOption: OptionRow = [
  '--skill <path>',
  'a SKILL.md or folder whose conditions become checks (repeatable)',
  collect,
]

const firstRunFlags = [
  ...['--until', '--preset', '--agent', '--model', '--max-turns', '--max-cost-usd', '--max-seconds'],
  ...['--yes', '--workdir', '--dry-run', '--json'],
]

export const workLines: readonly CommandLine[] = [
  {
    name: 'run',
    description: 'run an agent until your checks pass',
    arguments: [['[task...]', 'what is to be done; - reads it from standard input']],
    options: (flags) => [
      ['--goal <file>', 'a Markdown file with parts, checks and budget, instead of a task'],
      skillOption,
      ['--run-id <id>', 'of the run, for a program that must know it beforehand (default: a new one)'],
      ['--dry-run', 'run nothing: show which checks, rules and caps would end the run'],
      ...flags('run'),
      { heading: 'On other machines', rows: submitOptions },
    ],
    first: firstRunFlags,
    examples: [
      'donecheck run --until "npm test" --until "npm run lint" --model anthropic/claude-sonnet-4-5 --yes "Fix the bug in src/cart.ts."',
      'donecheck run --until "grep -q DONE report.txt" --base-url http://127.0.0.1:11434/v1 --model qwen3 "Write the report."',
      'donecheck run --until "make check" --agent "mytool --print" --max-turns 5 - < task.md',
      'donecheck run --skill skills/monthly-report --agent claude "Write the report of May."',
      'donecheck run --dry-run --until "npm test" --max-cost-usd 2',
    ],
    note: 'A check that is green before the first turn ends nothing by staying green.',
    load: async () => (await import('../commands/run/run.ts')).runCommand,
  },
  {
    name: 'verify',
    description: 'run the checks once, without an agent',
    options: (flags) => [
      ...flags('checks'),
      ...flags('judges'),
      ...flags('store'),
      ...flags('config'),
      ['--json', 'the result as JSON'],
      ...flags('quiet'),
      ['--junit <file>', 'write a JUnit report'],
      ['--receipt <file>', 'write a receipt of what was checked'],
      ['-w, --watch', 'check again whenever the tree changes'],
      ['--verdict-cache <off>', 'off: use nothing that earlier runs recorded about the checks', ['off']],
      ['--as-baseline', 'record what the checks say, red or green, to compare with later; prints its id'],
      ['--at <revision>', 'with --as-baseline: of a git revision, instead of the tree as it is now'],
    ],
    first: [
      ...['--until', '--preset', '--check', '--baseline', '--workdir'],
      ...['--watch', '--json', '--junit', '--quiet'],
    ],
    examples: [
      'donecheck verify',
      'donecheck verify --until "npm test" --preset lint --baseline origin/main --junit checks.xml',
      'donecheck verify --until "npm test" --watch',
      'donecheck verify --as-baseline --at HEAD',
    ],
    note: 'Exit codes: 0 verified, 1 failed, 2 wrong usage, 4 unverified, 5 blocked, 70 error, 130 interrupted.',
    load: async () => (await import('../commands/check/verify.ts')).verifyCommand,
  },
  {
    name: 'resume',
    description: 'continue a run that was interrupted, blocked or killed',
    arguments: [aRun],
    options: (flags) => [
      ...flags('resume'),
      ['--repair', 'first put aside what cannot be read of its record; nothing is deleted'],
    ],
    examples: ['donecheck resume last', 'donecheck resume 01M7Z --yes', 'donecheck resume last --repair'],
    load: async () => (await import('../commands/run/resume.ts')).resumeCommand,
  },
  {
    name: 'init',
    description: 'save the checks and the agent found here (optional)',
    options: [
      ['-u, --until <command>', 'must exit with 0 when work is done (repeatable)', collect],
      ['-p, --preset <name>', "of the project's own checks only these (repeatable)", collect],
      ['-a, --agent <agent>', 'who works (default: the first that is found)'],
      ['-m, --model <provider/name>', 'the same, for a model'],
      ['--install <agent>', "hold this agent to the checks by its hooks, in this project's settings"],
      ['--pre-push', 'let git push only what passes, from this clone'],
      ['--ci', 'write .github/workflows/donecheck.yml'],
      ['-y, --yes', 'without asking'],
      ['--dry-run', 'only show what would be written'],
      ['-C, --workdir <folder>', 'the project (default: the current folder)'],
    ],
    examples: ['donecheck init', 'donecheck init --yes', 'donecheck init --pre-push --ci --dry-run'],
    load: async () => (await import('../commands/begin/init.ts')).initCommand,
  },
]

const folderOptions: readonly OptionRow[] = [
  ['--root <folder>', 'whose files are changed (default: the current folder)'],
  jsonOption,
]

const formatOptions: readonly OptionRow[] = [
  ['--format <format>', 'of the patch (default: auto)', ['v4a', 'unified', 'auto']],
]

const patchLine: CommandLine = {
  name: 'patch',
  description: 'check a patch, or apply it as a whole or not at all',
  examples: ['donecheck patch check fix.patch', 'donecheck patch apply - < fix.patch'],
  commands: [
    {
      name: 'check',
      description: 'print what a patch would change as a unified diff; nothing is written',
      arguments: [['[file]', 'the patch; - or nothing reads standard input']],
      options: [...folderOptions, ...formatOptions],
      examples: ['donecheck patch check fix.patch', 'git diff | donecheck patch check --root ../copy'],
      load: async () => (await import('../commands/patch.ts')).patchCommand.bind(undefined, 'check'),
    },
    {
      name: 'apply',
      description: 'apply a patch, all of it or nothing, and print the change as a unified diff',
      arguments: [['[file]', 'the patch; - or nothing reads standard input']],
      options: [
        ...folderOptions,
        ...formatOptions,
        ['--dry-run', 'print what would change as a unified diff; nothing is written'],
        ['--receipt <file>', 'new file for the diff, instead of standard output'],
      ],
      examples: [
        'donecheck patch apply fix.patch --receipt done.diff',
        'donecheck patch apply fix.patch --dry-run',
      ],
      load: async () => (await import('../commands/patch.ts')).patchCommand.bind(undefined, 'apply'),
    },
  ],
}

export const moreWorkLines: readonly CommandLine[] = [
  {
    name: 'heartbeat',
    description: 'let an agent look at a checklist once, with evidence for each item',
    options: (flags) => [
      ['--file <file>', 'the checklist (default: HEARTBEAT.md of the work folder)'],
      ...flags('run'),
    ],
    first: firstRunFlags,
    examples: [
      'donecheck heartbeat --model openai/gpt-5',
      'donecheck heartbeat --file ops/HEARTBEAT.md --agent claude --json',
    ],
    load: async () => (await import('../commands/run/heartbeat.ts')).heartbeatCommand,
  },
  {
    name: 'skill',
    description: 'check skills, or draft one from a verified run',
    examples: ['donecheck skill check skills/monthly-report', 'donecheck skill propose last'],
    commands: [
      {
        name: 'check',
        description: 'tell what is wrong with skills, and which of their conditions are checked',
        arguments: [['<path...>', 'a SKILL.md, or a folder of it or of several']],
        options: (flags) => [
          ['--run', 'run the checks once, in the work folder'],
          ['--judge <provider/model>', 'asked what only a reader can say (repeatable: a panel)', collect],
          ['--json', 'as JSON; with --run the result of the checks in a second line'],
          ...flags('store'),
          ...flags('config'),
        ],
        examples: [
          'donecheck skill check skills/',
          'donecheck skill check skills/monthly-report --run --workdir ../shop',
        ],
        load: async () => (await import('../commands/run/skill.ts')).skillCheckCommand,
      },
      {
        name: 'propose',
        description: 'draft a SKILL.md from the record of a verified run',
        arguments: [aRun],
        options: (flags) => [
          ['-o, --output <file>', 'a file that does not exist yet, instead of standard output'],
          ...flags('store'),
        ],
        examples: [
          'donecheck skill propose last',
          'donecheck skill propose last --output skills/voucher/SKILL.md',
        ],
        load: async () => (await import('../commands/run/skill.ts')).skillProposeCommand,
      },
    ],
  },
  {
    name: 'mcp',
    description: 'serve the Model Context Protocol: the goal, is it done, why not',
    options: (flags) => [
      ...flags('checks'),
      ...flags('judges'),
      ...flags('store'),
      ['--goal <text>', 'what is to be reached, as the client is told it'],
      ...flags('config'),
    ],
    examples: [
      'donecheck mcp --until "npm test" --goal "Make the tests pass."',
      'donecheck mcp --workdir ../other',
    ],
    load: async () => (await import('../commands/check/mcp.ts')).mcpCommand,
  },
  patchLine,
]
