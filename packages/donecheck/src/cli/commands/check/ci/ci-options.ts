/** What can be typed after `donecheck ci`. */
import type { Command } from 'commander'
import type { Perform } from './ci.ts'
import { addCommand, type Act } from '../../../options/option.ts'

export function addCiCommand(program: Command, act: Act, perform: Perform): void {
  const ci = addCommand(program, {
    name: 'ci',
    description:
      'verify or run in a job of CI: annotations, a summary, outputs and files for what comes after',
    arguments: [['<command...>', 'verify or run, with its options']],
    options: [
      ['--report <file>', 'write the checks and the timeline as Markdown'],
      ['--receipt <file>', 'write a receipt of what was checked'],
      ['--junit <file>', 'write a JUnit report'],
    ],
    examples: [
      'donecheck ci --report report.md verify --preset tests --baseline origin/main',
      'donecheck ci --receipt receipt.json run --until "npm test" --agent claude "Fix the failing test."',
    ],
  })
    .enablePositionalOptions()
    .passThroughOptions()
    .action(act(async () => (await import('./ci.ts')).ciCommand.bind(undefined, perform)))
  addCommand(ci, {
    name: 'comment',
    description: 'write a report as a comment of the pull or merge request, or write that comment anew',
    arguments: [['<report>', 'as "donecheck ci --report" wrote it']],
    options: [['--name <name>', 'tells the comments of several jobs apart (default: the job)']],
    examples: ['donecheck ci comment report.md'],
  }).action(act(async () => (await import('./comment.ts')).commentCommand))
}
