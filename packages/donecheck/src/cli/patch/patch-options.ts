/** What can be typed after `donecheck patch`. */
import type { Command } from 'commander'
import type { PatchTask } from '../commands/patch.ts'
import { addCommand, type Act, type OptionRow } from '../options/option.ts'

export function addPatchCommand(program: Command, act: Act): void {
  const patch = addCommand(program, {
    name: 'patch',
    description: 'check a patch, or apply it to a folder as a whole or not at all',
    examples: ['donecheck patch check fix.patch', 'donecheck patch apply - < fix.patch'],
  })
  const actOn = (task: PatchTask) =>
    act(async () => (await import('../commands/patch.ts')).patchCommand.bind(undefined, task))
  addCommand(patch, {
    name: 'check',
    description: 'print what a patch would change as a unified diff; nothing is written',
    arguments: [['[file]', 'the patch; - or nothing reads standard input']],
    options: [...folderOptions, ...formatOptions],
    examples: ['donecheck patch check fix.patch', 'git diff | donecheck patch check --root ../copy'],
  }).action(actOn('check'))
  addCommand(patch, {
    name: 'apply',
    description: 'apply a patch, all of it or nothing, and print the change as a unified diff',
    arguments: [['[file]', 'the patch; - or nothing reads standard input']],
    options: [...folderOptions, ...formatOptions, ...applyOptions],
    examples: [
      'donecheck patch apply fix.patch --receipt done.diff',
      'donecheck patch apply fix.patch --dry-run',
    ],
  }).action(actOn('apply'))
}

const folderOptions: readonly OptionRow[] = [
  ['--root <folder>', 'whose files are changed; default: the current folder'],
  ['--json', 'the result as JSON'],
]

const formatOptions: readonly OptionRow[] = [
  ['--format <format>', 'default: auto', ['v4a', 'unified', 'auto']],
]

const applyOptions: readonly OptionRow[] = [
  ['--dry-run', 'print what would change as a unified diff; nothing is written'],
  ['--receipt <file>', 'new file for the diff, instead of standard output'],
]
