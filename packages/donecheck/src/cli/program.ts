/** What can be typed: commands, flags and their help. What they do is in `commands/`, loaded when it is needed. */
import { addChatCommand, type ChatCommands } from './commands/run/chat-options.ts'
import { addCiCommand, type CiCommands } from './commands/check/ci/ci-options.ts'
import { helpLayout, helpText } from './help/help-layout.ts'
import { addHelpCommand } from './help/help-command.ts'
import { addGoalCommand, type GoalCommands } from './commands/run/goal-options.ts'
import { addMemoryCommand, type MemoryCommands } from './commands/record/memory-options.ts'
import { addReceiptCommand, type ReceiptCommands } from './commands/check/receipt/receipt-options.ts'
import { addSkillCommand, skillOption, type SkillCommands } from './commands/run/skill-options.ts'
import { Command, CommanderError } from 'commander'
import { donecheckVersion } from '@donecheck/engine/base'
import { reportFailure, wantsJson } from './process/failure.ts'
import { knownColumns, type CliIo } from './process/io.ts'
import {
  addConformanceCommand,
  type ConformanceCommands,
} from './commands/check/conformance/conformance-options.ts'
import type { HeartbeatFlags } from './commands/run/heartbeat.ts'
import type { GoalRunFlags } from './commands/run/run.ts'
import type { ReasonsFlags } from './commands/reasons.ts'
import type { TiersFlags } from './commands/run/tiers.ts'
import { addCheckCommands, type CheckCommands } from './commands/check/check-options.ts'
import { addBacktestCommands, type BacktestCommands } from './commands/record/backtest/backtest-options.ts'
import { addInsightsCommands, type InsightsCommands } from './commands/record/insights/insights-options.ts'
import { addHookCommands, type HookCommands } from './commands/hooks/hook-options.ts'
import { addJudgeCommands, type JudgeCommands } from './commands/check/judge-options.ts'
import { addPatchCommand, type PatchCommands } from './patch/patch-options.ts'
import { addPolicyCommand, type PolicyCommands } from './commands/policy/policy-options.ts'
import { aRun, type End, type RecordCommands } from './commands/record/record-options.ts'
import { addRecordCommands, addTreeCommands } from './commands/record/record-options.ts'
import { usageExitCode } from './process/exit-code.ts'
import { addCompletionCommand, addInitCommand, type InitCommands } from './commands/begin/init-options.ts'
import type { RunFlags } from './options/flags.ts'
import { addCommand } from './options/option.ts'
import { lazyFleetCommands, submitGroup } from './commands/fleet/fleet-options.ts'
import { addServiceCommands, type ServiceCommands } from './commands/service/service-options.ts'
import { firstFlags, resumeOptions, runGroups, tiersGroups } from './options/table.ts'

export interface Commands
  extends
    PatchCommands,
    PolicyCommands,
    HookCommands,
    RecordCommands,
    ReceiptCommands,
    CheckCommands,
    CiCommands,
    BacktestCommands,
    ConformanceCommands,
    InsightsCommands,
    JudgeCommands,
    GoalCommands,
    SkillCommands,
    MemoryCommands,
    ServiceCommands,
    InitCommands,
    ChatCommands {
  /** Nothing was typed, and nobody is at a terminal. */
  firstScreen(io: CliIo): Promise<number>
  run(words: readonly string[], flags: GoalRunFlags, io: CliIo): Promise<number>
  heartbeat(flags: HeartbeatFlags, io: CliIo): Promise<number>
  resume(runId: string, flags: RunFlags, io: CliIo): Promise<number>
  reasons(flags: ReasonsFlags, io: CliIo): Promise<number>
  tiers(flags: TiersFlags, io: CliIo): Promise<number>
}

/** Each command is loaded when it is called: `--help` need not wait for what it does not use. */
export const lazyCommands: Commands = {
  firstScreen: async (...args) =>
    (await import('./commands/begin/init/first-screen.ts')).firstScreen(...args),
  init: async (...args) => (await import('./commands/begin/init/init.ts')).initCommand(...args),
  completion: async (...args) => (await import('./commands/begin/completion.ts')).completionCommand(...args),
  run: async (...args) => (await import('./commands/run/run.ts')).runCommand(...args),
  chat: async (...args) => (await import('./commands/run/chat.ts')).chatCommand(...args),
  heartbeat: async (...args) => (await import('./commands/run/heartbeat.ts')).heartbeatCommand(...args),
  resume: async (...args) => (await import('./commands/run/resume.ts')).resumeCommand(...args),
  ci: async (...args) => (await import('./commands/check/ci/ci.ts')).ciCommand(...args),
  ciComment: async (...args) => (await import('./commands/check/ci/comment.ts')).commentCommand(...args),
  approve: async (...args) => (await import('./commands/check/approve.ts')).approveCommand(...args),
  approvals: async (...args) => (await import('./commands/check/approvals.ts')).approvalsCommand(...args),
  deny: async (...args) => (await import('./commands/check/approvals.ts')).denyCommand(...args),
  goalShow: async (...args) => (await import('./commands/run/goal.ts')).goalShowCommand(...args),
  goalChange: async (...args) => (await import('./commands/run/goal.ts')).goalChangeCommand(...args),
  skillCheck: async (...args) => (await import('./commands/run/skill.ts')).skillCheckCommand(...args),
  skillPropose: async (...args) => (await import('./commands/run/skill.ts')).skillProposeCommand(...args),
  memory: async (...args) => (await import('./commands/record/memory.ts')).memoryCommand(...args),
  explainTrees: async (...args) =>
    (await import('./commands/check/explain-trees.ts')).explainTreesCommand(...args),
  list: async (...args) => (await import('./commands/record/list.ts')).listCommand(...args),
  insights: async (...args) =>
    (await import('./commands/record/insights/insights.ts')).insightsCommand(...args),
  compare: async (...args) => (await import('./commands/record/insights/compare.ts')).compareCommand(...args),
  show: async (...args) => (await import('./commands/record/show.ts')).showCommand(...args),
  explain: async (...args) => (await import('./commands/record/explain.ts')).explainCommand(...args),
  watch: async (...args) => (await import('./commands/record/watch.ts')).watchCommand(...args),
  events: async (...args) => (await import('./commands/record/show.ts')).eventsCommand(...args),
  report: async (...args) => (await import('./commands/record/report.ts')).reportCommand(...args),
  exportRun: async (...args) => (await import('./commands/record/exchange/export.ts')).exportCommand(...args),
  verify: async (...args) => (await import('./commands/check/verify.ts')).verifyCommand(...args),
  baseline: async (...args) => (await import('./commands/check/baseline.ts')).baselineCommand(...args),
  receipt: async (...args) => (await import('./commands/check/receipt/receipt.ts')).receiptCommand(...args),
  signReceipt: async (...args) =>
    (await import('./commands/check/receipt/sign-receipt.ts')).signReceiptCommand(...args),
  verifyReceipt: async (...args) =>
    (await import('./commands/check/receipt/verify-receipt.ts')).verifyReceiptCommand(...args),
  mcp: async (...args) => (await import('./commands/check/mcp.ts')).mcpCommand(...args),
  repair: async (...args) => (await import('./commands/record/repair.ts')).repairCommand(...args),
  importRun: async (...args) => (await import('./commands/record/exchange/import.ts')).importCommand(...args),
  patch: async (...args) => (await import('./commands/patch.ts')).patchCommand(...args),
  install: async (...args) => (await import('./commands/hooks/install.ts')).installCommand(...args),
  uninstall: async (...args) => (await import('./commands/hooks/uninstall.ts')).uninstallCommand(...args),
  doctor: async (...args) => (await import('./commands/hooks/doctor.ts')).doctorCommand(...args),
  status: async (...args) => (await import('./commands/hooks/status.ts')).statusCommand(...args),
  policyCheck: async (...args) => (await import('./commands/policy/policy.ts')).policyCheckCommand(...args),
  policyExplain: async (...args) =>
    (await import('./commands/policy/policy.ts')).policyExplainCommand(...args),
  policyLint: async (...args) => (await import('./commands/policy/policy.ts')).policyLintCommand(...args),
  calibrate: async (...args) => (await import('./commands/check/calibrate.ts')).calibrateCommand(...args),
  label: async (...args) => (await import('./commands/check/calibrate.ts')).labelCommand(...args),
  reasons: async (...args) => (await import('./commands/reasons.ts')).reasonsCommand(...args),
  backtest: async (...args) =>
    (await import('./commands/record/backtest/backtest.ts')).backtestCommand(...args),
  tune: async (...args) => (await import('./commands/record/backtest/tune.ts')).tuneCommand(...args),
  conformance: async (...args) =>
    (await import('./commands/check/conformance/conformance.ts')).conformanceCommand(...args),
  serve: async (...args) => (await import('./commands/service/serve.ts')).serveCommand(...args),
  ...lazyFleetCommands,
  view: async (...args) => (await import('./commands/service/view.ts')).viewCommand(...args),
  tiers: async (...args) => (await import('./commands/run/tiers.ts')).tiersCommand(...args),
}

/** Parses and performs; every way out gives an exit code, and in the JSON formats a result line. */
export async function runProgram(
  words: readonly string[],
  io: CliIo,
  commands: Commands = lazyCommands,
): Promise<number> {
  let exitCode = 0
  const program = buildProgram(io, commands, (code) => (exitCode = code))
  try {
    if (words.length === 0 && !isAtTerminal(io)) return await commands.firstScreen(io)
    await program.parseAsync(words.length === 0 ? ['chat'] : words.map(withNewName), { from: 'user' })
    return exitCode
  } catch (error) {
    const isUsage = error instanceof CommanderError
    if (isUsage && error.exitCode === 0) return 0
    const isJson = wantsJson(words, io.environment)
    return await reportFailure(error, isJson, io, isUsage ? usageExitCode : undefined, words[0])
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

/** @param end is told the exit code of the command that was performed */
export function buildProgram(io: CliIo, commands: Commands, end: (exitCode: number) => void): Command {
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
  addInitCommand(program, commands, io, end)
  program.commandsGroup('Run and check:')
  addLoopCommands(program, commands, io, end)
  addCheckCommands(program, commands, io, end)
  addTiersCommand(program, commands, io, end)
  addSkillCommand(program, commands, io, end)
  addReceiptCommand(program, commands, io, end)
  addCiCommand(program, commands, { io, end, perform: (words, own) => runProgram(words, own, commands) })
  addTreeCommands(program, commands, io, end)
  program.commandsGroup('Hooks of agents:')
  addHookCommands(program, commands, io, end)
  program.commandsGroup('Runs on record:')
  addGoalCommand(program, commands, io, end)
  addRecordCommands(program, commands, io, end)
  addMemoryCommand(program, commands, io, end)
  addBacktestCommands(program, commands, io, end)
  addInsightsCommands(program, commands, io, end)
  addServiceCommands(program, commands, io, end)
  program.commandsGroup('More:')
  addHelpCommand(program)
  addJudgeCommands(program, commands, io, end)
  addPatchCommand(program, commands, io, end)
  addPolicyCommand(program, commands, io, end)
  addReasonsCommand(program, commands, io, end)
  addCompletionCommand(program, commands, io, end)
  addConformanceCommand(program, commands, io, end)
  return program
}

/** Of help for whoever has no terminal. */
export const helpColumns = 100

function addLoopCommands(program: Command, commands: Commands, io: CliIo, end: End): void {
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
  }).action(async (task: string[], flags: GoalRunFlags) => end(await commands.run(task, flags, io)))
  addChatCommand(program, commands, io, end)
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
  }).action(async (flags: HeartbeatFlags) => end(await commands.heartbeat(flags, io)))
  addCommand(program, {
    name: 'resume',
    description: 'go on with a run that was interrupted, blocked, or whose process died',
    arguments: [aRun],
    options: resumeOptions,
    examples: ['donecheck resume last', 'donecheck resume 01M7Z --yes'],
  }).action(async (runId: string, flags: RunFlags) => end(await commands.resume(runId, flags, io)))
}

function addTiersCommand(program: Command, commands: Commands, io: CliIo, end: End): void {
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
  }).action(async (flags: TiersFlags) => end(await commands.tiers(flags, io)))
}

function addReasonsCommand(program: Command, commands: Commands, io: CliIo, end: End): void {
  addCommand(program, {
    name: 'reasons',
    description: 'print every label of an end or a turn, and what it is called elsewhere',
    options: [
      ['--system <name>', 'the words of one other system, both ways, such as acp or claude-code'],
      ['--json', 'as JSON, with all systems or the one named'],
    ],
    examples: ['donecheck reasons', 'donecheck reasons --system acp --json'],
  }).action(async (flags: ReasonsFlags) => end(await commands.reasons(flags, io)))
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
