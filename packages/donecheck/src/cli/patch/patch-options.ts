/** What can be typed after `donecheck patch`. */
import type { Command } from 'commander'
import type { PatchTask } from '../commands/patch.ts'
import { addCommand, type Act, type OptionRow } from '../options/option.ts'

export function addPatchCommand(program: Command, act: Act): void {
  const patch = addCommand(program, {
    name: 'patch',
    description: 'look at a patch, apply it to a folder as a whole or not at all, take it back',
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
    description: 'apply a patch, all of it or nothing, and print a receipt that takes it back',
    arguments: [['[file]', 'the patch; - or nothing reads standard input']],
    options: [...folderOptions, ...formatOptions, ...receiptOptions],
    examples: [
      'donecheck patch apply fix.patch --receipt undo.txt',
      'donecheck patch apply fix.patch --dry-run',
    ],
  }).action(actOn('apply'))
  addCommand(patch, {
    name: 'reverse',
    description: 'take a patch back, all of it or nothing, and print a receipt that makes it again',
    arguments: [['[file]', 'the receipt; - or nothing reads standard input']],
    options: [...folderOptions, ...receiptOptions],
    examples: ['donecheck patch reverse undo.txt'],
  }).action(actOn('reverse'))
}

const folderOptions: readonly OptionRow[] = [
  ['--root <folder>', 'whose files are changed; default: the current folder'],
  ['--json', 'the result as JSON'],
]

const formatOptions: readonly OptionRow[] = [
  ['--format <format>', 'default: auto', ['v4a', 'unified', 'auto']],
  [
    '--mode <mode>',
    'default: strict; codex-compatible does and says exactly what apply_patch of Codex does, defects included',
    ['strict', 'codex-compatible'],
  ],
]

const receiptOptions: readonly OptionRow[] = [
  ['--dry-run', 'print what would change as a unified diff; nothing is written'],
  ['--receipt <file>', 'where the receipt is written, instead of standard output'],
]
