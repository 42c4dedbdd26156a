/** Why hooks that stand in the settings as they should would not run all the same. */
import { realpathSync } from 'node:fs'
import type { SettingsContext, SettingsScope } from '@donecheck/agents/settings'
import type { Payload } from '@donecheck/agents/hooks'
import { findInstalled, readAgentSettings, type InstalledSettings } from '../settings/installed-hooks.ts'
import type { HookedAgent } from '../../agents/agent-adapters.ts'

/** Of an installation that is about to be made. */
export async function findObstaclesTo(
  agent: HookedAgent,
  scope: SettingsScope,
  place: SettingsContext,
): Promise<readonly string[]> {
  const said = await findObstacles(agent, await findInstalled(agent, place), [scope], place)
  return said.map((text) => `as things are, the hooks will not run: ${text}`)
}

/** @param scopes in which hooks of ours stand */
export async function findObstacles(
  { settings }: HookedAgent,
  found: InstalledSettings,
  scopes: readonly SettingsScope[],
  place: SettingsContext,
): Promise<readonly string[]> {
  // What the environment says stands in no file.
  const around = settings.obstacles([], place)
  const inFiles = found.settings.flatMap((one) =>
    settings
      .obstacles([one.settings], place)
      .filter((text) => !around.includes(text))
      .map((text) => `${one.file}: ${text}`),
  )
  const distrust = scopes.includes('project') ? await findDistrust(settings, found, place) : undefined
  return [...around, ...inFiles, ...(distrust === undefined ? [] : [distrust])]
}

async function findDistrust(
  { projectTrust, ...settings }: HookedAgent['settings'],
  found: InstalledSettings,
  place: SettingsContext,
): Promise<string | undefined> {
  if (projectTrust === undefined) return undefined
  const workFolder = realpathSync(place.workFolder)
  const trusted = await Promise.all(projectTrust.files(place).map((file) => readContent(file, settings)))
  const known = found.settings.map((one) => one.settings)
  return projectTrust.doubt(trusted, known, { ...place, workFolder })
}

/** Empty where it cannot be read: then it says of no folder that it is trusted. */
async function readContent(file: string, dialect: HookedAgent['settings']): Promise<Payload> {
  const read = await readAgentSettings(dialect, file)
  return read.kind === 'read' ? read.settings : {}
}
