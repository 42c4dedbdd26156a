/** The page docs/reference/reasons.md says what the tables say; `npx vitest run reasons-page -u` writes it anew. */
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { expect, it } from 'vitest'
import { labels, type ForeignSystem, type Vocabulary } from './find-reason.ts'
import { labelRows, wordRows, type TableRow } from './fixtures/table-rows.ts'

const reasonsPage = fileURLToPath(new URL('../../../../../docs/reference/reasons.md', import.meta.url))

it('docs/reference/reasons.md is what the labels give', async () => {
  await expect(await reasonsMarkdown()).toMatchFileSnapshot(reasonsPage)
})

const introduction = `# Labels of ends and turns

Every run ends with one reason, one outcome and one exit code; every turn that goes on has a reason too. They stand in the
transitions of the record, in the result line, in the receipt and in the last line of a run. \`donecheck explain\` lists
them for a terminal, \`donecheck explain <reason>\` tells about one, and \`donecheck explain --json\` prints this page for a program.
`

const rules = `## Words of other systems

The tables go both ways, and fail closed:

- From ours to theirs only \`task_complete\` becomes a word for success. Where the nearest word of another end reads as success,
  the table has the system's general word for what went wrong, or none: an adapter that must say something all the same
  carries our outcome beside it.
- From theirs to ours nothing becomes \`task_complete\`: only checks that ran here give that. Their success is at most
  \`model_ended\`.
- A dash is no counterpart; the note says why. A note on a word says how near it comes.
`

async function reasonsMarkdown(): Promise<string> {
  const text = [
    introduction,
    '## Ends\n',
    endTable(),
    'A cap and a detector stand beside the reason: `hard_cap tokens`, `loop_detected ping_pong`.\n',
    '## Caps\n',
    table(
      ['cap', 'when it ends the run'],
      Object.entries(labels.caps).map(([name, { meaning }]) => [code(name), meaning]),
    ),
    '## Loop detectors\n',
    table(['detector', 'what it has seen'], meaningRows(labels.detectors)),
    '## Turns that go on\n',
    table(['reason', 'meaning'], meaningRows(labels.turns)),
    '## Tool calls that were refused\n',
    table(['label', 'meaning'], meaningRows(labels.refusals)),
    rules,
    ...labels.systems.flatMap(systemSection),
  ].join('\n')
  return format(text, { ...(await resolveConfig(reasonsPage)), parser: 'markdown' })
}

function endTable(): string {
  return table(
    ['end', 'outcome', 'exit', 'resume', 'meaning', 'what to do next'],
    labels.ends.map(({ name, reason, outcome, exitCode, resume, meaning, next }) => [
      name === reason ? code(name) : `${name} (reason ${code(reason)})`,
      outcome,
      String(exitCode),
      resume.replaceAll('-', ' '),
      meaning,
      next,
    ]),
  )
}

function systemSection({ title, seenIn, vocabularies }: ForeignSystem): readonly string[] {
  return [`### ${title}\n`, `Seen in: ${seenIn}.\n`, ...vocabularies.flatMap(vocabularySection)]
}

function vocabularySection(vocabulary: Vocabulary): readonly string[] {
  const extent = vocabulary.isComplete ? '' : ', as far as it is known'
  return [
    `**${vocabulary.field}**${extent}\n`,
    ...notedTable(['ours', 'there'], wordRows(vocabulary)),
    ...notedTable(['there', 'ours'], labelRows(vocabulary)),
  ]
}

/** Notes stand below the table, each once. */
function notedTable(head: readonly [string, string], rows: readonly TableRow[]): readonly string[] {
  const notes = [...new Set(rows.flatMap(({ note }) => note ?? []))]
  const mark = ({ note }: TableRow) => (note === undefined ? '' : ` (${notes.indexOf(note) + 1})`)
  return [
    table(
      head,
      rows.map((row) => [code(row.from), `${row.to === null ? '–' : code(row.to)}${mark(row)}`]),
    ),
    ...(notes.length === 0 ? [] : [`${notes.map((note, index) => `${index + 1}. ${note}`).join('\n')}\n`]),
  ]
}

function meaningRows(meanings: Readonly<Record<string, string>>): readonly (readonly string[])[] {
  return Object.entries(meanings).map(([name, meaning]) => [code(name), meaning])
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n')
}

/** Groups such as "every end" are words of the table, not labels. */
function code(text: string): string {
  return text.startsWith('every ') ? text : `\`${text}\``
}
