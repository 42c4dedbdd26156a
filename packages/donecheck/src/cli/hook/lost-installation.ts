/** A hook fires only where one was installed: nothing of that on record means that the record is gone, not that nothing is to be checked. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { stateHome, type HomeSurroundings } from '../../state-home.ts'

/** What to say; undefined: the record of the installation is there. */
export function lostInstallation(surroundings: HomeSurroundings): string | undefined {
  const folder = join(stateHome(surroundings), 'donecheck', 'installed')
  if (hasRecords(folder)) return undefined
  return `its hooks are installed, but what they go by is gone (there is no record of it in ${folder}): install them again`
}

function hasRecords(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.endsWith('.json'))
  } catch {
    return false
  }
}
