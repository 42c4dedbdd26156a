/**
 * The options that configure something: flag, help, value and, where it is another one, the key. The variable of the environment
 * follows from the key. Help, parser and reference (by a test) come from here; what a value means is in `config/`.
 */
import { checkKinds, combinationKinds, ruleModes, sandboxChoices } from '@donecheck/core/base'
import { approvalPolicies } from '@donecheck/engine/ports/gate'
import { capOptions } from './cap-options.ts'
import { collect, positive, positiveWhole } from './flag-values.ts'
import type { OptionGroup, OptionRow } from './option.ts'

export const storeOptions: readonly OptionRow[] = [
  ['--store <place>', 'where runs are kept: a folder, or postgres://… (default: one folder per project)'],
  ['-C, --workdir <folder>', 'the project (default: the current folder)'],
]

/** Names the file of the configuration, so it configures nothing itself. */
export const configOption: OptionRow = [
  '--config <file>',
  'instead of donecheck.config.ts, .js or .json in the work folder',
]

export const quietOption: OptionRow = ['-q, --quiet', 'nothing but the closing line']

const mayChangeOption: OptionRow = [
  '--may-change <glob>',
  'tests and the like that this task may change; several times',
  collect,
]

/** What is checked, and how: the same for a run and for a verification without one. */
export const checkOptions: readonly OptionRow[] = [
  ['-u, --until <command>', 'must exit with 0; may be given several times', collect],
  ['-p, --preset <name>', "a check of the project's own: tests, lint, typecheck, build", collect, 'presets'],
  [
    '--check <kind:text>',
    `what is no command, such as http:http://localhost:3000/health; several times; kinds: ${[...checkKinds, ...combinationKinds].join(', ')} (the last four with JSON: all:{"of":[…]})`,
    collect,
    'checks',
  ],
  ['--held-out <command>', 'a check that the agent is never shown; it runs at the end', collect],
  mayChangeOption,
  ['--verify-timeout <seconds>', 'for one check (default 300)', positive, 'verifyTimeoutSeconds'],
  [
    '--pre-existing <how>',
    'failures that were there before: mend them too (default), or let it not get worse',
    ['mend', 'not-worse'],
  ],
  [
    '--trust-check <name>',
    'believe this check although nothing shows that it can fail; several times',
    collect,
    'trustChecks',
  ],
  [
    '--check-in <where>',
    'where checks decide (default: clean-room, if they report the same there)',
    ['clean-room', 'work-folder'],
  ],
  ['--baseline <revision>', 'compare with a git revision, or a recorded baseline (its run id)'],
]

/** Models that are asked whether it is done, after all other checks. */
export const judgeOptions: readonly OptionRow[] = [
  ['--judge <provider/model>', 'a model that judges the answer and the work; several are a panel', collect],
  ['--rubric <text>', 'what the judge asks for: a text, or a file (default: what the task asks for)'],
]

/** When the checks of a run are asked, and what ends it. */
export const judgingOptions: readonly OptionRow[] = [
  ['--loop-detection <mode>', 'repeated calls, failures and answers (default on)', ruleModes],
  ['--stagnation <mode>', 'no progress against the best so far (default on)', ruleModes],
  ['--token-budget <count>', 'output tokens that the drive is kept going for', positiveWhole],
  ['--no-final-summary', 'no summary of what is left when a run ends early'],
]

const permissionOptions: readonly OptionRow[] = [
  ['-y, --yes', 'accept whatever would be asked about a tool call of the model'],
  [
    '--approval <when>',
    'when you are asked before a tool runs (default on-request: what the sandbox does not hold)',
    approvalPolicies,
  ],
  ['--trace', 'show every call with what hooks and the gate said of it'],
]

/** What may run, whoever runs it. */
const ruleOptions: readonly OptionRow[] = [
  ['--rules <file>', 'rules of commands, as Codex writes them; a file or a folder; repeatable', collect],
  ['--gate <mode>', 'shadow: record what would be refused or asked, and let it run', ['on', 'shadow']],
]

const sandboxOptions: readonly OptionRow[] = [
  ['--sandbox <driver>', 'what confines the commands of the model (default auto)', sandboxChoices],
]

const modelOptions: readonly OptionRow[] = [
  ['-m, --model <provider/name>', 'a model drives, with tools of donecheck (openai, anthropic, google)'],
  ['--base-url <url>', 'a server that speaks the OpenAI protocol (Ollama, vLLM, LM Studio, …)'],
]

const driveOptions: readonly OptionRow[] = [
  ...modelOptions,
  [
    '-a, --agent <agent>',
    'claude, codex, gemini, opencode, qwen or copilot with further words, acp:<command>, or any program: one process a turn; {prompt} or standard input',
  ],
  ['--unchecked', 'run it although nothing checks its work: the run can end only as unverified'],
]

const processOptions: readonly OptionRow[] = [
  ...storeOptions,
  [
    '--memory <which>',
    'what earlier runs left behind is told to the drive: of this project (default), of all of the user, or nothing',
    ['project', 'user', 'off'],
  ],
  configOption,
  quietOption,
  [
    '--output-format <format>',
    'what stdout gets; with text, progress goes to stderr',
    ['text', 'json', 'stream-json'],
  ],
]

const labelOptions: readonly OptionRow[] = [
  [
    '--label <name>',
    'what the run is told apart by later, such as nightly; several times',
    collect,
    'labels',
  ],
]

const checkGroups: readonly OptionGroup[] = [
  { heading: 'Checks', rows: checkOptions },
  { heading: 'When checks run, and what ends the run', rows: judgingOptions },
]

/** What a short help of `run` shows: the rest is in the long one. */
export const firstFlags: readonly string[] = [
  ...['--until', '--preset', '--agent', '--model', '--max-turns', '--max-cost-usd', '--max-seconds'],
  ...['--yes', '--workdir', '--output-format'],
]

/** What may end a run, whoever drives it. */
const endGroups: readonly OptionGroup[] = [
  ...checkGroups,
  { heading: 'Judges', rows: judgeOptions },
  { heading: 'Caps', rows: capOptions('help') },
]

/** Of whoever asks what would end a run, or a session of an agent. */
export const tiersGroups: readonly OptionGroup[] = [
  { heading: 'The model', rows: modelOptions },
  ...endGroups,
  { heading: 'Record and output', rows: [...storeOptions, configOption] },
]

export const runGroups: readonly OptionGroup[] = [
  { heading: 'The agent', rows: driveOptions },
  ...endGroups,
  { heading: 'Permissions', rows: [...permissionOptions, ...ruleOptions, ...sandboxOptions] },
  { heading: 'Record and output', rows: [...labelOptions, ...processOptions] },
]

export const runOptions: readonly OptionRow[] = runGroups.flatMap(({ rows }) => rows)

/** What the record cannot know or need not fix: everything else stays as the run was started. */
export const resumeOptions: readonly OptionRow[] = [
  [
    '--top-up <amounts>',
    'more budget, such as turns=10,tokens=50000 (the names of the --max- flags); a run that ended at a cap goes on',
    // Read by the command itself: what it takes to read it would hold up every other command.
    collect,
  ],
  ...permissionOptions,
  mayChangeOption,
  ...processOptions,
]

/** What is pinned for the sessions of an agent with hooks. */
export const pinnedGroups: readonly OptionGroup[] = [
  ...checkGroups,
  { heading: 'Judges', rows: judgeOptions },
  { heading: 'Caps', rows: capOptions('helpOfHooks') },
  { heading: 'Permissions', rows: ruleOptions },
]
