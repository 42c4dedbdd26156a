/**
 * `npm run bench:gate [-- WORDS]`: what the gate, patches, hooks and the sandbox cost. WORDS: `gate`, `patch`, `hooks`,
 * `sandbox` (default all); `--full` measures longer, `--write` writes docs/measured/gate-and-patch.md. Asserts nothing about
 * time.
 */
import colours from 'picocolors'
import { behindAims } from './aims.ts'
import { everydayTable } from './everyday-questions.ts'
import { gateDecisionTable, gateFirstTable } from './gate-decision.ts'
import type { BenchOptions } from './gate-figures.ts'
import { gateHooksTable } from './gate-hooks.ts'
import { gateLongLinesTable } from './gate-long-lines.ts'
import { writeGatePage } from './gate-page.ts'
import { gateReferenceTable } from './gate-reference.ts'
import { patchLargeTable } from './patch-large.ts'
import { patchReferenceTable } from './patch-reference.ts'
import { sandboxTable } from './sandbox.ts'
import type { Table } from './table.ts'

type MakesTable = (options: BenchOptions) => Promise<Table> | Table

const parts: Readonly<Record<string, readonly MakesTable[]>> = {
  gate: [gateFirstTable, gateDecisionTable, gateLongLinesTable, gateReferenceTable, everydayTable],
  patch: [patchReferenceTable, patchLargeTable],
  hooks: [gateHooksTable],
  sandbox: [sandboxTable],
}

const words = process.argv.slice(2)
const options: BenchOptions = { full: words.includes('--full') }
const wanted = words.filter((word) => !word.startsWith('--'))
const unknown = words.filter((word) => !['--full', '--write', ...Object.keys(parts)].includes(word))

if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(', ')}; known are ${Object.keys(parts).join(', ')}, --full, --write`)
  process.exitCode = 2
} else await measure()

async function measure(): Promise<void> {
  const tables: Table[] = []
  const behind: string[] = []
  for (const [name, makers] of Object.entries(parts)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    for (const make of makers) {
      const table = await make(options)
      tables.push(table)
      behind.push(...behindAims(table))
      console.log(`\n${table.title}`)
      console.table(Object.fromEntries(table.rows.map(({ name: row, ...figures }) => [row, figures])))
    }
  }
  if (behind.length > 0) console.log(colours.red(`\nbehind their aims:\n${behind.join('\n')}`))
  if (!words.includes('--write')) return
  if (wanted.length === 0) writeGatePage(tables)
  else console.error('nothing was written: the page needs all parts')
}
