/** What can be typed of the service and of the page. */
import type { Command } from 'commander'
import { collect } from '../../options/flag-values.ts'
import { addCommand, type Act } from '../../options/option.ts'
import { addFleetCommands, serviceFleetOptions } from '../fleet/fleet-options.ts'
import { storeOptions } from '../../options/table.ts'

export function addServiceCommands(program: Command, act: Act): void {
  addCommand(program, {
    name: 'serve',
    description:
      'serve runs, approvals and the page over HTTP, or view them with --read-only; Ctrl-C leaves runs alone',
    arguments: [['[run]', 'with --read-only: a run or an exported file; none shows all runs']],
    options: [
      ...storeOptions,
      ['--read-only', 'on a free port of this machine, only to look: nothing can be started or decided'],
      ['--open', 'with --read-only: open the browser, if this is a terminal'],
      ['--listen <host:port>', 'where (default 127.0.0.1:4747); beyond this machine only with --token-file'],
      ['--token-file <file>', 'who may ask: names, tokens and roles, as JSON that only you can read'],
      ['--public-url <url>', 'under which browsers reach it through a proxy; several times', collect],
      ['--webhook <url>', 'tell this address what ends and what is asked, signed; several times', collect],
      ['--webhook-secret-file <file>', 'what it is signed with: base64 that only you can read'],
      ...serviceFleetOptions,
      ['--json', 'the address and the token as one line of JSON, for a program that starts it'],
    ],
    examples: [
      'donecheck serve',
      'donecheck serve --read-only last --open',
      'donecheck serve --read-only run.jsonl',
      'donecheck serve --webhook https://example.org/hooks/donecheck --webhook-secret-file ~/webhook-secret',
      'donecheck serve --fleet http://restate:8080 --store postgres://donecheck@database/donecheck',
      'donecheck serve --listen 0.0.0.0:4747 --token-file ~/.config/donecheck/tokens.json --public-url https://donecheck.example.org',
    ],
  }).action(act(async () => (await import('./serve.ts')).serveCommand))
  addFleetCommands(program, act)
}
