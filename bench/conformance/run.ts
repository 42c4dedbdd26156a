/**
 * `npm run bench:conformance [-- --write]`: our command, our hook and our gate, and what people write instead, with the cases of the
 * conformance kit. `--write` writes docs/measured/conformance.md.
 */
import { writeFileSync } from 'node:fs'
import { buildTable, runConformance } from '@donecheck/conformance'
import { pageOf, type Measured } from './page.ts'
import { subjects } from './subjects.ts'

/** So that a busy machine is no fault of a loop. */
const timeoutMs = 120_000

const measured: Measured[] = []
for (const { name, shown, subject } of subjects) {
  const results = await runConformance({ subject, timeoutMs })
  measured.push({ name, shown, results })
  console.log(name)
  console.log(
    buildTable(results)
      .map((row) => row.join('\t'))
      .join('\n'),
  )
}
if (process.argv.includes('--write')) writeFileSync('docs/measured/conformance.md', pageOf(measured))
