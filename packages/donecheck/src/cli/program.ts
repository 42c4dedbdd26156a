/** What can be typed: commands, flags and their help. What they do is in `commands/`, loaded when it is needed. */
import {
  addCiCommand,
  addReceiptCommand,
  addCheckCommands,
  addJudgeCommands,
} from './commands/check/check-options.ts'
import { helpLayout, helpText } from './help/help-layout.ts'
import { addHelpCommand } from './help/help-command.ts'
import { addGoalCommand, addSkillCommand, skillOption } from './commands/run/goal-options.ts'
import {
  addMemoryCommand,
  addBacktestCommands,
  addInsightsCommand,
  addAnswerCommands,
  addRecordCommands,
  aRun,
} from './commands/record/record-options.ts'
import { Command, CommanderError } from 'commander'
import { donecheckVersion } from '@donecheck/engine/base'
import { reportFailure, wantsJson, usageExitCode } from './process/failure.ts'
import { knownColumns, type CliIo } from './process/io.ts'
import { addHookCommands } from './commands/hooks/hook-options.ts'
import { addPatchCommand } from './patch/patch-options.ts'
import { addPolicyCommand } from './commands/policy/policy-options.ts'
import { addCompletionCommand, addInitCommand } from './commands/begin/init-options.ts'
import { addCommand, type Act, type LoadCommand } from './options/option.ts'
import { submitGroup } from './commands/fleet/fleet-options.ts'
import { addServiceCommands } from './commands/service/service-options.ts'
import { firstFlags, resumeOptions, runGroups, tiersGroups } from './options/table.ts'

/** @param typed its arguments, its flags, and the command itself */
export type PerformTyped = (load: LoadCommand, typed: readonly unknown[], io: CliIo) => Promise<number>

const performTyped: PerformTyped = async (load, typed, io) => (await load())(...typed.slice(0, -1), io)

/** Parses and performs; every way out gives an exit code, and in the JSON formats a result line. */
export async function runProgram(
  words: readonly string[],
  io: CliIo,
  perform = performTyped,
): Promise<number> {
  let exitCode = 0
  const program = buildProgram(io, (load) => async (...typed) => {
    exitCode = await perform(load, typed, io)
  })
  try {
    if (words.length === 0 && !isAtTerminal(io))
      return await (await import('./commands/begin/init/first-screen.ts')).firstScreen(io)
    await program.parseAsync(words.length === 0 ? ['chat'] : words.map(withNewName), { from: 'user' })
    return exitCode
  } catch (error) {
    const isUsage = error instanceof CommanderError
    if (isUsage && error.exitCode === 0) return 0
    const isJson = wantsJson(words, io.environment)
    const shown = isUsage
      ? (await import('./help/suggestions.ts')).withSuggestion(error, program, words)
      : error
    return await reportFailure(shown, isJson, io, isUsage ? usageExitCode : undefined, words[0])
  }
}

/** What other agents call it is taken as well. */
function withNewName(word: string): string {
  return word.replace(/^--max-iterations(?==|$)/, '--max-turns')
}

/** Whoever types the name alone at a terminal wants to talk. */
function isAtTerminal({ stdin, stdout }: CliIo): boolean {
  return stdout.isTTY === true && stdin.isTTY === true
}

/** @param act default: nothing is done about what is typed */
export function buildProgram(io: CliIo, act: Act = () => () => Promise.resolve()): Command {
  const program = new Command('donecheck')
    .description('Done is a check, not a claim: runs an agent until your checks pass.')
    .version(donecheckVersion, '-v, --version')
    .exitOverride()
    // A command may have options of the same names as the one that it belongs to.
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // What is wrong is said by `reportFailure`, in the format that was asked for.
      outputError: () => undefined,
      getOutHelpWidth: () => knownColumns(io.stdout, helpColumns),
    })
    .configureHelp(helpLayout)
    .addHelpText('after', helpText(examples))
  program.commandsGroup('Begin:')
  addInitCommand(program, act)
  program.commandsGroup('Run and check:')
  addLoopCommands(program, act)
  addCheckCommands(program, act)
  addTiersCommand(program, act)
  addSkillCommand(program, act)
  addReceiptCommand(program, act)
  addCiCommand(program, act, runProgram)
  addAnswerCommands(program, act)
  program.commandsGroup('Hooks of agents:')
  addHookCommands(program, act)
  program.commandsGroup('Runs on record:')
  addGoalCommand(program, act, () => import('./commands/run/goal.ts'))
  addRecordCommands(program, act)
  addMemoryCommand(program, act)
  addBacktestCommands(program, act)
  addInsightsCommand(program, act)
  addServiceCommands(program, act)
  program.commandsGroup('More:')
  addHelpCommand(program)
  addJudgeCommands(program, act)
  addPatchCommand(program, act)
  addPolicyCommand(program, act)
  addCompletionCommand(program, act)
  return program
}

/** Of help for whoever has no terminal. */
export const helpColumns = 100

function addLoopCommands(program: Command, act: Act): void {
  addCommand(program, {
    name: 'run',
    description: 'run a task until every --until command exits with 0, or a cap is reached',
    arguments: [['[task...]', 'what is to be done; - reads it from standard input']],
    options: [
      [
        '--goal <file>',
        'what is to be done, with its parts, checks and budget, as Markdown, instead of a task',
      ],
      skillOption,
      ['--run-id <id>', 'of the run, for a program that must know it beforehand (default: a new one)'],
      ...runGroups,
      submitGroup,
    ],
    first: firstFlags,
    examples: runExamples,
  }).action(act(async () => (await import('./commands/run/run.ts')).runCommand))
  addCommand(program, {
    name: 'chat',
    description: 'talk: a session at this terminal, which donecheck without a word opens as well',
    options: [['--plain', 'lines alone, for a screen reader: nothing is drawn twice'], ...runGroups],
    first: firstFlags,
    examples: ['donecheck chat --until "npm test" --agent claude', 'donecheck chat --plain'],
  }).action(act(async () => (await import('./commands/run/chat.ts')).chatCommand))
  addCommand(program, {
    name: 'heartbeat',
    description:
      'let an agent look at a checklist once; that all is well needs evidence of a look at each item',
    options: [['--file <file>', 'the checklist (default HEARTBEAT.md of the work folder)'], ...runGroups],
    first: firstFlags,
    examples: [
      'donecheck heartbeat --model openai/gpt-5',
      'donecheck heartbeat --file ops/HEARTBEAT.md --agent claude --output-format json',
    ],
  }).action(act(async () => (await import('./commands/run/heartbeat.ts')).heartbeatCommand))
  addCommand(program, {
    name: 'resume',
    description: 'go on with a run that was interrupted, blocked, or whose process died',
    arguments: [aRun],
    options: resumeOptions,
    examples: ['donecheck resume last', 'donecheck resume 01M7Z --yes'],
  }).action(act(async () => (await import('./commands/run/resume.ts')).resumeCommand))
}

function addTiersCommand(program: Command, act: Act): void {
  addCommand(program, {
    name: 'tiers',
    description:
      'tell what would end the work: which checks, rules and caps stand, what is missing, what it costs',
    options: [
      ['--agent <agent>', 'of an agent with hooks, instead of a run: claude-code, codex, gemini, qwen, …'],
      ['--json', 'as JSON'],
      ...tiersGroups,
    ],
    examples: [
      'donecheck tiers',
      'donecheck tiers --until "npm test" --max-cost-usd 2 --json',
      'donecheck tiers --agent claude-code',
    ],
  }).action(act(async () => (await import('./commands/run/tiers.ts')).tiersCommand))
}

const examples = `
Examples:
  $ donecheck run --until "npm test" --model openai/gpt-5 "Make the failing test pass."
  $ donecheck run --until "npm test" --agent claude "Make the failing test pass."
  $ donecheck verify --until "npm test"
  $ donecheck explain last
  $ donecheck resume last

Exit codes: 0 verified, 1 failed, 2 wrong usage, 3 exhausted, 4 unverified, 5 blocked, 70 error, 130 interrupted.`

const runExamples = `
Examples:
  $ donecheck run --until "npm test" --until "npm run lint" --model anthropic/claude-sonnet-4-5 --yes "Fix the bug in src/cart.ts."
  $ donecheck run --until "grep -q DONE report.txt" --base-url http://127.0.0.1:11434/v1 --model qwen3 "Write the report."
  $ donecheck run --until "make check" --agent "mytool --print" --max-turns 5 - < task.md
  $ donecheck run --skill skills/monthly-report --agent claude "Write the report of May."

A check that is green before the first turn ends nothing by staying green.`
