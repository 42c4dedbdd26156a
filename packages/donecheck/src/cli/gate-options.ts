/** Flags about what may run. */
import { Option, type Command } from 'commander'
import { gateKinds } from '../gate-kinds.ts'
import { approvalPolicies } from '../gate-ports.ts'
import { collect } from './flag-values.ts'

export function addPermissionOptions(command: Command): void {
  command
    .option('--yes', 'accept whatever would be asked about a tool call of the model')
    .addOption(
      new Option(
        '--approval <when>',
        'when you are asked before a tool runs (default on-request: what the sandbox does not hold)',
      ).choices(approvalPolicies),
    )
    .option('--trace', 'show every hook and every decision of the gate')
}

export function addGateOptions(command: Command): void {
  addRuleOptions(command)
  addSandboxOptions(command)
}

/** What may run, whoever runs it. */
export function addRuleOptions(command: Command): void {
  command
    .option(
      '--rules <file>',
      'rules of commands, as Codex writes them; a file or a folder; repeatable',
      collect,
    )
    .addOption(
      new Option(
        '--project-rules <how>',
        'rules in .donecheck/rules of the work folder (default tighten: none of them allows anything)',
      ).choices(['trusted', 'tighten', 'off']),
    )
    .addOption(
      new Option(
        '--undecidable <what>',
        'a command of which nobody can say what it would run (default prompt)',
      ).choices(gateKinds),
    )
    .addOption(
      new Option('--gate <mode>', 'shadow: record what would be refused or asked, and let it run').choices([
        'on',
        'shadow',
      ]),
    )
}

function addSandboxOptions(command: Command): void {
  command
    .addOption(
      new Option('--sandbox <driver>', 'what confines the commands of the model (default auto)').choices([
        'auto',
        'none',
        'bubblewrap',
        'sandbox-runtime',
      ]),
    )
    .option('--allow-network', 'commands in the sandbox may reach the network')
    .option('--writable <folder>', 'commands in the sandbox may write there too; repeatable', collect)
}
