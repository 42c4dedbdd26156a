/** All detectors over all recorded runs of a half. */
import type { Detector } from '../detector.ts'
import { filesOf, readRuns } from '@donecheck/engine/recordings'
import { halfOf, type Half } from '../../halves.ts'
import { stepsOf } from '@donecheck/engine/recordings'
import { measureRun, type MeasuredRun } from './measured-run.ts'

export interface MeasureOptions {
  readonly folder: string
  readonly half: Half | 'all'
  readonly detectors: readonly Detector[]
}

export interface Measured {
  readonly runs: readonly MeasuredRun[]
  /** What could not be read, in words. */
  readonly problems: readonly string[]
}

export async function measureRuns(options: MeasureOptions): Promise<Measured> {
  const { folder, half, detectors } = options
  const files = await filesOf(folder)
  if (files === undefined || files.length === 0) {
    return {
      runs: [],
      problems: [`no recorded runs in '${folder}': name their folder with --data`],
    }
  }
  const runs: MeasuredRun[] = []
  const problems: string[] = []
  for await (const run of readRuns(files, (problem) => problems.push(problem))) {
    if (half !== 'all' && halfOf(run.id) !== half) continue
    runs.push(measureRun(run, stepsOf(run), detectors))
  }
  return { runs, problems }
}
