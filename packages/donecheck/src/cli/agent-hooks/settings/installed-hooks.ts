/** Hooks of ours as they stand in the settings of an agent. */
import {
  readSettings,
  type SettingsContext,
  type SettingsScope,
  type SettingsHook,
} from '@donecheck/agents/settings'
import type { Payload } from '@donecheck/agents/hooks'
import { messageOf } from '@donecheck/engine/base'
import type { HookedAgent } from '../../agents/agent-adapters.ts'
import { readSettingsFile } from './settings-file.ts'

export interface InstalledHooks {
  readonly scope: SettingsScope
  readonly file: string
  readonly ours: readonly OurHook[]
  readonly others: readonly SettingsHook[]
}

export type OurHook = SettingsHook & { readonly ours: NonNullable<SettingsHook['ours']> }

export interface InstalledSettings {
  /** Scopes in which something of ours stands, the user's first. */
  readonly installed: readonly InstalledHooks[]
  /** All that could be read, the user's first. */
  readonly settings: readonly { readonly file: string; readonly settings: Payload }[]
  readonly problems: readonly string[]
}

export async function findInstalled(agent: HookedAgent, place: SettingsContext): Promise<InstalledSettings> {
  const installed: InstalledHooks[] = []
  const settings: { readonly file: string; readonly settings: Payload }[] = []
  const problems: string[] = []
  const scopes = (['user', 'project'] as const).map((scope) => ({
    scope,
    file: agent.settings.file(scope, place),
  }))
  const further = agent.settings.otherFiles(place).map((file) => ({ scope: undefined, file }))
  for (const { scope, file } of [...scopes, ...further]) {
    const read = await readAgentSettings(agent.settings, file)
    if (read.kind === 'unreadable') {
      problems.push(read.problem)
      continue
    }
    settings.push({ file, settings: read.settings })
    const ours = read.hooks.flatMap((hook) => (hook.ours === undefined ? [] : [{ ...hook, ours: hook.ours }]))
    const others = read.hooks.filter((hook) => hook.ours === undefined)
    if (scope !== undefined && ours.length > 0) installed.push({ scope, file, ours, others })
  }
  return { installed, settings, problems }
}

/** Never rejects. */
export async function readAgentSettings(dialect: HookedAgent['settings'], file: string) {
  try {
    const read = readSettings((await readSettingsFile(file)).text, dialect)
    return read.kind === 'read' ? read : { ...read, problem: `${file} cannot be read: ${read.problem}` }
  } catch (error) {
    return { kind: 'unreadable' as const, problem: messageOf(error) }
  }
}
