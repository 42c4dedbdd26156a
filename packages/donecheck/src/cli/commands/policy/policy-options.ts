/** What can be typed after `donecheck policy`. */
import type { Command } from 'commander'
import { approvalPolicies } from '@donecheck/engine/ports/gate'
import { collect } from '../../options/flag-values.ts'
import { addCommand, type Act, type OptionRow } from '../../options/option.ts'

/** Everything behind the first word of the command belongs to it, whether or not `--` stands before it. */
export function addPolicyCommand(program: Command, act: Act): void {
  const policy = addCommand(program, {
    name: 'policy',
    description: 'what the gate says of commands and rule files',
    examples: ['donecheck policy check --rules default.rules -- git push'],
  }).enablePositionalOptions()
  addCommand(policy, {
    name: 'check',
    description: 'decide about one command as JSON like `codex execpolicy check`, or about a whole line',
    arguments: [words],
    options: [
      ...policyOptions,
      ...scriptOptions,
      ['--pretty', 'JSON over several lines'],
      ['--resolve-host-executables', 'rules for a name also hold for its path; of one command alone'],
    ],
    examples: [
      'donecheck policy check --rules default.rules -- git push --force',
      'donecheck policy check --script "cd web && npm test | tee log" --approval untrusted --pretty',
    ],
  })
    .passThroughOptions()
    .action(act(async () => (await import('./policy.ts')).policyCheckCommand))
  addCommand(policy, {
    name: 'explain',
    description: 'the same for people: every rule that matched, and where',
    arguments: [words],
    options: [...policyOptions, ...scriptOptions],
    examples: ['donecheck policy explain "git pull && git push -f"'],
  })
    .passThroughOptions()
    .action(act(async () => (await import('./policy.ts')).policyExplainCommand))
}

const words = ['[command...]', 'one command word by word, or a quoted line'] as const

/** Where the policy comes from. */
const policyOptions: readonly OptionRow[] = [
  ['-r, --rules <file>', 'a rule file, or a folder of them; several times', collect],
  ['--rules-only', 'the built-in rules and --rules, and nothing of yours or of the project'],
  ['--project-rules <how>', 'as of run', ['trusted', 'tighten', 'off']],
  ['--config <file>', 'as of run'],
  ['--workdir <folder>', 'default: the current folder'],
]

const scriptOptions: readonly OptionRow[] = [
  ['--script <line>', 'a whole command line instead'],
  ['--approval <when>', 'the approval policy to decide under', approvalPolicies],
  ['--unconfined', 'decide as if there were no sandbox'],
]
