/** The words after `npm run bench:detectors --`. */
import { parseArgs } from 'node:util'
import { defaultFolder } from './trajectories/default-folder.ts'
import { halves, type Half } from '../halves.ts'

export interface BenchOptions {
  readonly folder: string
  readonly half: Half | 'all'
  /** Words that a detector's name must hold one of; empty: every detector. */
  readonly names: readonly string[]
  /** Into docs/measured instead of only to the terminal; measures everything. */
  readonly write: boolean
  /** Costs and generated classes as well. */
  readonly full: boolean
}

export const usage = `node bench/detectors/run.ts [--half tune|report|all] [--detector NAME]... [--data FOLDER] [--full] [--write]
  --half      which half of the recorded runs; default report. Choose rules and numbers on tune only.
  --detector  only detectors whose name holds NAME; may be given more than once
  --data      folder of recorded runs; default $DONECHECK_TRAJECTORIES or ../shared/trajectories
  --full      measure costs and the generated classes as well
  --write     write docs/measured/detectors.md; implies --full

OpenClaw's own detectors take part where DONECHECK_OPENCLAW and DONECHECK_OPENCLAW_CLASSIC name their folders.`

/** @throws TypeError an unknown option or half. */
export function parseOptions(words: readonly string[], environment: NodeJS.ProcessEnv): BenchOptions {
  const { values } = parseArgs({
    args: [...words],
    options: {
      half: { type: 'string', default: 'report' },
      detector: { type: 'string', multiple: true, default: [] },
      data: { type: 'string', default: defaultFolder(environment) },
      full: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  })
  const half = halves.find((known) => known === values.half)
  if (half === undefined) throw new TypeError(`--half '${values.half}' is none of ${halves.join(', ')}`)
  const { data: folder, detector: names, write } = values
  return { folder, half, names, write, full: values.full || write }
}
