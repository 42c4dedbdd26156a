/** `npm run bench:detectors [-- OPTIONS]`: loop detectors over recorded runs with ground truth and generated ones. See `usage`. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { standardLoopDetection, type LoopDetectionSettings } from '@donecheck/core/internal/events/settings'
import { digestStep, loopWatch } from '@donecheck/engine/internal/insight/backtest'
import { halves } from '../halves.ts'
import type { Detector } from './generated/generated-run.ts'
import { scoresOf, scoreTable } from './generated/score.ts'
import { groupsOf, measureRuns, outcomeTable, type Measured } from './measure.ts'
import { biases, introduction, generatedWords } from './words.ts'

const usage = `node bench/detectors/run.ts [--half tune|report|all] [--data FOLDER] [--write]
  --half   which half of the runs; default report. Choose rules and numbers on tune only.
  --data   folder of recorded runs; default $DONECHECK_TRAJECTORIES or ../shared/trajectories
  --write  write docs/measured/detectors.md`

const page = fileURLToPath(new URL('../../docs/measured/detectors.md', import.meta.url))
const defaultFolder =
  process.env['DONECHECK_TRAJECTORIES'] ??
  fileURLToPath(new URL('../../../shared/trajectories', import.meta.url))

/** Ended at the first verdict, as others are measured at their first hit; and by default. */
const detectors: readonly Detector[] = [
  detector('donecheck', { ...standardLoopDetection, vetoesUntilEnd: 0 }),
  detector('donecheck (by default: told, refused, ended)', standardLoopDetection),
]

function detector(name: string, settings: LoopDetectionSettings): Detector {
  return { name, begin: () => loopWatch(settings), digest: digestStep }
}

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
  const measured = await measureRuns({ folder: values.data, half, detectors })
  const text = textOf(measured, half)
  if (values.write && measured.runs.length > 0)
    writeFileSync(page, `${introduction}\n\n${text}\n\n${biases}\n`)
  else if (values.write) {
    console.error('nothing was written: there are no recorded runs')
    process.exitCode = 1
  }
  console.log(text.replaceAll('<!-- prettier-ignore -->\n', ''))
}

function textOf({ runs, problems }: Measured, half: (typeof halves)[number]): string {
  const names = detectors.map(({ name }) => name)
  const generated = scoreTable(scoresOf(detectors, half))
  return [
    ...(problems.length === 0 ? [] : ['## Missing', problems.map((line) => `- ${line}`).join('\n')]),
    '## Recorded runs',
    outcomeTable(groupsOf(runs, half), names),
    '## Generated classes',
    generatedWords,
    generated,
  ].join('\n\n')
}
