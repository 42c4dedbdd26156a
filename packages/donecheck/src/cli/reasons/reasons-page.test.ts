/** The page docs/reference/reasons.md matches the tables; `npx vitest run reasons-page -u` updates it. */
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { expect, it } from 'vitest'
import { endLabels, labelTables } from './own-labels.ts'

const reasonsPage = fileURLToPath(new URL('../../../../../docs/reference/reasons.md', import.meta.url))

it('docs/reference/reasons.md is what the labels give', async () => {
  await expect(await reasonsMarkdown()).toMatchFileSnapshot(reasonsPage)
})

const introduction = `# Labels of ends and turns

Every run ends with one reason, one outcome and one exit code; every turn that goes on has a reason too. They stand in the
transitions of the record, in the result line, in the receipt and in the last line of a run. \`donecheck explain\` lists
them for a terminal, \`donecheck explain <reason>\` tells about one, and \`donecheck explain --json\` prints this page for a program.
`

async function reasonsMarkdown(): Promise<string> {
  const text = [
    introduction,
    '## Ends\n',
    endTable(),
    'A cap and a detector stand beside the reason: `hard_cap tokens`, `loop_detected ping_pong`.\n',
    '## Caps\n',
    table(['cap', 'when it ends the run'], meaningRows(labelTables.cap)),
    '## Loop detectors\n',
    table(['detector', 'what it has seen'], meaningRows(labelTables.detector)),
    '## Turns that go on\n',
    table(['reason', 'meaning'], meaningRows(labelTables.turn)),
    '## Tool calls that were refused\n',
    table(['label', 'meaning'], meaningRows(labelTables.refusal)),
  ].join('\n')
  return format(text, { ...(await resolveConfig(reasonsPage)), parser: 'markdown' })
}

function endTable(): string {
  return table(
    ['end', 'outcome', 'exit', 'resume', 'meaning', 'what to do next'],
    endLabels.map(({ name, reason, outcome, exitCode, resume, meaning, next }) => [
      name === reason ? code(name) : `${name} (reason ${code(reason)})`,
      outcome,
      String(exitCode),
      resume.replaceAll('-', ' '),
      meaning,
      next,
    ]),
  )
}

function meaningRows(meanings: Readonly<Record<string, string>>): readonly (readonly string[])[] {
  return Object.entries(meanings).map(([name, meaning]) => [code(name), meaning])
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n')
}

function code(text: string): string {
  return `\`${text}\``
}
