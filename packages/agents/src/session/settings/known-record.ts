/**
 * That a project has had sessions on record: kept beside its record, so that one that is gone is not taken for one that never was.
 * It counts until a person says anew what is to be checked.
 */
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { stateHome, type HomeEnvironment } from '@donecheck/engine/base'
import { defaultStoreFolder } from '@donecheck/engine/store'

interface RecordedProject extends HomeEnvironment {
  readonly workFolder: string
}

/** @param agreedAtMs what is older is of before, and says nothing of what is there now */
export function hasKnownRecord(project: RecordedProject, agreedAtMs = 0): boolean {
  const notedAtMs = changeTimeMs(fileOf(project))
  return notedAtMs !== undefined && notedAtMs >= agreedAtMs
}

/** Where it cannot be noted, less is noticed: nothing else fails for it. */
export function noteKnownRecord(project: RecordedProject, agreedAtMs = 0): void {
  if (hasKnownRecord(project, agreedAtMs)) return
  const file = fileOf(project)
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    rmSync(file, { force: true })
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
  } catch {
    return
  }
}

export function forgetKnownRecord(project: RecordedProject): void {
  rmSync(fileOf(project), { force: true })
}

/** Of a file; undefined: it is not there, or nobody can say. In milliseconds since 1970. */
export function changeTimeMs(file: string): number | undefined {
  try {
    return statSync(file).mtimeMs
  } catch {
    return undefined
  }
}

function fileOf(project: RecordedProject): string {
  return join(stateHome(project), 'donecheck', 'known', basename(defaultStoreFolder(project)))
}
