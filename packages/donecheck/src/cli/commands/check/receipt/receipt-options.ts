/** What can be typed after `donecheck receipt`. */
import type { Command } from 'commander'
import { collect } from '../../../options/flag-values.ts'
import { addCommand, type Act, type OptionRow } from '../../../options/option.ts'
import { aRun, outputOption } from '../../record/record-options.ts'
import { storeOptions } from '../../../options/table.ts'

const verifyOptions: readonly OptionRow[] = [
  [
    '--gate',
    'exit with 0 only for a verified run on this tree, of this store or signed by an allowed signer',
  ],
  ['--tree <revision>', 'compare with a git revision, instead of the work folder'],
  [
    '--require-check <check>',
    'of the gate: NAME=COMMAND or NAME, a check that must have passed; several times',
    collect,
  ],
  ['--allowed-signers <file>', 'whose SSH keys count, as ssh-keygen reads it'],
  ['--signer <identity>', 'principal of that file who must have signed'],
  ...storeOptions,
  ['--json', 'what was compared, as JSON'],
]

export function addReceiptCommand(program: Command, act: Act): void {
  const receipt = addCommand(program, {
    name: 'receipt',
    description: 'print the receipt of a run: what was checked, on which tree, with what result',
    arguments: [aRun],
    options: [...storeOptions, outputOption],
    examples: ['donecheck receipt last --output receipt.json', 'donecheck receipt verify receipt.json'],
  })
    .enablePositionalOptions()
    .action(act(async () => (await import('./receipt.ts')).receiptCommand))
  addCommand(receipt, {
    name: 'sign',
    description: 'put a receipt into an envelope that an SSH key has signed',
    arguments: [['<file>', 'the receipt']],
    options: [['--key <file>', 'a private SSH key, or a public one whose agent runs'], outputOption],
    examples: ['donecheck receipt sign receipt.json --key ~/.ssh/id_ed25519 --output receipt.dsse.json'],
  }).action(act(async () => (await import('./receipt.ts')).signReceiptCommand))
  addCommand(receipt, {
    name: 'verify',
    description: 'compare a receipt with the store and the tree, and check its signature',
    arguments: [['<file>', 'the receipt: a statement or a DSSE envelope']],
    options: verifyOptions,
    examples: [
      'donecheck receipt verify receipt.json',
      'donecheck receipt verify receipt.dsse.json --gate --allowed-signers signers --require-check "tests=npm test"',
    ],
  }).action(act(async () => (await import('./verify-receipt.ts')).verifyReceiptCommand))
}
