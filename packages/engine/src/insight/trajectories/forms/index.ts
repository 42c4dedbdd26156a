/** The forms of trajectories, by the names that `donecheck export --format` takes. */
import { parseRun, type RecordedRun } from '../../recordings/index.ts'
import { atif } from './atif.ts'
import type { TrajectoryForm } from './form.ts'
import { openai } from './openai.ts'
import { sharegpt } from './sharegpt.ts'
import { jsonOf } from '../../../base/index.ts'

export const trajectoryForms = { sharegpt, openai, atif } as const satisfies Readonly<
  Record<string, TrajectoryForm>
>
export type TrajectoryFormName = keyof typeof trajectoryForms

/** Of any of the forms, or one of a recorded run. @returns undefined: it is none of them */
export function readTrajectory(line: string, file: string): RecordedRun | undefined {
  const recorded = parseRun(line, file)
  if (recorded !== undefined) return recorded
  const value = jsonOf(line)
  for (const form of Object.values(trajectoryForms)) {
    const run = form.read(value)
    if (run !== undefined) return run
  }
  return undefined
}
