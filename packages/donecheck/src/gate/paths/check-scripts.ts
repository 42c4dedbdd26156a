/** Scripts of the checks that lie elsewhere than their names say: outside of the work folder, or named by an absolute path. */
import { posix } from 'node:path'
import { mayChange, scriptsNamedIn, type ProtectOptions } from '../../protect/index.ts'
import type { FloorPlace } from '../floor/floor-rule.ts'
import { absolutePath, isWithin } from '../floor/file-place.ts'

/** Whether a check runs this file, which is outside of the work folder. */
export function isOutsideScript(full: string, protect: ProtectOptions, place: FloorPlace): boolean {
  return !mayChange(full, protect) && placesOf(protect, place).includes(full)
}

/** Relative: those in the work folder that a check names by an absolute path. */
export function scriptsByAbsolutePath(protect: ProtectOptions, place: FloorPlace): readonly string[] {
  return placesOf(protect, place).flatMap((path) =>
    isWithin(path, place.workFolder) ? [posix.relative(place.workFolder, path)] : [],
  )
}

/** Of what is no plain path in the work folder; checks are run there. */
function placesOf({ checkCommands }: ProtectOptions, place: FloorPlace): readonly string[] {
  return [...scriptsNamedIn(checkCommands)]
    .filter((path) => /^(?:\/|~|\.\.\/)/u.test(path))
    .map((path) => absolutePath(path, { ...place, folder: place.workFolder }))
}
