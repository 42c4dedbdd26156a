/** Which files an installation changes, and how: worked out before anything is written. */
import {
  readSettings,
  withHooks,
  withoutHooks,
  type SettingsPlace,
  type SettingsScope,
} from '../../agents/index.ts'
import { UsageError } from '../../errors.ts'
import type { FileChange } from './file-change.ts'
import type { HookedAgent } from './known-agents.ts'
import { readSettingsFile, type SettingsFile } from './settings-file.ts'
import { wantedHooks } from './wanted-hooks.ts'

export interface PlanRequest {
  readonly agent: HookedAgent
  readonly scope: SettingsScope
  readonly place: SettingsPlace
}

export interface InstallRequest extends PlanRequest {
  /** Of the hooks that verify. */
  readonly timeoutSeconds: number
  /** Absolute: Node, and the program of this installation. */
  readonly node: string
  readonly program: string
}

export interface Plan {
  readonly changes: readonly FileChange[]
  /** What the person must do or know. */
  readonly notes: readonly string[]
}

/** @throws {UsageError} for settings that cannot be read: nothing of them may be changed */
export async function planInstall(request: InstallRequest): Promise<Plan> {
  const { agent, scope, place } = request
  const hooks = await readable(agent, agent.settings.file(scope, place))
  const after = withHooks(hooks.text, wantedHooks(request), agent.settings)
  const change: FileChange = { file: hooks.file, before: hooks.text, after }
  if (agent.companion === undefined) return { changes: [change], notes: [] }
  const beside = await readSettingsFile(agent.companion.file(place))
  const agreeing = await agent.companion.agreeing({
    ...{ text: beside.text, scope, place },
    hooks: { file: hooks.file, text: after },
  })
  if (agreeing.kind === 'agrees')
    return {
      changes: [change, { file: beside.file, before: beside.text, after: agreeing.text }],
      notes: [],
    }
  return {
    changes: [change],
    notes: [
      `${agent.protocol.title} runs no hook that it does not trust, and it could not be told to (${agreeing.problem}): start it once, and trust the hooks of donecheck`,
    ],
  }
}

/** @throws {UsageError} as `planInstall` */
export async function planUninstall({ agent, scope, place }: PlanRequest): Promise<Plan> {
  const hooks = await readable(agent, agent.settings.file(scope, place))
  if (hooks.text === undefined) return { changes: [], notes: [] }
  const change: FileChange = {
    file: hooks.file,
    before: hooks.text,
    after: withoutHooks(hooks.text, agent.settings),
  }
  if (agent.companion === undefined) return { changes: [change], notes: [] }
  const beside = await readSettingsFile(agent.companion.file(place))
  if (beside.text === undefined) return { changes: [change], notes: [] }
  const without = agent.companion.without(beside.text, { file: hooks.file, text: hooks.text })
  return { changes: [change, { file: beside.file, before: beside.text, after: without }], notes: [] }
}

async function readable({ settings, protocol }: HookedAgent, file: string): Promise<SettingsFile> {
  const read = await readSettingsFile(file)
  const said = readSettings(read.text, settings)
  if (said.kind === 'unreadable')
    throw new UsageError(
      `${file}, the settings of ${protocol.title}, cannot be read (${said.problem}); mend it first: nothing was changed`,
    )
  return read
}
