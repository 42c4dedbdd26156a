/** What Codex itself says of hooks of ours. */
import { parse } from 'smol-toml'
import { listHooks } from '@donecheck/agents/codex'
import { payloadOf } from '@donecheck/agents/hooks'
import type { SettingsContext } from '@donecheck/agents/settings'
import { findProgram, inheritedEnvironment } from '@donecheck/engine/process'
import type { CliIo } from '../../process/io.ts'
import type { InstalledHooks } from '../settings/installed-hooks.ts'
import type { HookedAgent } from '../../agents/agent-adapters.ts'
import { readSettingsFile } from '../settings/settings-file.ts'

/** Codex runs no hook that it does not trust, and says nothing of it. */
export async function findUntrusted(
  agent: HookedAgent,
  { ours, file, scope }: InstalledHooks,
  workFolder: string,
  io: CliIo,
): Promise<readonly string[]> {
  const path = findProgram(agent.program, io.environment)
  if (path === undefined) return []
  const environment = inheritedEnvironment(io.environment)
  const listed = await listHooks({ program: path, folder: workFolder, environment })
  if (listed.kind === 'unknown') return [`whether Codex trusts the hooks is not known: ${listed.problem}`]
  const mine = listed.hooks.filter(({ key }) => key.startsWith(`${file}:`))
  if (mine.length === 0) return [await explainUnread(agent, file, scope, { ...io, workFolder })]
  const commands = new Set(ours.map(({ entry }) => entry['command']))
  const bad = mine.filter(
    ({ command, trust, isEnabled }) =>
      commands.has(command) && (!isEnabled || !['trusted', 'managed'].includes(trust)),
  )
  return bad.map(({ key, trust, isEnabled }) =>
    isEnabled
      ? `Codex does not trust the hook ${key} (${trust}): install it again`
      : `the hook ${key} is switched off in Codex`,
  )
}

async function explainUnread(
  { companion }: HookedAgent,
  file: string,
  scope: InstalledHooks['scope'],
  place: SettingsContext,
): Promise<string> {
  const config = companion?.file(place) ?? ''
  if (await isFeatureOff(config))
    return `${config}: the feature "hooks" is switched off there: Codex runs no hook`
  return scope === 'project'
    ? `Codex does not read ${file}: it reads the hooks of a project only where it trusts the project`
    : `Codex does not read ${file}: ask it for its hooks with /hooks`
}

async function isFeatureOff(config: string): Promise<boolean> {
  try {
    const { text = '' } = await readSettingsFile(config)
    return payloadOf(payloadOf(parse(text))?.['features'])?.['hooks'] === false
  } catch {
    return false
  }
}
