/** A run changes nothing of its user's but the work folder: their settings are afterwards what they were, for every real agent. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { AgentName, Place } from '../kit/index.ts'

const codex = ['config.toml', 'hooks.json', 'AGENTS.md', 'rules/default.rules'].map(
  (file) => `.codex/${file}`,
)
const claude = ['settings.json', 'settings.local.json', 'CLAUDE.md'].map((file) => `.claude/${file}`)
const gemini = ['settings.json', 'trustedFolders.json', 'GEMINI.md'].map((file) => `.gemini/${file}`)

/** Below the home folder: what its user writes, and what decides what it may do. Absent ones must stay absent. */
const settings: Partial<Record<AgentName, readonly string[]>> = {
  codex,
  'codex-acp': codex,
  claude,
  'claude-agent-acp': claude,
  gemini,
  opencode: ['.config/opencode/opencode.json', '.config/opencode/AGENTS.md'],
}

export async function leavesSettings<Value>(
  place: Place,
  agent: AgentName,
  run: () => Promise<Value>,
): Promise<Value> {
  const before = await contents(place, agent)
  const value = await run()
  expect(await contents(place, agent)).toEqual(before)
  return value
}

async function contents({ home }: Place, agent: AgentName): Promise<Record<string, string | null>> {
  const found = (settings[agent] ?? []).map(async (name): Promise<[string, string | null]> => {
    const file = join(home, name)
    return [name, existsSync(file) ? await readFile(file, 'utf8') : null]
  })
  return Object.fromEntries(await Promise.all(found))
}
