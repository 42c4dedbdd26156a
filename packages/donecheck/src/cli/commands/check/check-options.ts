/** What can be typed to have the checks asked without an agent. */
import type { Command } from 'commander'
import type { BaselineFlags } from './baseline.ts'
import type { McpFlags } from './mcp.ts'
import type { VerifyFlags } from './verify.ts'
import type { CliIo } from '../../process/io.ts'
import { addCommand, type OptionRow } from '../../options/option.ts'
import type { End } from '../record/record-options.ts'
import { checkOptions, configOption, judgeOptions, quietOption, storeOptions } from '../../options/table.ts'

export interface CheckCommands {
  verify(flags: VerifyFlags, io: CliIo): Promise<number>
  baseline(flags: BaselineFlags, io: CliIo): Promise<number>
  mcp(flags: McpFlags, io: CliIo): Promise<number>
}

const resultOption: OptionRow = ['--json', 'the result as JSON']

const firstVerifyFlags: readonly string[] = [
  ...['--until', '--preset', '--check', '--baseline', '--workdir'],
  ...['--watch', '--json', '--junit', '--github', '--quiet'],
]

export function addCheckCommands(program: Command, commands: CheckCommands, io: CliIo, end: End): void {
  addCommand(program, {
    name: 'verify',
    description: 'run the checks once, without any agent',
    options: [
      ...checkOptions,
      ...judgeOptions,
      ...storeOptions,
      configOption,
      resultOption,
      quietOption,
      ['--junit <file>', 'write a JUnit report'],
      ['--sarif <file>', 'write a SARIF report'],
      ['--github', 'write annotations, and a step summary, for GitHub Actions'],
      ['--receipt <file>', 'write a receipt of what was checked'],
      ['-w, --watch', 'check again whenever the tree changes'],
    ],
    first: firstVerifyFlags,
    examples: verifyExamples,
  }).action(async (flags: VerifyFlags) => end(await commands.verify(flags, io)))
  addCommand(program, {
    name: 'mcp',
    description:
      'a server of the Model Context Protocol on standard input and output: what is the goal, is it done, why not',
    options: [
      ...checkOptions,
      ...judgeOptions,
      ...storeOptions,
      ['--goal <text>', 'what is to be reached, as the client is told it'],
      configOption,
    ],
    examples: [
      'donecheck mcp --until "npm test" --goal "Make the tests pass."',
      'donecheck mcp --workdir ../other',
    ],
  }).action(async (flags: McpFlags) => end(await commands.mcp(flags, io)))
  addCommand(program, {
    name: 'baseline',
    description: 'record what the checks say now (or said at a revision), to compare with later',
    options: [
      ...checkOptions,
      ...storeOptions,
      configOption,
      ['--at <revision>', 'of a git revision, instead of the tree as it is now'],
      resultOption,
    ],
    examples: ['donecheck baseline --until "npm test"', 'donecheck baseline --at HEAD'],
  }).action(async (flags: BaselineFlags) => end(await commands.baseline(flags, io)))
}

const verifyExamples = `
Examples:
  $ donecheck verify
  $ donecheck verify --until "npm test" --preset lint --baseline origin/main --junit checks.xml
  $ donecheck verify --until "npm test" --watch

Exit codes: 0 verified, 1 failed, 2 wrong usage, 4 unverified, 5 blocked, 70 error, 130 interrupted.`
