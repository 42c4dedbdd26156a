/** Scripts of the checks that lie outside of the work folder, where no tree that is compared has them. */
import { mayChange, scriptsNamedIn, type ProtectOptions } from '../../protect/index.ts'
import type { FloorPlace } from '../floor/floor-rule.ts'
import { absolutePath } from '../floor/file-place.ts'

/** Whether a check runs this file, which is outside of the work folder. */
export function isOutsideScript(full: string, protect: ProtectOptions, place: FloorPlace): boolean {
  return !mayChange(full, protect) && placesOf(protect, place).includes(full)
}

/** Of what is no plain path in the work folder; checks are run there. */
function placesOf({ checkCommands }: ProtectOptions, place: FloorPlace): readonly string[] {
  return [...scriptsNamedIn(checkCommands)]
    .filter((path) => /^(?:\/|~|\.\.\/)/u.test(path))
    .map((path) => absolutePath(path, { ...place, folder: place.workFolder }))
}
