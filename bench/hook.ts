/**
 * `npm run bench:hook [-- --rounds N] [-- --write]`: what a hook of ours costs an agent at each call of a tool, beside a Node that
 * does nothing, in turn in the same run. `--write` writes docs/measured/hook.md. Asserts nothing about time.
 */
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { markdownOf } from './gate-page.ts'
import { hookPlace, type HookPlace } from './hook-place.ts'
import { median, rounded, type Table } from './table.ts'

const words = process.argv.slice(2)
const rounds = Number(words[words.indexOf('--rounds') + 1]) || 21
const histories = [10, 1_000, 10_000]
const aTest = 'before a test is written'
const aims: Readonly<Record<string, string>> = {
  'nothing is configured here': '<= 2',
  'before a tool that reads': '<= 2',
  'after a tool': '<= 2',
  'before a command': '<= 3',
  'before a command, with rules': '<= 3',
  'before a file is written': '<= 3',
}

const tables: Table[] = []
for (const events of histories) tables.push(await tableOf(events))
for (const { title, rows } of tables) {
  console.log(title)
  console.table(Object.fromEntries(rows.map(({ name, ...figures }) => [name, figures])))
}
if (words.includes('--write')) writeFileSync('docs/measured/hook.md', page())

async function tableOf(events: number): Promise<Table> {
  const place = await hookPlace(events)
  try {
    const subjects = subjectsAt(place)
    for (const run of Object.values(subjects)) for (let warm = 0; warm < 3; warm += 1) run()
    const ms = Object.fromEntries(Object.keys(subjects).map((name) => [name, [] as number[]]))
    for (let round = 0; round < rounds; round += 1)
      for (const [name, run] of Object.entries(subjects)) ms[name]?.push(run())
    const bare = ms['node -e 0'] ?? []
    return {
      title: `a session of ${events.toLocaleString('en')} events, ${rounds} rounds`,
      rows: Object.entries(ms).map(([name, times]) => ({
        name,
        'median ms': rounded(median(times), 1),
        'median of the ratios to node -e 0': rounded(
          median(times.map((time, index) => time / (bare[index] ?? Number.NaN))),
          2,
        ),
        'ratio of the quickest': rounded(Math.min(...times) / Math.min(...bare), 2),
        aim: aims[name] ?? '',
      })),
    }
  } finally {
    place.remove()
  }
}

function subjectsAt({
  bare,
  hook,
  underRules,
  elsewhere,
}: HookPlace): Readonly<Record<string, () => number>> {
  let count = 0
  const next = () => (count += 1)
  const proposed = (tool_name: string, tool_input: object) => () =>
    hook('PreToolUse', { tool_name, tool_input, tool_use_id: `p-${next()}` })
  return {
    'node -e 0': bare,
    'nothing is configured here': () =>
      elsewhere('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 'e-1' }),
    'before a tool that reads': proposed('Read', { file_path: 'src/a.ts' }),
    'before a command': proposed('Bash', { command: 'npm run build' }),
    'before a command, with rules': () =>
      underRules('PreToolUse', {
        tool_name: 'Bash',
        tool_input: { command: 'npm run build' },
        tool_use_id: `r-${next()}`,
      }),
    'before a file is written': proposed('Write', { file_path: 'src/a.ts', content: 'export const a = 1\n' }),
    [aTest]: proposed('Write', {
      file_path: 'src/a.test.ts',
      content: "import { expect, it } from 'vitest'\nit('adds', () => expect(1 + 1).toBe(2))\n",
    }),
    'after a tool': () => {
      const tool_input = { command: `cat file-${next()}.txt` }
      const tool_response = { stdout: `line ${count}`, stderr: '', interrupted: false }
      return hook('PostToolUse', { tool_name: 'Bash', tool_input, tool_response, tool_use_id: `f-${count}` })
    },
  }
}

function page(): string {
  const [cpu] = cpus()
  return `# What a hook costs at each call of a tool

Made by \`npm run bench:hook -- --write\` on ${cpus().length} × ${cpu?.model.trim() ?? 'an unknown processor'}, Node ${process.version}. Each figure
is a whole process, from its start to its end, as an agent waits for it; all rows of a table were taken in turn, so that
the ratios hold also where the machine was busy. _Ratio of the quickest_ compares the quickest process of each row, which a busy machine
distorts least. The aim is at most twice a Node that does nothing, and before a command or a change at most three times.

The hook is a few CommonJS files of its own, each loaded when it is needed, with V8's compile cache, one for each event, since V8 keeps
what ran when it was kept. A session is read from one row, however long it is, and written with its events in one transaction; what SQLite has not sorted
into its file is kept small, for every process reads it anew. What reads is not shown to the gate. A command or a change of a file is:
the gate and what it knows of shells, of the configuration and of rules are loaded for it.
A change of a file that decides whether the work is done (a test, its configuration) is compared by its syntax, and loads parsers for
that: there is no aim for it. A prompt and a claim load the checks, once for each turn, and are not measured here.

${tables.map(({ title, rows }) => `## ${title.charAt(0).toUpperCase()}${title.slice(1)}\n\n${markdownOf(rows)}`).join('\n\n')}
`
}
