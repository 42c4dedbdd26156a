/** What can be typed to begin. */
import type { Command } from 'commander'
import type { CliIo } from '../../process/io.ts'
import { collect } from '../../options/flag-values.ts'
import { addCommand, type Act, type OptionRow } from '../../options/option.ts'

const initOptions: readonly OptionRow[] = [
  ['-u, --until <command>', 'must exit with 0 when work is done; several times', collect],
  ['-p, --preset <name>', "of the project's own checks only these; several times", collect],
  ['-a, --agent <agent>', 'who works (default: the first that is found)'],
  ['-m, --model <provider/name>', 'the same, for a model'],
  ['--install <agent>', "hold this agent to the checks by its hooks, in this project's settings"],
  ['--pre-push', 'let git push only what passes, from this clone'],
  ['--ci', 'write .github/workflows/donecheck.yml'],
  ['-y, --yes', 'without asking'],
  ['--dry-run', 'only show what would be written'],
  ['-C, --workdir <folder>', 'the project (default: the current folder)'],
]

export function addInitCommand(program: Command, act: Act): void {
  addCommand(program, {
    name: 'init',
    description: 'find the checks and agents that are there, and keep the choice in a small file',
    options: initOptions,
    examples: ['donecheck init', 'donecheck init --yes', 'donecheck init --pre-push --ci --dry-run'],
  }).action(act(async () => (await import('./init.ts')).initCommand))
}

export function addCompletionCommand(program: Command, act: Act): void {
  addCommand(program, {
    name: 'completion',
    description: 'print what a shell needs to complete commands, flags, runs and agents',
    arguments: [
      ['<shell>', 'bash, zsh or fish; "suggest" is what their scripts ask'],
      ['[words...]', 'with "suggest": what was typed so far'],
    ],
    examples: ['donecheck completion fish | source', 'source <(donecheck completion bash)'],
  }).action(
    act(async () => {
      const { completionCommand } = await import('./completion.ts')
      return (shell: string, words: readonly string[], _flags: object, io: CliIo) =>
        completionCommand(shell, words, program, io)
    }),
  )
}
