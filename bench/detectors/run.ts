/** `npm run bench:detectors [-- OPTIONS]`: every loop detector over recorded runs with ground truth. See `usage`. */
import { measureCosts } from './cost/cost-table.ts'
import { fieldOf, isPart } from './detectors.ts'
import { measureRuns } from './measure/measure-runs.ts'
import { parseOptions, usage } from './options.ts'
import { measureGenerated } from './page/generated-scores.ts'
import { sectionsOf, type Findings } from './page/sections.ts'
import { textOf, writePage } from './page/write-page.ts'

const sampleCalls = 10_000

if (process.argv.includes('--help')) console.log(usage)
else await run()

/** Beside the tables, not among them. */
function progress(now: string): void {
  console.error(`measuring: ${now}`)
}

async function run(): Promise<void> {
  const options = parseOptions(process.argv.slice(2), process.env)
  const field = await fieldOf(options.names)
  const measured = await measureRuns({ ...options, ...field, sampleCalls: options.full ? sampleCalls : 0 })
  const whole = field.detectors.filter((detector) => !isPart(detector))
  // A part that was asked for by its name alone is measured as a whole one.
  const detectors = whole.length === 0 ? field.detectors : whole
  const findings: Findings = {
    detectors,
    parts: whole.length === 0 ? [] : field.detectors.filter(isPart),
    resultRivals: field.resultRivals,
    runs: measured.runs,
    problems: [...field.problems, ...measured.problems],
    costs: options.full ? measureCosts(detectors, measured.sample, progress) : undefined,
    generated: options.full ? measureGenerated(detectors, options.half) : undefined,
  }
  if (options.write && findings.runs.length === 0) {
    console.error('nothing was written: there are no recorded runs')
    process.exitCode = 1
  } else if (options.write) {
    writePage(findings)
  }
  console.log(textOf(sectionsOf(findings)).replaceAll('<!-- prettier-ignore -->\n', ''))
}
