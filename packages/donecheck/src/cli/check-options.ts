/** Flags of the commands that check without an agent, and those that they share with a run. */
import { Option, type Command } from 'commander'
import { collect, positive, positiveWhole, share, whole } from './flag-values.ts'

export function addStoreOption(command: Command): Command {
  return command
    .option(
      '--store <folder>',
      'where runs are kept (default: the state folder of the user, one per project)',
    )
    .option('--workdir <folder>', 'the project (default: the current folder)')
}

/** What is checked, and how: the same for a run and for a verification without one. */
export function addCheckOptions(command: Command): Command {
  addMayChangeOption(command)
  return command
    .option('--until <command>', 'must exit with 0; may be given several times', collect)
    .option('--held-out <command>', 'a check that the agent is never shown; it runs at the end', collect)
    .option('--held-out-files <folder>', 'laid over a clean copy of the project for the held-out checks')
    .option('--preset <name>', "a check of the project's own: tests, lint, typecheck, build", collect)
    .option('--verify-timeout <seconds>', 'for one check (default 300)', positive)
    .option('--parallel <count>', 'checks at a time (default 2)', positiveWhole)
    .option('--fail-fast', 'break the other checks off at the first failure that decides')
    .addOption(
      new Option(
        '--pre-existing <how>',
        'failures that were there before: mend them too (default), or let it not get worse',
      ).choices(['mend', 'not-worse']),
    )
    .addOption(
      new Option(
        '--flaky <how>',
        'a check that fails and passes on the same tree: refuse it (default), or confirm its pass',
      ).choices(['refuse', 'confirm']),
    )
    .option('--retry-failures <count>', 'further tries of a check that failed (default 0)', whole)
    .addOption(
      new Option(
        '--verdict-cache <scope>',
        'whose verdicts are taken again while nothing has changed: this run (default), the store, nobody',
      ).choices(['run', 'store', 'off']),
    )
    .option(
      '--trust-check <name>',
      'believe this check although nothing shows that it can fail; several times',
      collect,
    )
    .option('--baseline <revision>', 'compare with a git revision, or a recorded baseline (its run id)')
    .option('--no-tamper-guard', 'do not run the checks as they were in the baseline')
    .option('--protect <glob>', 'further files that may not be changed; several times', collect)
    .addOption(
      new Option(
        '--on-tamper <response>',
        'work that is green only with changed checks: ask for authority (default), or end the run',
      ).choices(['ask', 'refuse']),
    )
    .option('--clean-copy', 'check in a copy of the tree, without what git ignores')
    .option('--min-power <share>', 'share of planted faults that the checks must find (0 to 1)', share)
}

export function addMayChangeOption(command: Command): void {
  command.option(
    '--may-change <glob>',
    'tests and the like that this task may change; several times',
    collect,
  )
}

export function addVerifyOptions(command: Command): Command {
  addCheckOptions(command)
  addStoreOption(command)
  return command
    .option('--config <file>', 'instead of donecheck.config.ts, .js or .json in the work folder')
    .option('--json', 'the result as JSON')
    .option('--junit <file>', 'write a JUnit report')
    .option('--sarif <file>', 'write a SARIF report')
    .option('--github', 'write annotations, and a step summary, for GitHub Actions')
    .option('--receipt <file>', 'write a receipt of what was checked')
    .option('--watch', 'check again whenever the tree changes')
}

export function addMcpOptions(command: Command): Command {
  addCheckOptions(command)
  addStoreOption(command)
  return command
    .option('--goal <text>', 'what is to be reached, as the client is told it')
    .option('--config <file>', 'instead of donecheck.config.ts, .js or .json in the work folder')
}

export function addBaselineOptions(command: Command): Command {
  addCheckOptions(command)
  addStoreOption(command)
  return command
    .option('--config <file>', 'instead of donecheck.config.ts, .js or .json in the work folder')
    .option('--at <revision>', 'of a git revision, instead of the tree as it is now')
    .option('--json', 'the result as JSON')
}

export function addReceiptOptions(command: Command): Command {
  return addStoreOption(command)
    .option('-o, --output <file>', 'instead of standard output')
    .option('--json', 'what was compared, as JSON')
}
