import { Command, CommanderError } from 'commander'
import { donecheckVersion, UsageError } from '@donecheck/engine/internal/base'
import { helpLayout, helpText } from './help/help-layout.ts'
import { decideLines } from './lines/decide.ts'
import { fleetLine } from './lines/fleet.ts'
import { goalLine } from './lines/goal.ts'
import { holdLines } from './lines/hold.ts'
import { lookLines, moreLookLines } from './lines/look.ts'
import { moreWorkLines, workLines } from './lines/work.ts'
import {
  addCommand,
  type Act,
  type CommandLine,
  type FlagsNamed,
  type LoadCommand,
} from './options/option.ts'
import { reportFailure, wantsJson, usageExitCode } from './process/failure.ts'
import { knownColumns, type CliIo } from './process/io.ts'
import { nearest } from '@donecheck/core/internal/base'

export type PerformTyped = (load: LoadCommand, typed: readonly unknown[], io: CliIo) => Promise<number>

const performTyped: PerformTyped = async (load, typed, io) =>
  (await load(runProgram))(...typed.slice(0, -1), io)

/** Never rejects: every path returns an exit code. */
export async function runProgram(
  typed: readonly string[],
  io: CliIo,
  perform = performTyped,
): Promise<number> {
  let exitCode = 0
  const words = withSession(typed).map(withOwnName)
  const act: Act =
    (load) =>
    async (...given) => {
      exitCode = await perform(load, given, io)
    }
  const program = buildProgram(io, await flagsFor(words), act)
  try {
    if (typed.length === 0 && !(io.stdout.isTTY === true && io.stdin.isTTY === true))
      return await (await import('./agents/survey.ts')).firstScreen(io)
    await program.parseAsync(words, { from: 'user' })
    return exitCode
  } catch (error) {
    const isUsage = error instanceof CommanderError
    if (isUsage && error.exitCode === 0) return 0
    const shown = isUsage
      ? (await import('./help/suggestions.ts')).withSuggestion(error, program, words)
      : error
    return await reportFailure(shown, wantsJson(words), io, isUsage ? usageExitCode : undefined, words[0])
  }
}

export const sessionName = 'session'
const ownFlags: readonly string[] = ['-h', '--help', '-v', '--version']

export function withSession(words: readonly string[]): readonly string[] {
  const [first] = words
  const isSession = first === undefined || (first.startsWith('-') && !ownFlags.includes(first))
  return isSession ? [sessionName, ...words] : words
}

/** Scripts for other agents say iterations. */
function withOwnName(word: string): string {
  return word.replace(/^--max-iterations(?==|$)/u, '--max-turns')
}

/** These need no configuration and start faster without it. */
const lightCommands: readonly string[] = ['rules', 'patch', ...ownFlags]

export async function flagsFor([first = '']: readonly string[]): Promise<FlagsNamed> {
  if (lightCommands.includes(first)) return () => []
  return (await import('./options/table.ts')).flagsNamed
}

export function buildProgram(
  io: CliIo,
  flags: FlagsNamed,
  act: Act = () => () => Promise.resolve(),
): Command {
  const program = new Command('donecheck')
    .description('Done is a check, not a claim: runs an agent until your checks pass.')
    .version(donecheckVersion, '-v, --version')
    .exitOverride()
    // Subcommands may repeat option names of their parent.
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // `reportFailure` prints errors in the requested format.
      outputError: () => undefined,
      getOutHelpWidth: () => knownColumns(io.stdout, helpColumns),
    })
    .configureHelp({ ...helpLayout, visibleCommands: onFirstPage })
    .addHelpText('after', helpText(examples))
  addGroup('Work', workLines)
  addGroup('Look', lookLines)
  addGroup('Hold your agent', holdLines)
  addGroup(moreHeading, [goalLine, ...decideLines, ...moreWorkLines, ...moreLookLines, fleetLine])
  addHelpCommand(program)
  addSession()
  return program

  function addGroup(heading: string, lines: readonly CommandLine[]): void {
    program.commandsGroup(`${heading}:`)
    for (const line of lines) addCommand(program, line, act, flags)
  }

  function addSession(): void {
    const line: CommandLine = {
      name: sessionName,
      isHidden: true,
      description: 'talk to an agent at this terminal',
      options: [['--plain', 'lines alone, for a screen reader: nothing is drawn twice'], ...flags('run')],
      examples: ['donecheck', 'donecheck --until "npm test" --agent claude', 'donecheck --plain'],
      load: async (runWords) =>
        (await import('./commands/run/chat.ts')).chatCommand.bind(undefined, runWords),
    }
    addCommand(program, line, act, flags)
  }
}

const moreHeading = 'More'

function onFirstPage({ commands }: Command): Command[] {
  return commands.filter((command) => command.helpGroup() !== `${moreHeading}:`)
}

export const helpColumns = 100

const examples = `
  $ donecheck run --agent claude "Fix the failing test."
  $ donecheck run --until "make check" --model openai/gpt-5 "Fix the build."
  $ donecheck verify
  $ donecheck explain last

Alone it opens a session at a terminal, with the flags of run; --plain writes lines alone, for a screen reader.
All commands: donecheck help --all     One command: donecheck help run
Exit codes: 0 verified, 1 failed, 2 wrong usage, 3 exhausted, 4 unverified, 5 blocked, 70 error, 130 interrupted.`

export function addHelpCommand(program: Command): void {
  program.helpCommand(false)
  addCommand(
    program,
    {
      name: 'help',
      description: 'tell what a command does, and which flags it has',
      arguments: [['[command...]', 'none: every command']],
      options: [['--all', 'every command, or every flag by purpose']],
      examples: ['donecheck help --all', 'donecheck help run', 'donecheck help run --all'],
    },
    () => () => Promise.resolve(),
  ).action((words: readonly string[], { all = false }: { readonly all?: boolean }) => {
    const command = words.reduce(commandIn, program)
    if (all) command.configureHelp(helpLayout)
    command.outputHelp()
  })
}

function commandIn(parent: Command, word: string): Command {
  const found = parent.commands.find((command) => command.name() === word)
  if (found !== undefined) return found
  const names = parent.commands.map((command) => command.name())
  const near = nearest(word, names)
  const wayOut = near === undefined ? `there are: ${names.join(', ')}` : `did you mean "${near}"?`
  throw new UsageError(`there is no command "${word}"; ${wayOut}`)
}
