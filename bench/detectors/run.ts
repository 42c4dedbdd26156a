/** `npm run bench:detectors [-- OPTIONS]`: loop detectors over recorded runs with ground truth and generated ones. See `usage`. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { halves } from '../halves.ts'
import { measureRuns } from './measure/measure-runs.ts'
import { openClaw2026 } from './openclaw/openclaw-2026-9.ts'
import { realOpenClaw } from './openclaw/real.ts'
import { ours } from './ours.ts'
import { biases, introduction, pageText } from './page.ts'

const usage = `node bench/detectors/run.ts [--half tune|report|all] [--data FOLDER] [--write]
  --half   which half of the runs; default report. Choose rules and numbers on tune only.
  --data   folder of recorded runs; default $DONECHECK_TRAJECTORIES or ../shared/trajectories
  --write  write docs/measured/detectors.md

OpenClaw's own detector takes part where DONECHECK_OPENCLAW names its folder.`

const page = fileURLToPath(new URL('../../docs/measured/detectors.md', import.meta.url))
const defaultFolder =
  process.env['DONECHECK_TRAJECTORIES'] ??
  fileURLToPath(new URL('../../../shared/trajectories', import.meta.url))

const { values } = parseArgs({
  options: {
    half: { type: 'string', default: 'report' },
    data: { type: 'string', default: defaultFolder },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(usage)
else await run()

async function run(): Promise<void> {
  const half = halves.find((known) => known === values.half)
  if (half === undefined) throw new TypeError(`--half '${values.half}' is none of ${halves.join(', ')}`)
  const real = await realOpenClaw()
  const detectors = [...ours, openClaw2026, ...(real === undefined ? [] : [real])]
  const measured = await measureRuns({ folder: values.data, half, detectors })
  const text = pageText(detectors, measured, half === 'tune' ? 'tune' : 'report')
  if (values.write && measured.runs.length > 0)
    writeFileSync(page, `${introduction}\n\n${text}\n\n${biases}\n`)
  else if (values.write) {
    console.error('nothing was written: there are no recorded runs')
    process.exitCode = 1
  }
  console.log(text.replaceAll('<!-- prettier-ignore -->\n', ''))
}
