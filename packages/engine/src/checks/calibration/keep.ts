/** Where measurements and labels are kept: in the folder of a store, outside of the work folder. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { calibrationSchema, type Calibration } from './calibration.ts'
import { parseCases, type LabelledCase } from './labelled-case.ts'

/** @param folder of the store @returns where it stands now */
export function keepCalibration(folder: string, calibration: Calibration): string {
  const file = fileOf(folder, calibration.key)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, `${JSON.stringify(calibration, null, 2)}\n`)
  renameSync(`${file}.new`, file)
  return file
}

/** Undefined: there is none that can be read, so the judge counts as never measured. */
export function readCalibration(folder: string, key: string): Calibration | undefined {
  try {
    const parsed = calibrationSchema.safeParse(JSON.parse(readFileSync(fileOf(folder, key), 'utf8')))
    return parsed.success && parsed.data.key === key ? parsed.data : undefined
  } catch {
    return undefined
  }
}

/** A later label of the same run replaces the earlier one when they are read. @returns where it stands now */
export function keepLabel(folder: string, labelled: LabelledCase): string {
  const file = labelsFile(folder)
  mkdirSync(folder, { recursive: true })
  appendFileSync(file, `${JSON.stringify(labelled)}\n`)
  return file
}

/** None where nobody has labelled a run. @throws {UsageError} for a line that cannot be read */
export function keptLabels(folder: string): readonly LabelledCase[] {
  const file = labelsFile(folder)
  return existsSync(file) ? parseCases(readFileSync(file, 'utf8'), file) : []
}

function labelsFile(folder: string): string {
  return join(folder, 'labels.jsonl')
}

function fileOf(folder: string, key: string): string {
  return join(folder, 'calibrations', `${key}.json`)
}
