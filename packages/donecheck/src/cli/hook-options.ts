/** What can be typed about hooks in agents of others: install, uninstall, doctor, status. */
import { Option, type Command } from 'commander'
import { positiveWhole } from './flag-values.ts'
import { examplesOf } from './help-examples.ts'
import type { CliIo } from './io.ts'
import {
  addCapOptions,
  addRunCheckOptions,
  addStoreOption,
  capDefaultsOfHooks,
  type RunFlags,
  type StoreFlags,
} from './options.ts'
import { addRuleOptions } from './gate-options.ts'

export interface SettingsFlags {
  readonly scope?: 'user' | 'project'
  readonly yes?: boolean
  readonly dryRun?: boolean
}

/** Beside those of a run, which are pinned. */
export interface InstallFlags extends SettingsFlags, Omit<RunFlags, 'yes'> {
  readonly allProjects?: boolean
  readonly hookTimeout?: number
  readonly onBrokenCheck?: 'hold' | 'let-go'
  readonly whenUnchanged?: 'verify' | 'let-go'
  readonly onGatePrompt?: 'agent' | 'ask'
}

export interface UninstallFlags extends SettingsFlags {
  readonly workdir?: string
}

export interface DoctorFlags {
  readonly workdir?: string
  readonly json?: boolean
}

export interface HookCommands {
  install(agent: string, flags: InstallFlags, io: CliIo): Promise<number>
  uninstall(agent: string, flags: UninstallFlags, io: CliIo): Promise<number>
  doctor(agent: string | undefined, flags: DoctorFlags, io: CliIo): Promise<number>
  status(flags: StoreFlags, io: CliIo): Promise<number>
}

export function addHookCommands(
  program: Command,
  commands: HookCommands,
  io: CliIo,
  end: (exitCode: number) => void,
): void {
  addInstall(program, commands, io, end)
  addSettingsOptions(program.command('uninstall'))
    .description('take the hooks out of an agent again')
    .argument('<agent>', 'as it was installed; from every scope unless one is named')
    .option('--workdir <folder>', 'the project (default: the current folder)')
    .action(async (agent: string, flags: UninstallFlags) => end(await commands.uninstall(agent, flags, io)))
    .addHelpText('after', examplesOf(['donecheck uninstall claude-code', 'donecheck uninstall codex --yes']))
  program
    .command('doctor')
    .description('prove that installed hooks fire, block a red check and pass a green one')
    .argument('[agent]', 'one agent (default: all that are installed)')
    .option('--workdir <folder>', 'the project (default: the current folder)')
    .addOption(new Option('--json', 'as JSON'))
    .action(async (agent: string | undefined, flags: DoctorFlags) =>
      end(await commands.doctor(agent, flags, io)),
    )
    .addHelpText('after', examplesOf(['donecheck doctor', 'donecheck doctor claude-code --json']))
  addStoreOption(program.command('status'))
    .description('tell how the sessions of agents with hooks stand: checked, sent back, verified or not')
    .addOption(new Option('--json', 'as JSON'))
    .action(async (flags: StoreFlags) => end(await commands.status(flags, io)))
    .addHelpText('after', examplesOf(['donecheck status', 'donecheck status --json']))
}

function addInstall(
  program: Command,
  commands: HookCommands,
  io: CliIo,
  end: (exitCode: number) => void,
): void {
  const command = addSettingsOptions(program.command('install'))
    .description('let the hooks of an agent check its work: it is not let go while a check is red')
    .argument('<agent>', 'claude-code, codex, gemini, qwen, copilot or cursor')
    .option('--all-projects', 'check every project that has no checks of its own, not only this one')
    .option(
      '--hook-timeout <seconds>',
      'how long the checks of one turn may take (default 600)',
      positiveWhole,
    )
    .addOption(
      new Option(
        '--on-broken-check <what>',
        'a check that cannot decide: hold the agent back (default), or let it go as not verified',
      ).choices(['hold', 'let-go']),
    )
    .addOption(
      new Option(
        '--when-unchanged <what>',
        'a turn that changed nothing: check it too, or let it go as not verified (default, where a person asked)',
      ).choices(['verify', 'let-go']),
    )
    .addOption(
      new Option(
        '--on-gate-prompt <whom>',
        'a call that somebody must be asked about: leave it to the agent (default), or make it ask',
      ).choices(['agent', 'ask']),
    )
  addRunCheckOptions(command)
  addCapOptions(command, capDefaultsOfHooks)
  addRuleOptions(command)
  command
    .option('--workdir <folder>', 'the project (default: the current folder)')
    .option('--config <file>', 'instead of donecheck.config.ts, .js or .json in the work folder')
    .action(async (agent: string, flags: InstallFlags) => end(await commands.install(agent, flags, io)))
    .addHelpText(
      'after',
      examplesOf([
        'donecheck install claude-code --until "npm test"',
        'donecheck install codex --scope project --until "npm test" --preset lint --yes',
      ]),
    )
}

function addSettingsOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--scope <where>',
        "whose settings of the agent: the user's (default), or the project's",
      ).choices(['user', 'project']),
    )
    .option('--yes', 'without asking')
    .option('--dry-run', 'only show what would change')
}
