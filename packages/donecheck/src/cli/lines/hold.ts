import { type CommandLine, type OptionRow, positiveWhole, jsonOption } from '../options/option.ts'

const workdirOption: OptionRow = ['-C, --workdir <folder>', 'the project (default: the current folder)']

const settingsOptions: readonly OptionRow[] = [
  ['--scope <where>', "the user's settings (default), or the project's", ['user', 'project']],
  ['-y, --yes', 'without asking'],
  ['--dry-run', 'only show what would change'],
]

const installOptions: readonly OptionRow[] = [
  ['--all-projects', 'check every project that has no checks of its own, not only this one'],
  ['--hook-timeout <seconds>', 'how long the checks of one turn may take (default: 600)', positiveWhole],
  [
    '--on-broken-check <what>',
    'if a check cannot decide: hold the agent (default) or let it stop',
    ['hold', 'allow-stop'],
  ],
  [
    '--when-unchanged <what>',
    'if a turn changed nothing: check it, or let it stop (default)',
    ['verify', 'allow-stop'],
  ],
  [
    '--on-gate-prompt <whom>',
    'if a call needs a person: leave it to the agent (default), or ask',
    ['agent', 'ask'],
  ],
]

export const holdLines: readonly CommandLine[] = [
  {
    name: 'install',
    description: 'make Claude Code, Codex or Gemini CLI pass your checks',
    arguments: [['<agent>', 'claude-code, codex, gemini, qwen, copilot or cursor']],
    options: (flags) => [...settingsOptions, ...installOptions, workdirOption, ...flags('install')],
    first: [
      ...['--until', '--preset', '--scope', '--all-projects', '--hook-timeout', '--on-broken-check'],
      ...['--dry-run', '--yes', '--workdir'],
    ],
    examples: [
      'donecheck install claude-code --until "npm test"',
      'donecheck install codex --scope project --until "npm test" --preset lint --yes',
    ],
    load: async () => (await import('../commands/hooks/install.ts')).installCommand,
  },
  {
    name: 'uninstall',
    description: 'take the hooks out of an agent again',
    arguments: [['<agent>', 'as it was installed; from every scope unless one is named']],
    options: [...settingsOptions, workdirOption],
    examples: ['donecheck uninstall claude-code', 'donecheck uninstall codex --yes'],
    load: async () => (await import('../commands/hooks/uninstall.ts')).uninstallCommand,
  },
  {
    name: 'doctor',
    description: 'test that installed hooks block a red check',
    arguments: [['[agent]', 'one agent (default: all that are installed)']],
    options: [workdirOption, jsonOption],
    examples: ['donecheck doctor', 'donecheck doctor claude-code --json'],
    load: async () => (await import('../commands/hooks/doctor.ts')).doctorCommand,
  },
]
