/** The page docs/reference/reasons.md matches the tables; `npx vitest run reasons-page -u` updates it. */
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { expect, it } from 'vitest'
import { endLabels, labelTables } from './own-labels.ts'

const reasonsPage = fileURLToPath(new URL('../../../../../docs/reference/reasons.md', import.meta.url))

it('docs/reference/reasons.md is what the labels give', async () => {
  await expect(await reasonsMarkdown()).toMatchFileSnapshot(reasonsPage)
})

const introduction = `# Reasons

Every run ends with one reason, one outcome and one exit code. Every turn that continues has a reason too. You find them in
the record, the result, the receipt and the JSON output. \`donecheck explain\` lists them, \`donecheck explain <reason>\`
describes one, and \`donecheck explain --json\` prints this page for a program.
`

async function reasonsMarkdown(): Promise<string> {
  const text = [
    introduction,
    '## Ends\n',
    endTable(),
    'The limit or the detector follows the reason: `hard_cap tokens`, `loop_detected ping_pong`.\n',
    '## Limits\n',
    table(['limit', 'when it ends the run'], meaningRows(labelTables.cap)),
    '## Loop detectors\n',
    table(['detector', 'what it saw'], meaningRows(labelTables.detector)),
    '## Turns that continue\n',
    table(['reason', 'meaning'], meaningRows(labelTables.turn)),
    '## Denied tool calls\n',
    table(['code', 'meaning'], meaningRows(labelTables.refusal)),
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
