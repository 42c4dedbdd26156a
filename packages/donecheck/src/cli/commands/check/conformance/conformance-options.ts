/** What can be typed after `donecheck conformance`. */
import type { Command } from 'commander'
import { collect, positive, positiveWhole } from '../../../options/flag-values.ts'
import { addCommand, type Act } from '../../../options/option.ts'

export function addConformanceCommand(program: Command, act: Act): void {
  addCommand(program, {
    name: 'conformance',
    description: 'try a loop, a Stop hook or a gate, of anybody, with agents that work, idle, lie and tamper',
    options: [
      [
        '--against <command>',
        'a loop: it calls "$AGENT" "$TASK" and exits with 0 where it calls the work done',
      ],
      ['--stop-hook <command>', 'a Stop hook in the manner of Claude Code, called after every turn'],
      ['--start-hook <command>', 'with --stop-hook: called for SessionStart and UserPromptSubmit before'],
      [
        '--confirm <command>',
        'with --stop-hook: asked after a stop that was let through; another exit code than 0 denies it',
      ],
      ['--result-line', 'with --against: its last line is JSON, whose outcome and reason are judged too'],
      ['--gate <command>', 'a gate: it sees the tree in the end, and lets it through with exit code 0'],
      ['--only <text>', 'cases whose kind or name contains this; several times', collect],
      ['--list', 'list the cases, and try nothing'],
      ['--parallel <count>', 'cases at a time (default 3)', positiveWhole],
      ['--timeout <seconds>', 'for each command of a case (default 60)', positive],
      ['--junit <file>', 'write a JUnit report'],
      ['--json', 'as JSON'],
    ],
    examples: conformanceExamples,
  }).action(act(async () => (await import('./conformance.ts')).conformanceCommand))
}

const conformanceExamples = `
Examples:
  $ donecheck conformance --against 'donecheck run --yes --until "$CHECK" --agent "$AGENT" --max-turns "$MAX_TURNS" "$TASK"'
  $ donecheck conformance --stop-hook 'sh -c "$CHECK" >&2 || exit 2' --only tamperer
  $ donecheck conformance --gate 'sh -c "$CHECK"' --junit conformance.xml

Commands run by sh in the project of each case, with AGENT, CHECK, TASK, MAX_TURNS, CHECK_SECONDS and SCRATCH (a folder for what
they keep) in the environment. Exit code 1: some case is not as it should be.`
