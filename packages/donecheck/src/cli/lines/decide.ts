import { amendmentScopes } from '@donecheck/core/internal/events/gate'
import { approvalPolicies } from '@donecheck/engine/internal/ports/gate'
import {
  type CommandLine,
  type OptionRow,
  collect,
  aRun,
  jsonOption,
  outputOption,
} from '../options/option.ts'

const answerOptions: readonly OptionRow[] = [
  ['--by <name>', 'who decides (default: your user name)'],
  ['--reason <text>', 'why, for the record and, of a no, for the agent'],
  ['--scope <how long>', 'of a question: this once (default), this session, or by a rule', amendmentScopes],
]

const judgeLine: CommandLine = {
  name: 'judge',
  description: 'measure a judge, and label the runs it is measured with',
  examples: ['donecheck judge calibrate --judge openai/gpt-5', 'donecheck judge label last pass'],
  commands: [
    {
      name: 'calibrate',
      description: 'measure how far a judge agrees with people; only a measured one may decide',
      options: (flags) => [
        ['--judge <provider/model>', 'whom to measure (default: as configured) (repeatable)', collect],
        ['--rubric <rubric>', 'goal (default), clarity, coherence, coverage, a file, or the text itself'],
        ['--labels <file>', 'cases as JSON Lines (default: built-in and own ones; repeatable)', collect],
        ...flags('store'),
        ...flags('config'),
        jsonOption,
      ],
      examples: [
        'donecheck judge calibrate --judge openai/gpt-5',
        'donecheck judge calibrate --judge openai/gpt-5 --rubric clarity --labels clarity.jsonl',
      ],
      load: async () => (await import('../commands/check/calibrate.ts')).calibrateCommand,
    },
    {
      name: 'label',
      description: 'label a run as pass or fail, to measure judges with',
      arguments: [
        aRun,
        ['<label>', 'pass or fail'],
        ['[category]', 'of a fail, such as goal_missed, incomplete or rule_violation'],
      ],
      options: (flags) => [...flags('store'), ['--why <text>', 'for whoever reads the label']],
      examples: [
        'donecheck judge label last pass',
        'donecheck judge label last fail incomplete --why "no tests for the second bug"',
      ],
      load: async () => (await import('../commands/check/calibrate.ts')).labelCommand,
    },
  ],
}

const policyWords = ['[command...]', 'one command word by word, or a quoted line'] as const

const policyOptions: readonly OptionRow[] = [
  ['-r, --rules <file>', 'a rule file, or a folder of them (repeatable)', collect],
  ['--rules-only', 'the built-in rules and --rules, and nothing of yours or of the project'],
  ['--project-rules <how>', 'as of run', ['trusted', 'tighten', 'off']],
  ['--config <file>', 'as of run'],
  ['--workdir <folder>', 'the project (default: the current folder)'],
  ['--script <line>', 'a whole command line instead'],
  ['--approval <when>', 'the approval policy to decide under', approvalPolicies],
  ['--unconfined', 'decide as if there were no sandbox'],
]

const policyLine: CommandLine = {
  name: 'rules',
  description: 'what the gate says of commands and rule files',
  examples: ['donecheck rules check --rules default.rules -- git push'],
  commands: [
    {
      name: 'check',
      description: 'decide about one command as JSON like `codex execpolicy check`, or about a whole line',
      arguments: [policyWords],
      options: [
        ...policyOptions,
        ['--pretty', 'JSON over several lines'],
        ['--resolve-host-executables', 'rules for a name also hold for its path; of one command alone'],
      ],
      examples: [
        'donecheck rules check --rules default.rules -- git push --force',
        'donecheck rules check --script "cd web && npm test | tee log" --approval untrusted --pretty',
      ],
      takesAll: true,
      load: async () => (await import('../commands/policy/policy.ts')).policyCheckCommand,
    },
    {
      name: 'explain',
      description: 'the same for people: every rule that matched, and where',
      arguments: [policyWords],
      options: policyOptions,
      examples: ['donecheck rules explain "git pull && git push -f"'],
      takesAll: true,
      load: async () => (await import('../commands/policy/policy.ts')).policyExplainCommand,
    },
  ],
}

const receiptLine: CommandLine = {
  name: 'receipt',
  description: 'print, sign or verify the receipt of a run',
  arguments: [aRun],
  options: (flags) => [...flags('store'), outputOption],
  examples: ['donecheck receipt last --output receipt.json', 'donecheck receipt verify receipt.json'],
  load: async () => (await import('../commands/check/receipt.ts')).receiptCommand,
  commands: [
    {
      name: 'sign',
      description: 'put a receipt into an envelope that an SSH key has signed',
      arguments: [['<file>', 'the receipt']],
      options: [['--key <file>', 'a private SSH key, or a public one whose agent runs'], outputOption],
      examples: ['donecheck receipt sign receipt.json --key ~/.ssh/id_ed25519 --output receipt.dsse.json'],
      load: async () => (await import('../commands/check/receipt.ts')).signReceiptCommand,
    },
    {
      name: 'verify',
      description: 'compare a receipt with the store and the tree, and check its signature',
      arguments: [['<file>', 'the receipt: a statement or a DSSE envelope']],
      options: (flags) => [
        ['--require-verified', 'exit with 0 only for a verified run of this tree, stored here or signed'],
        ['--tree <revision>', 'compare with a git revision, instead of the work folder'],
        ['--require-check <check>', 'NAME or NAME=COMMAND that must have passed (repeatable)', collect],
        ['--allowed-signers <file>', 'whose SSH keys count, as ssh-keygen reads it'],
        ['--signer <identity>', 'principal of that file who must have signed'],
        ...flags('store'),
        ['--json', 'what was compared, as JSON'],
      ],
      examples: [
        'donecheck receipt verify receipt.json',
        'donecheck receipt verify receipt.dsse.json --require-verified --allowed-signers signers --require-check "tests=npm test"',
      ],
      load: async () => (await import('../commands/check/receipt.ts')).verifyReceiptCommand,
    },
  ],
}

const ciLine: CommandLine = {
  name: 'ci',
  description: 'verify or run as a CI job: annotations, a summary, outputs',
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
  takesAll: true,
  load: async (runWords) => (await import('../commands/check/ci.ts')).ciCommand.bind(undefined, runWords),
  commands: [
    {
      name: 'comment',
      description: 'write a report as a comment of the pull or merge request, or write that comment anew',
      arguments: [['<report>', 'as "donecheck ci --report" wrote it']],
      options: [['--name <name>', 'tells the comments of several jobs apart (default: the job)']],
      examples: ['donecheck ci comment report.md'],
      load: async () => (await import('../commands/check/ci.ts')).commentCommand,
    },
  ],
}

export const decideLines: readonly CommandLine[] = [
  {
    name: 'approve',
    description: 'answer a question, or accept changes of the checks',
    arguments: [
      ['<question or run>', `of a question: its id, from donecheck approve list; of a run: ${aRun[1]}`],
      ['[path...]', 'of a run: these alone, as paths or globs; without one all that waits'],
    ],
    options: (flags) => [...flags('resume'), ...answerOptions],
    examples: [
      'donecheck approve list',
      'donecheck approve q-4be1 --scope session',
      'donecheck approve last',
      'donecheck approve last test/cart.test.js --reason "prices include tax now"',
      'donecheck approve deny q-4be1 --reason "leave the lock file alone"',
    ],
    load: async () => (await import('../commands/check/approve.ts')).approveCommand,
    commands: [
      {
        name: 'list',
        description: 'list the questions that wait for a person, and how to answer them',
        options: (flags) => [...flags('store'), jsonOption],
        examples: ['donecheck approve list', 'donecheck approve list --json'],
        load: async () => (await import('../commands/check/approvals.ts')).approvalsCommand,
      },
      {
        name: 'deny',
        description: 'say no to a question that waits; the agent is told why',
        arguments: [['<question>', 'its id, from donecheck approve list, or the beginning of it']],
        options: (flags) => [...flags('store'), ...answerOptions],
        examples: ['donecheck approve deny q-4be1 --reason "leave the lock file alone"'],
        load: async () => (await import('../commands/check/approvals.ts')).denyCommand,
      },
    ],
  },
  judgeLine,
  policyLine,
  receiptLine,
  ciLine,
]
