import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findProgram } from '@donecheck/engine/internal/system/process'
import { findAgents, versionIn } from './index.ts'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-find-'))
})

afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function program(name: string, script: string, mode = 0o755): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode })
}

const search = (more = '') => ({ PATH: `${folder}:/usr/bin:/bin${more}` })

describe('looking for agents', () => {
  it('finds those on PATH, in their order, with their versions', async () => {
    await program('gemini', 'echo 0.61.0')
    await program('claude', 'echo "2.1.330 (Claude Code)"')
    await program('codex', 'echo "codex-cli 0.169.0"')
    const found = await findAgents({ environment: search() })
    expect(found.map(({ name, version, path }) => [name, version, path])).toEqual([
      ['claude-code', '2.1.330', join(folder, 'claude')],
      ['codex', '0.169.0', join(folder, 'codex')],
      ['gemini', '0.61.0', join(folder, 'gemini')],
    ])
  })

  it('finds one that does not tell its version, hangs or floods', async () => {
    await program('claude', 'exit 1')
    await program('codex', 'sleep 1000')
    await program('gemini', 'yes 3.4.5')
    const found = await findAgents({ environment: search(), timeoutMs: 300 })
    expect(found.map(({ name, version }) => [name, version])).toEqual([
      ['claude-code', undefined],
      ['codex', undefined],
      ['gemini', undefined],
    ])
  })

  it('does not look in folders that depend on where it stands', async () => {
    await program('claude', 'echo 1.0.0')
    expect(findProgram('claude', { PATH: '.::bin' })).toBeUndefined()
    expect(findProgram('claude', {})).toBeUndefined()
    expect(findProgram(join(folder, 'claude'), {})).toBe(join(folder, 'claude'))
    expect(findProgram(join(folder, 'none'), {})).toBeUndefined()
  })
})

describe('reading a version', () => {
  it.each([
    ['2.1.330 (Claude Code)', '2.1.330'],
    ['codex-cli 0.169.0', '0.169.0'],
    ['v1.2.3-beta.1\nupdate available: 2.0.0', '1.2.3-beta.1'],
    ['opencode 1.18', '1.18'],
    ['no number', undefined],
    ['', undefined],
  ])('finds in %j %s', (text, version) => {
    expect(versionIn(text)).toBe(version)
  })
})
