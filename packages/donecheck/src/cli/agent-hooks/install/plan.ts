/** Which files an installation changes, and how: worked out before anything is written. */
import {
  readSettings,
  withHooks,
  withoutHooks,
  type SettingsContext,
  type SettingsScope,
} from '@donecheck/agents/settings'
import { UsageError } from '@donecheck/engine/base'
import type { FileChange } from '../settings/file-change.ts'
import type { HookedAgent } from '../../agents/agent-adapters.ts'
import { readSettingsFile, type SettingsFile } from '../settings/settings-file.ts'
import { wantedHooks, type Wanted } from '../settings/wanted-hooks.ts'

interface PlanRequest {
  readonly agent: HookedAgent
  readonly scope: SettingsScope
  readonly place: SettingsContext
}

interface Plan {
  readonly changes: readonly FileChange[]
  /** What the person must do or know. */
  readonly notes: readonly string[]
}

/** @throws {UsageError} for settings that cannot be read: nothing of them may be changed */
export async function planInstall(request: PlanRequest & Wanted): Promise<Plan> {
  const { agent, scope, place } = request
  const { companion, settings, protocol } = agent
  const hooks = await readSettingsOf(agent, settings.file(scope, place))
  const after = withHooks(hooks.text, wantedHooks(request), settings)
  const change = changeOf(hooks, after)
  if (companion === undefined) return { changes: [change], notes: [] }
  const beside = await readSettingsFile(companion.file(place))
  const written = { file: hooks.file, text: after }
  const agreeing = await companion.agreeing({ text: beside.text, place, hooks: written })
  if (agreeing.kind === 'agrees') return { changes: [change, changeOf(beside, agreeing.text)], notes: [] }
  const note = `${protocol.title} runs no hook that it does not trust, and it could not be told to (${agreeing.problem}): start it once, and trust the hooks of donecheck`
  return { changes: [change], notes: [note] }
}

/** @throws {UsageError} as `planInstall` */
export async function planUninstall({ agent, scope, place }: PlanRequest): Promise<readonly FileChange[]> {
  const { companion, settings } = agent
  const hooks = await readSettingsOf(agent, settings.file(scope, place))
  const { file, text } = hooks
  if (text === undefined) return []
  const change = changeOf(hooks, withoutHooks(text, settings))
  const beside = companion === undefined ? undefined : await readSettingsFile(companion.file(place))
  if (companion === undefined || beside?.text === undefined) return [change]
  return [change, changeOf(beside, companion.without(beside.text, { file, text }))]
}

function changeOf({ file, text }: SettingsFile, after: string): FileChange {
  return { file, before: text, after }
}

async function readSettingsOf({ settings, protocol }: HookedAgent, file: string): Promise<SettingsFile> {
  const read = await readSettingsFile(file)
  const said = readSettings(read.text, settings)
  if (said.kind === 'unreadable')
    throw new UsageError(
      `${file}, the settings of ${protocol.title}, cannot be read (${said.problem}); mend it first: nothing was changed`,
    )
  return read
}
