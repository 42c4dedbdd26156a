/** All detectors over all recorded runs of a half. */
import type { Detector, Step } from '../detector.ts'
import { filesOf, readRuns } from '@donecheck/engine/recordings'
import { halfOf, type Half } from '../../halves.ts'
import { stepsOf } from '@donecheck/engine/recordings'
import { measureRun, type MeasuredRun } from './measured-run.ts'

export interface MeasureOptions {
  readonly folder: string
  readonly half: Half | 'all'
  readonly detectors: readonly Detector[]
  /** Calls wanted in the sample, the same share from every file. */
  readonly sampleCalls: number
}

export interface Measured {
  readonly runs: readonly MeasuredRun[]
  /** What could not be read, in words. */
  readonly problems: readonly string[]
  /** Steps of whole runs, for measurements of cost. */
  readonly sample: readonly (readonly Step[])[]
}

export async function measureRuns(options: MeasureOptions): Promise<Measured> {
  const { folder, half, detectors, sampleCalls } = options
  const files = await filesOf(folder)
  if (files === undefined || files.length === 0) {
    return {
      runs: [],
      problems: [`no recorded runs in '${folder}': name their folder with --data`],
      sample: [],
    }
  }
  const runs: MeasuredRun[] = []
  const problems: string[] = []
  const sample: (readonly Step[])[] = []
  const callsOfFile = new Map<string, number>()
  for await (const run of readRuns(files, (problem) => problems.push(problem))) {
    if (half !== 'all' && halfOf(run.id) !== half) continue
    const steps = stepsOf(run)
    const measured = measureRun(run, steps, detectors)
    runs.push(measured)
    const calls = callsOfFile.get(run.file) ?? 0
    if (calls >= sampleCalls / files.length) continue
    sample.push(steps)
    callsOfFile.set(run.file, calls + measured.calls)
  }
  return { runs, problems, sample }
}
