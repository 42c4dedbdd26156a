import { agentNamed, hookedAgentNames, knownAgents, namesOf, type AgentName } from '@donecheck/agents/registry'
import type { CliDriveOptions } from '@donecheck/agents/stream'
import type { HookProtocol } from '@donecheck/agents/hooks'
import type { HookSettings, SettingsCompanion } from '@donecheck/agents/settings'
import { nearest } from '@donecheck/core/base'
import { given, UsageError } from '@donecheck/engine/base'
import type { Drive } from '@donecheck/engine/ports/loop'

interface AgentAdapter {
  readonly drive?: (options: CliDriveOptions) => Drive
  readonly protocol?: HookProtocol
  readonly settings?: HookSettings
  readonly companion?: SettingsCompanion
}

const adapters: Readonly<Record<AgentName, () => Promise<AgentAdapter>>> = {
  'claude-code': async () => {
    const adapter = await import('@donecheck/agents/claude-code')
    const { claudeCodeDrive: drive, claudeCodeHooks: protocol, claudeCodeSettings: settings } = adapter
    return { drive, protocol, settings }
  },
  codex: async () => {
    const adapter = await import('@donecheck/agents/codex')
    const { codexDrive: drive, codexHooks: protocol, codexSettings: settings, codexTrust } = adapter
    return { drive, protocol, settings, companion: codexTrust }
  },
  gemini: async () => {
    const adapter = await import('@donecheck/agents/gemini')
    const { geminiDrive: drive, geminiHooks: protocol, geminiSettings: settings } = adapter
    return { drive, protocol, settings }
  },
  opencode: async () => ({ drive: (await import('@donecheck/agents/opencode')).opencodeDrive }),
  qwen: async () => {
    const adapter = await import('@donecheck/agents/qwen')
    return { drive: adapter.qwenDrive, protocol: adapter.qwenHooks, settings: adapter.qwenSettings }
  },
  copilot: async () => {
    const adapter = await import('@donecheck/agents/copilot')
    const { copilotDrive: drive, copilotHooks: protocol, copilotSettings: settings } = adapter
    return { drive, protocol, settings }
  },
  cursor: async () => {
    const { cursorHooks: protocol, cursorSettings: settings } = await import('@donecheck/agents/cursor')
    return { protocol, settings }
  },
}

export interface HookedAgent {
  readonly protocol: HookProtocol
  readonly settings: HookSettings
  readonly companion?: SettingsCompanion
  readonly program: string
}

/** @throws {UsageError} for an agent without known hooks */
export async function loadHookedAgent(name: string): Promise<HookedAgent> {
  const known = agentNamed(name)
  const { protocol, settings, companion } = known === undefined ? {} : await adapters[known.name]()
  if (known !== undefined && protocol !== undefined && settings !== undefined)
    return { protocol, settings, program: known.program, ...given({ companion }) }
  const meant = nearest(
    name,
    knownAgents.filter(({ hasHooks }) => hasHooks).flatMap((agent) => namesOf(agent)),
  )
  throw new UsageError(
    `there are no hooks for "${name}"${meant === undefined ? '.' : `; did you mean "${meant}"?`} They can be installed into ${hookedAgentNames.join(', ')}; any other agent can be run with donecheck run --agent`,
  )
}

export async function driveOf(name: AgentName, options: CliDriveOptions): Promise<Drive> {
  const { drive } = await adapters[name]()
  if (drive === undefined) throw new TypeError(`${name} is not driven`)
  return drive(options)
}
