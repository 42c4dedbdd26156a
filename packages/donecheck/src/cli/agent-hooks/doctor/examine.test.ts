import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SettingsScope } from '@donecheck/agents/internal/protocol/settings'
import { findObstaclesTo } from './examine.ts'
import { loadHookedAgent } from '../../agents/agents.ts'

interface Around {
  readonly scope?: SettingsScope
  readonly environment?: Readonly<Record<string, string>>
  /** Paths below the home folder; `PROJECT` is replaced by the project. */
  readonly files?: Readonly<Record<string, string>>
}

async function obstacles(name: string, { scope = 'user', environment = {}, files = {} }: Around = {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'donecheck-obstacles-')))
  try {
    const [homeFolder, workFolder] = [join(root, 'home'), join(root, 'project')]
    await mkdir(workFolder)
    for (const [file, content] of Object.entries(files)) {
      await mkdir(dirname(join(homeFolder, file)), { recursive: true })
      await writeFile(join(homeFolder, file), content.replaceAll('PROJECT', workFolder))
    }
    const place = { homeFolder, workFolder, environment }
    return (await findObstaclesTo(await loadHookedAgent(name), scope, place)).join('\n')
  } finally {
    await rm(root, { recursive: true })
  }
}

describe('given settings by which an agent runs no hook', () => {
  it.each([
    ['claude-code', '.claude/settings.json', '{ "disableAllHooks": true }'],
    ['claude-code', '.claude/settings.json', '{ "disableAllHooks": "yes" }'],
    ['qwen', '.qwen/settings.json', '{ "disableAllHooks": true }'],
    ['copilot', '.copilot/settings.json', '{ "disableAllHooks": true }'],
    ['gemini', '.gemini/settings.json', '{ "hooksConfig": { "enabled": false } }'],
    ['gemini', '.gemini/settings.json', '{ "hooksConfig": { "disabled": ["donecheck"] } }'],
  ])('then %s is said to run none, with the file', async (name, file, content) => {
    expect(await obstacles(name, { files: { [file]: content } })).toContain(file)
    expect(await obstacles(name, { files: { [file]: '{}' } })).toBe('')
  })

  it('then a variable that makes the settings unread is told', async () => {
    expect(await obstacles('claude-code', { environment: { CLAUDE_CONFIG_DIR: '' } })).toContain('unset it')
  })
})

describe('given hooks in the settings of a project', () => {
  const project = { scope: 'project' } as const

  it('then Gemini CLI reads them only where the folder is trusted', async () => {
    const files = { '.gemini/trustedFolders.json': '{ "PROJECT": "TRUST_FOLDER" }' }
    expect(await obstacles('gemini', project)).toContain('start gemini in it once')
    expect(await obstacles('gemini', { ...project, files })).toBe('')
    expect(
      await obstacles('gemini', { ...project, environment: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } }),
    ).toBe('')
    const off = { '.gemini/settings.json': '{ "security": { "folderTrust": { "enabled": false } } }' }
    expect(await obstacles('gemini', { ...project, files: off })).toBe('')
    expect(await obstacles('gemini')).toBe('')
  })

  it('then Qwen Code does so where its user asked for that', async () => {
    const asked = { '.qwen/settings.json': '{ "security": { "folderTrust": { "enabled": true } } }' }
    const files = { ...asked, '.qwen/trustedFolders.json': '{ "PROJECT": "TRUST_FOLDER" }' }
    expect(await obstacles('qwen', project)).toBe('')
    expect(await obstacles('qwen', { ...project, files: asked })).toContain('start qwen in it once')
    expect(await obstacles('qwen', { ...project, files })).toBe('')
  })

  it('then Copilot CLI does so in silence', async () => {
    expect(await obstacles('copilot', project)).toContain('GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS')
    for (const [file, key] of [
      ['config.json', 'trusted_folders'],
      ['settings.json', 'trustedFolders'],
    ] as const) {
      const files = { [`.copilot/${file}`]: `{ "${key}": ["PROJECT"] }` }
      expect(await obstacles('copilot', { ...project, files })).toBe('')
    }
    const environment = { GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS: 'true' }
    expect(await obstacles('copilot', { ...project, environment })).toBe('')
  })

  it('then Claude Code runs them as those of its user', async () => {
    expect(await obstacles('claude-code', project)).toBe('')
  })
})
