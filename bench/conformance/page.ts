/** The page docs/measured/conformance.md. */
import { cases, type CaseResult } from '@donecheck/conformance'

export interface Measured {
  readonly name: string
  readonly shown: string
  readonly results: readonly CaseResult[]
}

const introduction = `# Loops, hooks and gates, tried with the conformance kit

Made by \`npm run bench:conformance -- --write\`. The kit, its cases and its words are told in [the guide](../guide/conformance.md). Every
subject met the same scripted agents in the same small projects.

- **false success**: reported as verified what is not. **missed**: did not see that the work was done. **no end**: did not come to an end
  within two minutes for a command. **other**: the end is right; turns, files or the result line are not.
- A plain Stop hook is read as Claude Code reads it: a stop that is let through is a success. A hook of donecheck that lets go after it has held
  the agent back in vain says so; \`donecheck list --json\` is asked what it holds the work for.
- A gate sees the tree in the end and nothing else, so it is not asked about cases that differ only on the way there. Where a hook or a loop
  was tried with fewer cases than the others, its measurement was broken off: \`not asked\` says so.`

export function pageOf(measured: readonly Measured[]): string {
  return `${[introduction, subjectsOf(measured), failuresOf(measured), casesOf(measured)].join('\n\n')}\n`
}

const faults = ['false success', 'missed', 'no end', 'other'] as const

function subjectsOf(measured: readonly Measured[]): string {
  const rows = measured.map(({ name, shown, results }) => {
    const right = results.filter(({ problems }) => problems.length === 0).length
    const counts = faults.map((fault) => results.filter((result) => has(result, fault)).length)
    return [name, code(shown), `${right} of ${results.length}`, ...counts.map(String)]
  })
  return `## What came out\n\n${table(['', 'command', 'right', ...faults], rows)}`
}

function failuresOf(measured: readonly Measured[]): string {
  const own = measured.filter(({ shown }) => shown.startsWith('donecheck'))
  const lines = own.flatMap(({ name, results }) =>
    results.flatMap(({ case: one, problems }) =>
      problems.map(
        ({ fault, message }) =>
          `- **${name}**, ${one.kind}: ${one.name} (${one.about}): ${fault}: ${message}.`,
      ),
    ),
  )
  const text = lines.length === 0 ? 'None.' : lines.join('\n')
  return `## Where donecheck fails\n\n${text}`
}

function casesOf(measured: readonly Measured[]): string {
  const rows = cases.map((one) => [
    `${one.kind}: ${one.name}`,
    one.about,
    one.expected,
    ...measured.map(({ results }) =>
      cell(results.find((result) => result.case.name === one.name && result.case.kind === one.kind)),
    ),
  ])
  return `## Every case\n\n${table(['case', 'the agent or the check', 'expected', ...measured.map(({ name }) => name)], rows)}`
}

function cell(result: CaseResult | undefined): string {
  if (result === undefined) return 'not asked'
  return [...new Set(result.problems.map(({ fault }) => fault))].join(', ') || 'right'
}

function has({ problems }: CaseResult, fault: string): boolean {
  return problems.some((problem) => problem.fault === fault)
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const lines = [line(head), line(head.map(() => '---')), ...rows.map(line)]
  return `<!-- prettier-ignore -->\n${lines.join('\n')}`
}
