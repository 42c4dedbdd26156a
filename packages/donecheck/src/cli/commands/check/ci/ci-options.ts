/** What can be typed after `donecheck ci`. */
import type { Command } from 'commander'
import type { CiFlags, Perform } from './ci.ts'
import type { CommentFlags } from './comment.ts'
import type { CliIo } from '../../../process/io.ts'
import { addCommand } from '../../../options/option.ts'
import type { End } from '../../record/record-options.ts'

export interface CiCommands {
  ci(words: readonly string[], flags: CiFlags, io: CliIo, perform: Perform): Promise<number>
  ciComment(report: string, flags: CommentFlags, io: CliIo): Promise<number>
}

export function addCiCommand(
  program: Command,
  commands: CiCommands,
  { io, end, perform }: { readonly io: CliIo; readonly end: End; readonly perform: Perform },
): void {
  const ci = addCommand(program, {
    name: 'ci',
    description:
      'verify or run in a job of CI: annotations, a summary, outputs and files for what comes after',
    arguments: [['<command...>', 'verify or run, with its options']],
    options: [
      ['--report <file>', 'write the checks and the timeline as Markdown'],
      ['--receipt <file>', 'write a receipt of what was checked'],
      ['--junit <file>', 'write a JUnit report'],
      ['--sarif <file>', 'write a SARIF report'],
    ],
    examples: [
      'donecheck ci --report report.md verify --preset tests --baseline origin/main',
      'donecheck ci --receipt receipt.json run --until "npm test" --agent claude "Fix the failing test."',
    ],
  })
    .enablePositionalOptions()
    .passThroughOptions()
    .action(async (words: string[], flags: CiFlags) => end(await commands.ci(words, flags, io, perform)))
  addCommand(ci, {
    name: 'comment',
    description: 'write a report as a comment of the pull or merge request, or write that comment anew',
    arguments: [['<report>', 'as "donecheck ci --report" wrote it']],
    options: [['--name <name>', 'tells the comments of several jobs apart (default: the job)']],
    examples: ['donecheck ci comment report.md'],
  }).action(async (report: string, flags: CommentFlags) => end(await commands.ciComment(report, flags, io)))
}
