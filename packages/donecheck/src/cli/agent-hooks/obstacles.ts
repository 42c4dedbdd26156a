/** Why hooks that stand in the settings as they should would not run all the same. */
import { realpathSync } from 'node:fs'
import { readSettings, type Payload, type SettingsPlace, type SettingsScope } from '../../agents/index.ts'
import { findInstalled, type FoundSettings } from './installed-hooks.ts'
import type { HookedAgent } from './known-agents.ts'
import { readSettingsFile } from './settings-file.ts'

/** Of an installation that is about to be made. */
export async function obstaclesTo(
  agent: HookedAgent,
  scope: SettingsScope,
  place: SettingsPlace,
): Promise<readonly string[]> {
  const said = await obstaclesIn(agent, await findInstalled(agent, place), [scope], place)
  return said.map((text) => `as things are, the hooks will not run: ${text}`)
}

/** @param scopes in which hooks of ours stand */
export async function obstaclesIn(
  { settings }: HookedAgent,
  found: FoundSettings,
  scopes: readonly SettingsScope[],
  place: SettingsPlace,
): Promise<readonly string[]> {
  // What the surroundings say stands in no file.
  const around = settings.obstacles([], place)
  const inFiles = found.settings.flatMap((one) =>
    settings
      .obstacles([one.settings], place)
      .filter((text) => !around.includes(text))
      .map((text) => `${one.file}: ${text}`),
  )
  const distrust = scopes.includes('project') ? await distrustOf(settings, found, place) : undefined
  return [...around, ...inFiles, ...(distrust === undefined ? [] : [distrust])]
}

async function distrustOf(
  { projectTrust, ...settings }: HookedAgent['settings'],
  found: FoundSettings,
  place: SettingsPlace,
): Promise<string | undefined> {
  if (projectTrust === undefined) return undefined
  const workFolder = realpathSync(place.workFolder)
  const trusted = await Promise.all(projectTrust.files(place).map((file) => contentOf(file, settings)))
  const known = found.settings.map((one) => one.settings)
  return projectTrust.doubt(trusted, known, { ...place, workFolder })
}

/** Empty where it cannot be read: then it says of no folder that it is trusted. */
async function contentOf(file: string, dialect: HookedAgent['settings']): Promise<Payload> {
  try {
    const read = readSettings((await readSettingsFile(file)).text, dialect)
    return read.kind === 'read' ? read.settings : {}
  } catch {
    return {}
  }
}
