/** A hook fires only where one was installed: nothing of that on record means that the record is gone, not that nothing is to be checked. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { payloadOf } from '@donecheck/agents/hooks'
import { hasKnownRecord } from '@donecheck/agents/session'
import { stateHome, type HomeEnvironment } from '@donecheck/engine/base'
import { foldersUpward, readSmallFile } from '../files.ts'

/**
 * @param folder where the agent works, and for which nothing is configured
 * @returns what to say; undefined: the hooks were installed for others
 */
export function problemOfLostInstallation(folder: string, home: HomeEnvironment): string | undefined {
  const records = join(stateHome(home), 'donecheck', 'installed')
  const projects = installedProjects(records)
  if (projects === undefined)
    return `its hooks are installed, but what they go by is gone (there is no record of it in ${records}): install them again`
  const lost = foldersUpward(folder).find(
    (workFolder) => projects.includes(workFolder) || hasKnownRecord({ ...home, workFolder }),
  )
  return lost === undefined
    ? undefined
    : `its hooks were installed for ${lost}, but what is to be checked there is gone: install them again, or take them out with donecheck uninstall`
}

/** Undefined: nothing at all is on record. A record that cannot be read names no project. */
function installedProjects(folder: string): readonly string[] | undefined {
  try {
    const records = readdirSync(folder).filter((name) => name.endsWith('.json'))
    return records.length === 0 ? undefined : records.flatMap((name) => projectsIn(join(folder, name)))
  } catch {
    return undefined
  }
}

function projectsIn(file: string): readonly string[] {
  try {
    const { projects } = payloadOf(JSON.parse(readSmallFile(file) ?? '')) ?? {}
    return Array.isArray(projects) ? projects.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}
