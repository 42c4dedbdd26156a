/** The agents that donecheck can be installed into, each loaded when it is named. */
import type { HookProtocol, HookSettings, SettingsCompanion } from '../../agents/index.ts'
import { UsageError } from '../../errors.ts'
import { nearest } from '../../option-keys.ts'

export interface HookedAgent {
  readonly protocol: HookProtocol
  readonly settings: HookSettings
  readonly companion?: SettingsCompanion
  /** As it is called where it is looked for on PATH. */
  readonly program: string
}

const loaders: Readonly<Record<string, () => Promise<HookedAgent>>> = {
  'claude-code': async () => {
    const { claudeCodeHooks, claudeCodeSettings } = await import('../../adapters/claude-code/index.ts')
    return { protocol: claudeCodeHooks, settings: claudeCodeSettings, program: 'claude' }
  },
  codex: async () => {
    const { codexHooks, codexSettings, codexTrust } = await import('../../adapters/codex/index.ts')
    return { protocol: codexHooks, settings: codexSettings, companion: codexTrust, program: 'codex' }
  },
  gemini: async () => {
    const { geminiHooks, geminiSettings } = await import('../../adapters/gemini/index.ts')
    return { protocol: geminiHooks, settings: geminiSettings, program: 'gemini' }
  },
  qwen: async () => {
    const { qwenHooks, qwenSettings } = await import('../../adapters/qwen/index.ts')
    return { protocol: qwenHooks, settings: qwenSettings, program: 'qwen' }
  },
  copilot: async () => {
    const { copilotHooks, copilotSettings } = await import('../../adapters/copilot/index.ts')
    return { protocol: copilotHooks, settings: copilotSettings, program: 'copilot' }
  },
  cursor: async () => {
    const { cursorHooks, cursorSettings } = await import('../../adapters/cursor/index.ts')
    return { protocol: cursorHooks, settings: cursorSettings, program: 'cursor-agent' }
  },
}

export const hookedAgentNames: readonly string[] = Object.keys(loaders)

const otherNames: Readonly<Record<string, string>> = {
  claude: 'claude-code',
  'gemini-cli': 'gemini',
  'qwen-code': 'qwen',
  'copilot-cli': 'copilot',
}

/** @throws {UsageError} for an agent that has no hooks, or none that we know */
export async function hookedAgent(name: string): Promise<HookedAgent> {
  const load = loaders[otherNames[name] ?? name]
  if (load !== undefined) return load()
  const meant = nearest(name, [...hookedAgentNames, ...Object.keys(otherNames)])
  throw new UsageError(
    `there are no hooks for "${name}"${meant === undefined ? '.' : `; did you mean "${meant}"?`} They can be installed into ${hookedAgentNames.join(', ')}; any other agent can be run with donecheck run --agent`,
  )
}
