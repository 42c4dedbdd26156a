/** What can be typed after `donecheck patch`. */
import { Option, type Command } from 'commander'
import type { PatchFlags, PatchTask } from './patch-flags.ts'
import { examplesOf } from './help-examples.ts'
import type { CliIo } from './io.ts'

export interface PatchCommands {
  patch(task: PatchTask, file: string | undefined, flags: PatchFlags, io: CliIo): Promise<number>
}

export function addPatchCommand(
  program: Command,
  commands: PatchCommands,
  io: CliIo,
  end: (exitCode: number) => void,
): void {
  const patch = program
    .command('patch')
    .description('look at a patch, apply it to a folder as a whole or not at all, take it back')
    .addHelpText(
      'after',
      examplesOf(['donecheck patch check fix.patch', 'donecheck patch apply - < fix.patch']),
    )
  const act = (task: PatchTask) => async (file: string | undefined, flags: PatchFlags) =>
    end(await commands.patch(task, file, flags, io))
  addFormatOptions(addFolderOptions(patch.command('check')))
    .description('print what a patch would change as a unified diff; nothing is written')
    .argument('[file]', 'the patch; - or nothing reads standard input')
    .action(act('check'))
    .addHelpText(
      'after',
      examplesOf(['donecheck patch check fix.patch', 'git diff | donecheck patch check --root ../copy']),
    )
  addReceiptOptions(addFormatOptions(addFolderOptions(patch.command('apply'))))
    .description('apply a patch, all of it or nothing, and print a receipt that takes it back')
    .argument('[file]', 'the patch; - or nothing reads standard input')
    .action(act('apply'))
    .addHelpText(
      'after',
      examplesOf([
        'donecheck patch apply fix.patch --receipt undo.txt',
        'donecheck patch apply fix.patch --dry-run',
      ]),
    )
  addReceiptOptions(addFolderOptions(patch.command('reverse')))
    .description('take a patch back, all of it or nothing, and print a receipt that makes it again')
    .argument('[file]', 'the receipt; - or nothing reads standard input')
    .action(act('reverse'))
    .addHelpText('after', examplesOf(['donecheck patch reverse undo.txt']))
}

function addFolderOptions(command: Command): Command {
  return command
    .option('--root <folder>', 'whose files are changed; default: the current folder')
    .addOption(new Option('--output-format <format>', 'what is printed').choices(['text', 'json']))
}

function addFormatOptions(command: Command): Command {
  return command
    .addOption(new Option('--format <format>', 'default: auto').choices(['v4a', 'unified', 'auto']))
    .addOption(
      new Option(
        '--mode <mode>',
        'default: strict; codex-compatible does and says exactly what apply_patch of Codex does, defects included',
      ).choices(['strict', 'codex-compatible']),
    )
}

function addReceiptOptions(command: Command): Command {
  return command
    .option('--dry-run', 'print what would change as a unified diff; nothing is written')
    .option('--receipt <file>', 'where the receipt is written, instead of standard output')
}
