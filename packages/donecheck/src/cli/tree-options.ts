import type { Command } from 'commander'
import type { ApproveFlags } from './commands/approve.ts'
import { examplesOf } from './help-examples.ts'
import type { CliIo } from './io.ts'
import { addResumeOptions, addStoreOption, type StoreFlags } from './options.ts'

export interface TreeCommands {
  approve(runId: string, paths: readonly string[], flags: ApproveFlags, io: CliIo): Promise<number>
  explainTrees(runId: string, flags: StoreFlags, io: CliIo): Promise<number>
}

/** What differs between the two trees of a run, and who allows it. */
export function addTreeCommands(
  program: Command,
  commands: TreeCommands,
  io: CliIo,
  end: (exitCode: number) => void,
): void {
  const run = ['<run>', 'its id, or the beginning of it; "last" is the latest'] as const
  addResumeOptions(program.command('approve'))
    .description('allow changes of the checks that a run waits for, by name, and go on with it')
    .argument(...run)
    .argument('[path...]', 'these alone, as paths or globs; without one all that waits')
    .option('--by <name>', 'who allows it; your user name where nothing is said')
    .option('--reason <text>', 'why, for the record')
    .action(async (runId: string, paths: string[], flags: ApproveFlags) =>
      end(await commands.approve(runId, paths, flags, io)),
    )
    .addHelpText(
      'after',
      examplesOf([
        'donecheck approve last',
        'donecheck approve last test/cart.test.js --reason "prices include tax now"',
      ]),
    )
  addStoreOption(program.command('explain-trees'))
    .description('tell of every changed file whether it is product or belongs to the checks, and why')
    .argument(...run)
    .option('--json', 'as JSON')
    .action(async (runId: string, flags: StoreFlags) => end(await commands.explainTrees(runId, flags, io)))
    .addHelpText('after', examplesOf(['donecheck explain-trees last']))
}
