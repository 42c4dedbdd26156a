/** What can be typed about hooks in agents of others: install, uninstall, doctor, status. */
import type { Command } from 'commander'
import { positiveWhole } from '../../options/flag-values.ts'
import { addCommand, type Act, type OptionRow } from '../../options/option.ts'
import { configOption, pinnedGroups, storeOptions } from '../../options/table.ts'

export function addHookCommands(program: Command, act: Act): void {
  addCommand(program, {
    name: 'install',
    description: 'let the hooks of an agent check its work: it is not allowed to stop while a check is red',
    arguments: [['<agent>', 'claude-code, codex, gemini, qwen, copilot or cursor']],
    options: [...settingsOptions, ...installOptions, workdirOption, configOption, ...pinnedGroups],
    first: [
      '--until',
      '--preset',
      '--scope',
      '--all-projects',
      '--hook-timeout',
      '--on-broken-check',
      '--dry-run',
      '--yes',
      '--workdir',
    ],
    examples: [
      'donecheck install claude-code --until "npm test"',
      'donecheck install codex --scope project --until "npm test" --preset lint --yes',
    ],
  }).action(act(async () => (await import('./install.ts')).installCommand))
  addCommand(program, {
    name: 'uninstall',
    description: 'take the hooks out of an agent again',
    arguments: [['<agent>', 'as it was installed; from every scope unless one is named']],
    options: [...settingsOptions, workdirOption],
    examples: ['donecheck uninstall claude-code', 'donecheck uninstall codex --yes'],
  }).action(act(async () => (await import('./uninstall.ts')).uninstallCommand))
  addCommand(program, {
    name: 'doctor',
    description: 'prove that installed hooks fire, block a red check and pass a green one',
    arguments: [['[agent]', 'one agent (default: all that are installed)']],
    options: [workdirOption, ['--json', 'as JSON']],
    examples: ['donecheck doctor', 'donecheck doctor claude-code --json'],
  }).action(act(async () => (await import('./doctor.ts')).doctorCommand))
  addCommand(program, {
    name: 'status',
    description: 'tell how the sessions of agents with hooks stand: checked, blocked, verified or not',
    options: [...storeOptions, ['--json', 'as JSON']],
    examples: ['donecheck status', 'donecheck status --json'],
  }).action(act(async () => (await import('./status.ts')).statusCommand))
}

const workdirOption: OptionRow = ['-C, --workdir <folder>', 'the project (default: the current folder)']

const settingsOptions: readonly OptionRow[] = [
  [
    '--scope <where>',
    "whose settings of the agent: the user's (default), or the project's",
    ['user', 'project'],
  ],
  ['-y, --yes', 'without asking'],
  ['--dry-run', 'only show what would change'],
]

const installOptions: readonly OptionRow[] = [
  ['--all-projects', 'check every project that has no checks of its own, not only this one'],
  ['--hook-timeout <seconds>', 'how long the checks of one turn may take (default 600)', positiveWhole],
  [
    '--on-broken-check <what>',
    'a check that cannot decide: hold the agent back (default), or allow its stop as not verified',
    ['hold', 'allow-stop'],
  ],
  [
    '--when-unchanged <what>',
    'a turn that changed nothing: check it too, or allow its stop as not verified (default, where a person asked)',
    ['verify', 'allow-stop'],
  ],
  [
    '--on-gate-prompt <whom>',
    'a call that somebody must be asked about: leave it to the agent (default), or make it ask',
    ['agent', 'ask'],
  ],
]
