/** What can be typed: commands, flags and their help. What they do is in `commands/`, loaded when it is needed. */
import { Command, CommanderError, Option } from 'commander'
import { donecheckVersion } from '../version.ts'
import { reportFailure, wantsJson } from './failure.ts'
import type { CliIo } from './io.ts'
import type { McpFlags } from './commands/mcp.ts'
import type { BaselineFlags } from './commands/baseline.ts'
import type { ReasonsFlags } from './commands/reasons.ts'
import type { ReceiptFlags } from './commands/receipt.ts'
import type { ShowFlags } from './commands/show.ts'
import type { VerifyFlags } from './commands/verify.ts'
import { addBaselineOptions, addMcpOptions, addReceiptOptions, addVerifyOptions } from './check-options.ts'
import { addPatchCommand, type PatchCommands } from './patch-options.ts'
import { addPolicyCommand, type PolicyCommands } from './policy-options.ts'
import { addHookCommands, type HookCommands } from './hook-options.ts'
import { addResumeOptions, addRunOptions, addStoreOption, type RunFlags, type StoreFlags } from './options.ts'
import { addTreeCommands, type TreeCommands } from './tree-options.ts'
import { usageExitCode } from './exit-code.ts'
import { examplesOf } from './help-examples.ts'

export interface Commands extends PatchCommands, PolicyCommands, HookCommands, TreeCommands {
  run(words: readonly string[], flags: RunFlags, io: CliIo): Promise<number>
  resume(runId: string, flags: RunFlags, io: CliIo): Promise<number>
  list(flags: StoreFlags, io: CliIo): Promise<number>
  show(runId: string, flags: ShowFlags, io: CliIo): Promise<number>
  events(runId: string, flags: StoreFlags, io: CliIo): Promise<number>
  exportRun(runId: string, flags: StoreFlags & { readonly output?: string }, io: CliIo): Promise<number>
  verify(flags: VerifyFlags, io: CliIo): Promise<number>
  baseline(flags: BaselineFlags, io: CliIo): Promise<number>
  receipt(runId: string, flags: ReceiptFlags, io: CliIo): Promise<number>
  verifyReceipt(file: string, flags: ReceiptFlags, io: CliIo): Promise<number>
  repair(runId: string, flags: StoreFlags, io: CliIo): Promise<number>
  importRun(file: string, flags: StoreFlags, io: CliIo): Promise<number>
  mcp(flags: McpFlags, io: CliIo): Promise<number>
  reasons(flags: ReasonsFlags, io: CliIo): Promise<number>
}

/** Each command is loaded when it is called: `--help` need not wait for what it does not use. */
export const lazyCommands: Commands = {
  run: async (...args) => (await import('./commands/run.ts')).runCommand(...args),
  resume: async (...args) => (await import('./commands/resume.ts')).resumeCommand(...args),
  approve: async (...args) => (await import('./commands/approve.ts')).approveCommand(...args),
  explainTrees: async (...args) => (await import('./commands/explain-trees.ts')).explainTreesCommand(...args),
  list: async (...args) => (await import('./commands/list.ts')).listCommand(...args),
  show: async (...args) => (await import('./commands/show.ts')).showCommand(...args),
  events: async (...args) => (await import('./commands/show.ts')).eventsCommand(...args),
  exportRun: async (...args) => (await import('./commands/exchange.ts')).exportCommand(...args),
  verify: async (...args) => (await import('./commands/verify.ts')).verifyCommand(...args),
  baseline: async (...args) => (await import('./commands/baseline.ts')).baselineCommand(...args),
  receipt: async (...args) => (await import('./commands/receipt.ts')).receiptCommand(...args),
  verifyReceipt: async (...args) => (await import('./commands/receipt.ts')).verifyReceiptCommand(...args),
  mcp: async (...args) => (await import('./commands/mcp.ts')).mcpCommand(...args),
  repair: async (...args) => (await import('./commands/repair.ts')).repairCommand(...args),
  importRun: async (...args) => (await import('./commands/exchange.ts')).importCommand(...args),
  patch: async (...args) => (await import('./commands/patch.ts')).patchCommand(...args),
  install: async (...args) => (await import('./commands/install.ts')).installCommand(...args),
  uninstall: async (...args) => (await import('./commands/uninstall.ts')).uninstallCommand(...args),
  doctor: async (...args) => (await import('./commands/doctor.ts')).doctorCommand(...args),
  status: async (...args) => (await import('./commands/status.ts')).statusCommand(...args),
  policyCheck: async (...args) => (await import('./commands/policy.ts')).policyCheckCommand(...args),
  policyExplain: async (...args) => (await import('./commands/policy.ts')).policyExplainCommand(...args),
  policyLint: async (...args) => (await import('./commands/policy.ts')).policyLintCommand(...args),
  reasons: async (...args) => (await import('./commands/reasons.ts')).reasonsCommand(...args),
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
    await program.parseAsync(words, { from: 'user' })
    return exitCode
  } catch (error) {
    const isUsage = error instanceof CommanderError
    if (isUsage && error.exitCode === 0) return 0
    const isJson = wantsJson(words, io.environment)
    return await reportFailure(error, isJson, io, isUsage ? usageExitCode : undefined, words[0])
  }
}

/** @param end is told the exit code of the command that was performed */
export function buildProgram(io: CliIo, commands: Commands, end: (exitCode: number) => void): Command {
  const program = new Command('donecheck')
    .description('Done is a check, not a claim: runs an agent until your checks pass.')
    .version(donecheckVersion)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // What is wrong is said by `reportFailure`, in the format that was asked for.
      outputError: () => undefined,
      getOutHelpWidth: () => io.stdout.columns || helpColumns,
    })
    .addHelpText('after', examples)
  addLoopCommands(program, commands, io, end)
  addCheckCommands(program, commands, io, end)
  addTreeCommands(program, commands, io, end)
  addHookCommands(program, commands, io, end)
  addRecordCommands(program, commands, io, end)
  addPatchCommand(program, commands, io, end)
  addPolicyCommand(program, commands, io, end)
  addReasonsCommand(program, commands, io, end)
  return program
}

/** Of help for whoever sits at no terminal. */
export const helpColumns = 100

function addLoopCommands(
  program: Command,
  commands: Commands,
  io: CliIo,
  end: (exitCode: number) => void,
): void {
  addRunOptions(program.command('run'))
    .description('run a task until every --until command exits with 0, or a cap is reached')
    .argument('<task...>', 'what is to be done; - reads it from standard input')
    .action(async (task: string[], flags: RunFlags) => end(await commands.run(task, flags, io)))
    .addHelpText('after', runExamples)
  addResumeOptions(program.command('resume'))
    .addHelpText('after', examplesOf(['donecheck resume last', 'donecheck resume 01M7Z --yes']))
    .description('go on with a run that was interrupted, blocked, or whose process died')
    .argument('<run>', 'its id, or the beginning of it; "last" is the latest')
    .action(async (runId: string, flags: RunFlags) => end(await commands.resume(runId, flags, io)))
}

function addCheckCommands(
  program: Command,
  commands: Commands,
  io: CliIo,
  end: (exitCode: number) => void,
): void {
  addVerifyOptions(program.command('verify'))
    .description('run the checks once, without any agent')
    .action(async (flags: VerifyFlags) => end(await commands.verify(flags, io)))
    .addHelpText('after', verifyExamples)
  addMcpOptions(program.command('mcp'))
    .description(
      'a server of the Model Context Protocol on standard input and output: what is the goal, is it done, why not',
    )
    .action(async (flags: McpFlags) => end(await commands.mcp(flags, io)))
    .addHelpText(
      'after',
      examplesOf([
        'donecheck mcp --until "npm test" --goal "Make the tests pass."',
        'donecheck mcp --workdir ../other',
      ]),
    )
  addBaselineOptions(program.command('baseline'))
    .description('record what the checks say now (or said at a revision), to compare with later')
    .action(async (flags: BaselineFlags) => end(await commands.baseline(flags, io)))
    .addHelpText(
      'after',
      examplesOf(['donecheck baseline --until "npm test"', 'donecheck baseline --at HEAD']),
    )
  addReceiptOptions(program.command('receipt'))
    .description('print the receipt of a run: what was checked, on which tree, with what result')
    .argument('<run>', 'its id, or the beginning of it; "last" is the latest; "verify" checks a receipt')
    .argument('[file]', 'with "verify": the receipt')
    .action(async (runId: string, file: string | undefined, flags: ReceiptFlags) =>
      end(
        runId === 'verify' && file !== undefined
          ? await commands.verifyReceipt(file, flags, io)
          : await commands.receipt(runId, flags, io),
      ),
    )
    .addHelpText(
      'after',
      examplesOf(['donecheck receipt last --output receipt.json', 'donecheck receipt verify receipt.json']),
    )
}

function addRecordCommands(
  program: Command,
  commands: Commands,
  io: CliIo,
  end: (exitCode: number) => void,
): void {
  const run = ['<run>', 'its id, or the beginning of it; "last" is the latest'] as const
  addStoreOption(program.command('list'))
    .addHelpText('after', examplesOf(['donecheck list', 'donecheck list --json --workdir ../other']))
    .description('list the runs of this project, latest first')
    .addOption(new Option('--json', 'as JSON'))
    .action(async (flags: StoreFlags) => end(await commands.list(flags, io)))
  addStoreOption(program.command('show'))
    .addHelpText('after', examplesOf(['donecheck show last', 'donecheck show last --trace']))
    .description('show a run as a timeline: turns, tools, verdicts, findings, reason')
    .argument(...run)
    .addOption(
      new Option(
        '--trace',
        'only hooks and decisions of the gate: on which call, in what order, to what effect',
      ),
    )
    .action(async (runId: string, flags: ShowFlags) => end(await commands.show(runId, flags, io)))
  addStoreOption(program.command('events'))
    .addHelpText('after', examplesOf(['donecheck events last | grep verdict-given']))
    .description('print the events of a run as JSON Lines')
    .argument(...run)
    .action(async (runId: string, flags: StoreFlags) => end(await commands.events(runId, flags, io)))
  addStoreOption(program.command('export'))
    .addHelpText('after', examplesOf(['donecheck export last --output run.jsonl']))
    .description('write a run, with its attachments, as JSON Lines')
    .argument(...run)
    .option('-o, --output <file>', 'instead of standard output')
    .action(async (runId: string, flags: StoreFlags & { output?: string }) =>
      end(await commands.exportRun(runId, flags, io)),
    )
  addStoreOption(program.command('import'))
    .addHelpText('after', examplesOf(['donecheck import run.jsonl', 'donecheck import - < run.jsonl']))
    .description('read runs that were exported; - reads standard input')
    .argument('<file>')
    .action(async (file: string, flags: StoreFlags) => end(await commands.importRun(file, flags, io)))
  addStoreOption(program.command('repair'))
    .addHelpText('after', examplesOf(['donecheck repair 01M7Z']))
    .description('put aside what cannot be read of a run, so that the rest can be resumed')
    .argument(...run)
    .action(async (runId: string, flags: StoreFlags) => end(await commands.repair(runId, flags, io)))
}

function addReasonsCommand(
  program: Command,
  commands: Commands,
  io: CliIo,
  end: (exitCode: number) => void,
): void {
  program
    .command('reasons')
    .description('print every label of an end or a turn, and what it is called elsewhere')
    .option('--system <name>', 'the words of one other system, both ways, such as acp or claude-code')
    .addOption(new Option('--json', 'as JSON, with all systems or the one named'))
    .action(async (flags: ReasonsFlags) => end(await commands.reasons(flags, io)))
    .addHelpText('after', examplesOf(['donecheck reasons', 'donecheck reasons --system acp --json']))
}

const examples = `
Examples:
  $ donecheck run --until "npm test" --model openai/gpt-5 "Make the failing test pass."
  $ donecheck run --until "npm test" --agent claude "Make the failing test pass."
  $ donecheck verify --until "npm test"
  $ donecheck show last
  $ donecheck resume last

Exit codes: 0 verified, 1 failed, 2 wrong usage, 3 exhausted, 4 unverified, 5 blocked, 70 error, 130 interrupted.`

const runExamples = `
Examples:
  $ donecheck run --until "npm test" --until "npm run lint" --model anthropic/claude-sonnet-4-5 --yes "Fix the bug in src/cart.ts."
  $ donecheck run --until "grep -q DONE report.txt" --base-url http://127.0.0.1:11434/v1 --model qwen3 "Write the report."
  $ donecheck run --until "make check" --agent "mytool --print" --max-iterations 5 - < task.md

A check that is green before the first turn ends nothing by staying green.`

const verifyExamples = `
Examples:
  $ donecheck verify
  $ donecheck verify --until "npm test" --preset lint --baseline origin/main --junit checks.xml
  $ donecheck verify --until "npm test" --watch

Exit codes: 0 verified, 1 failed, 2 wrong usage, 4 unverified, 5 blocked, 70 error, 130 interrupted.`
