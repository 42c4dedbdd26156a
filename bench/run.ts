/** `npm run bench`: what the loop itself costs. Prints tables with ratios measured in one run; asserts nothing about time. */
import { appendsTable } from './appends.ts'
import { backtestTable } from './backtest.ts'
import { fingerprintTable } from './fingerprint.ts'
import colours from 'picocolors'
import { behindAims } from './aims.ts'
import { foldTable } from './fold.ts'
import { judgeContextTable } from './judge-context.ts'
import { loopTable } from './loop.ts'
import { patchReferenceTable } from './patch-reference.ts'
import { startUpTable } from './start-up.ts'

const tables = [
  loopTable,
  appendsTable,
  foldTable,
  backtestTable,
  judgeContextTable,
  startUpTable,
  fingerprintTable,
  () => patchReferenceTable({ full: false }),
]

const behind: string[] = []
for (const table of tables) {
  const measured = await table()
  const { title, rows } = measured
  behind.push(...behindAims(measured))
  console.log(`\n${title}`)
  console.table(Object.fromEntries(rows.map(({ name, ...figures }) => [name, figures])))
}

// Last, where a reader looks first.
if (behind.length > 0) console.log(colours.red(`\nbehind their aims:\n${behind.join('\n')}`))
