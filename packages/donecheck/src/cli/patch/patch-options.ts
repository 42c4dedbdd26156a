/** What can be typed after `donecheck patch`. */
import type { Command } from 'commander'
import type { CliIo } from '../process/io.ts'
import { addCommand, type OptionRow } from '../options/option.ts'

export type PatchTask = 'check' | 'apply' | 'reverse'

export interface PatchFlags {
  readonly root?: string
  readonly mode?: 'strict' | 'codex-compatible'
  readonly format?: 'v4a' | 'unified' | 'auto'
  readonly dryRun?: boolean
  readonly receipt?: string
  readonly outputFormat?: 'text' | 'json'
}

export interface PatchCommands {
  patch(task: PatchTask, file: string | undefined, flags: PatchFlags, io: CliIo): Promise<number>
}

export function addPatchCommand(
  program: Command,
  commands: PatchCommands,
  io: CliIo,
  end: (exitCode: number) => void,
): void {
  const patch = addCommand(program, {
    name: 'patch',
    description: 'look at a patch, apply it to a folder as a whole or not at all, take it back',
    examples: ['donecheck patch check fix.patch', 'donecheck patch apply - < fix.patch'],
  })
  const act = (task: PatchTask) => async (file: string | undefined, flags: PatchFlags) =>
    end(await commands.patch(task, file, flags, io))
  addCommand(patch, {
    name: 'check',
    description: 'print what a patch would change as a unified diff; nothing is written',
    arguments: [['[file]', 'the patch; - or nothing reads standard input']],
    options: [...folderOptions, ...formatOptions],
    examples: ['donecheck patch check fix.patch', 'git diff | donecheck patch check --root ../copy'],
  }).action(act('check'))
  addCommand(patch, {
    name: 'apply',
    description: 'apply a patch, all of it or nothing, and print a receipt that takes it back',
    arguments: [['[file]', 'the patch; - or nothing reads standard input']],
    options: [...folderOptions, ...formatOptions, ...receiptOptions],
    examples: [
      'donecheck patch apply fix.patch --receipt undo.txt',
      'donecheck patch apply fix.patch --dry-run',
    ],
  }).action(act('apply'))
  addCommand(patch, {
    name: 'reverse',
    description: 'take a patch back, all of it or nothing, and print a receipt that makes it again',
    arguments: [['[file]', 'the receipt; - or nothing reads standard input']],
    options: [...folderOptions, ...receiptOptions],
    examples: ['donecheck patch reverse undo.txt'],
  }).action(act('reverse'))
}

const folderOptions: readonly OptionRow[] = [
  ['--root <folder>', 'whose files are changed; default: the current folder'],
  ['--output-format <format>', 'what is printed', ['text', 'json']],
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
