/** The page docs/measured/gate-and-patch.md. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Table } from './table.ts'

const page = fileURLToPath(new URL('../docs/measured/gate-and-patch.md', import.meta.url))

const introduction = `# What the gate, patches, hooks and the sandbox cost

Made by \`npm run bench:gate -- --full --write\` (without \`--write\` it prints the tables; \`-- gate\`, \`patch\`, \`hooks\` or
\`sandbox\` takes one part). Figures of different tables were not measured at the same time; those of one table were taken
in turn in one run, so that their ratios hold also where the machine was busy.

- **Decision per command**: for each command line the median of its repetitions, then median, 95th percentile and slowest of
  all lines. The whole decision is what the loop waits for: parse, decompose, rules, the built-in rules, the files that are
  written to, the rule that would be proposed.
- **The reference** is OpenAI Codex, installed by \`node test/peers/install.ts codex\` into a folder outside of the lock file
  (\`DONECHECK_CODEX_FOLDER\` names another one). Without it its rows are left out. It is a process for each question and
  each patch, started from Node: the row of a process that does nothing says how much of it is the start alone. For the question it
  reads its rules each time, which donecheck does once.
- **Patches**: every case is applied to a fresh folder, and all ways must leave the same files, or the run ends with an error.
  donecheck does more than the reference: it looks where every symlink on the way leads, stages every new file beside its target, and
  takes all back where one cannot be put in its place. Neither waits for the disk.
- **Hooks**: an empty hook is given a copy of its own, a signal, a time limit, and a line in the trace.`

export function writeGatePage(tables: readonly Table[]): void {
  const sections = tables.map(({ title, rows }) => `## ${headingOf(title)}\n\n${markdownOf(rows)}`)
  writeFileSync(page, `${[introduction, ...sections].join('\n\n')}\n`)
}

function headingOf(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1)
}

export function markdownOf(rows: Table['rows']): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  return [
    '<!-- prettier-ignore -->',
    line(columns.map((column) => (column === 'name' ? '' : column))),
    line(columns.map((column) => (column === 'name' ? '---' : '---:'))),
    ...rows.map((row) => line(columns.map((column) => row[column] ?? ''))),
  ].join('\n')
}
