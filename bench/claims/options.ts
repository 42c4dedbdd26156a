/** The words after `npm run bench:claims --`. */
import { parseArgs } from 'node:util'
import { defaultFolder } from '../detectors/trajectories/default-folder.ts'
import { halves, type Half } from '../halves.ts'

export interface ClaimOptions {
  readonly folder: string
  readonly half: Half | 'all'
  readonly write: boolean
  readonly sample: boolean
}

export const usage = `node bench/claims/run.ts [--half tune|report|all] [--data FOLDER] [--sample] [--write]
  --half    which half of the recorded runs; default report. Choose rules and numbers on tune only.
  --data    folder of recorded runs; default $DONECHECK_TRAJECTORIES or ../shared/trajectories
  --sample  print the seeded sample of evidence lines with the calls behind each, to be checked by reading
  --write   write docs/measured/claims.md`

/** @throws TypeError an unknown option or half. */
export function parseOptions(words: readonly string[], environment: NodeJS.ProcessEnv): ClaimOptions {
  const { values } = parseArgs({
    args: [...words],
    options: {
      half: { type: 'string', default: 'report' },
      data: { type: 'string', default: defaultFolder(environment) },
      sample: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  })
  const half = halves.find((known) => known === values.half)
  if (half === undefined) throw new TypeError(`--half '${values.half}' is none of ${halves.join(', ')}`)
  return { folder: values.data, half, write: values.write, sample: values.sample }
}
