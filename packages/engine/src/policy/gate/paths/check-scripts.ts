/** Scripts of the checks that lie outside of the work folder, where no tree that is compared has them. */
import { mayChange, scriptsNamedIn, type ProtectOptions } from '../../../analysis/protect/index.ts'
import type { CommandLocation } from '../built-in-rules/built-in-rule.ts'
import { absolutePath } from '../built-in-rules/file-location.ts'

/** Whether a check runs this file, which is outside of the work folder. */
export function isOutsideScript(full: string, protect: ProtectOptions, place: CommandLocation): boolean {
  return !mayChange(full, protect) && placesOf(protect, place).includes(full)
}

/** Of what is no plain path in the work folder; checks are run there. */
function placesOf({ checkCommands }: ProtectOptions, place: CommandLocation): readonly string[] {
  return [...scriptsNamedIn(checkCommands)]
    .filter((path) => /^(?:\/|~|\.\.\/)/u.test(path))
    .map((path) => absolutePath(path, { ...place, folder: place.workFolder }))
}
