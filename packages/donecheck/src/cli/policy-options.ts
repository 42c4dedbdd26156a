/** What can be typed after `donecheck policy`. */
import { Option, type Command } from 'commander'
import { gateKinds } from '../gate-kinds.ts'
import { approvalPolicies } from '../gate-ports.ts'
import type { PolicyFlags } from './policy-flags.ts'
import { collect } from './flag-values.ts'
import { examplesOf } from './help-examples.ts'
import type { CliIo } from './io.ts'

export interface PolicyCommands {
  policyCheck(words: readonly string[], flags: PolicyFlags, io: CliIo): Promise<number>
  policyExplain(words: readonly string[], flags: PolicyFlags, io: CliIo): Promise<number>
  policyLint(flags: PolicyFlags, io: CliIo): Promise<number>
}

/** Everything behind the first word of the command belongs to it, whether or not `--` stands before it. */
export function addPolicyCommand(
  program: Command,
  commands: PolicyCommands,
  io: CliIo,
  end: (exitCode: number) => void,
): void {
  const policy = program
    .command('policy')
    .description('what the gate says of commands and rule files')
    .enablePositionalOptions()
    .addHelpText('after', examplesOf(['donecheck policy check --rules default.rules -- git push']))
  addScriptOptions(addPolicyOptions(policy.command('check')))
    .description('decide about one command as JSON like `codex execpolicy check`, or about a whole line')
    .addOption(new Option('--pretty', 'JSON over several lines'))
    .addOption(
      new Option(
        '--resolve-host-executables',
        'rules for a name also hold for its path; of one command alone',
      ),
    )
    .action(async (words: string[], flags: PolicyFlags) => end(await commands.policyCheck(words, flags, io)))
    .addHelpText(
      'after',
      examplesOf([
        'donecheck policy check --rules default.rules -- git push --force',
        'donecheck policy check --script "cd web && npm test | tee log" --approval untrusted --pretty',
      ]),
    )
  addScriptOptions(addPolicyOptions(policy.command('explain')))
    .description('the same for people: every rule that matched, and where')
    .action(async (words: string[], flags: PolicyFlags) =>
      end(await commands.policyExplain(words, flags, io)),
    )
    .addHelpText('after', examplesOf(['donecheck policy explain --script "git pull && git push -f"']))
  addPolicyOptions(policy.command('lint'))
    .description('find rules that are shadowed, that never match, or that contradict their examples')
    .addOption(new Option('--json', 'as JSON'))
    .action(async (flags: PolicyFlags) => end(await commands.policyLint(flags, io)))
    .addHelpText('after', examplesOf(['donecheck policy lint --rules default.rules']))
}

/** Where the policy comes from. */
function addPolicyOptions(command: Command): Command {
  return command
    .option('-r, --rules <file>', 'a rule file, or a folder of them; several times', collect)
    .option('--rules-only', 'the built-in floor and --rules, and nothing of yours or of the project')
    .addOption(new Option('--project-rules <how>', 'as of run').choices(['trusted', 'tighten', 'off']))
    .option('--config <file>', 'as of run')
    .option('--workdir <folder>', 'default: the current folder')
}

function addScriptOptions(command: Command): Command {
  return command
    .argument('[command...]', 'one command, word by word')
    .passThroughOptions()
    .option('--script <line>', 'a whole command line instead')
    .addOption(
      new Option('--approval <when>', 'the approval policy to decide under').choices(approvalPolicies),
    )
    .addOption(
      new Option('--undecidable <how>', 'what is done where it cannot be told what would run').choices(
        gateKinds,
      ),
    )
    .addOption(new Option('--unconfined', 'decide as if there were no sandbox'))
}
