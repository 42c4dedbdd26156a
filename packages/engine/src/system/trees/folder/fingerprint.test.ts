import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gitOrWalkWorkspace } from './fingerprint.ts'
import { git, never, newFolder, put as putAll } from '../fixtures/work-tree.ts'

function newRepository(): string {
  const folder = newFolder()
  git(folder, 'init', '--quiet')
  return folder
}

const put = (folder: string, path: string, content: string) => putAll(folder, { [path]: content })

/** By a workspace that remembers nothing. */
function fingerprint(folder: string): Promise<string> {
  return gitOrWalkWorkspace(folder).fingerprint(never)
}

/** Whether the fingerprint is another one after a change. */
async function isSeen(folder: string, change: () => void): Promise<boolean> {
  const before = await fingerprint(folder)
  change()
  return (await fingerprint(folder)) !== before
}

describe('given a git repository', () => {
  it('staging and committing change nothing', async () => {
    const folder = newRepository()
    put(folder, 'a.txt', 'a')
    const before = await fingerprint(folder)
    git(folder, 'add', '--all')
    expect(await fingerprint(folder)).toBe(before)
    git(folder, 'commit', '--quiet', '--message', 'm')
    expect(await fingerprint(folder)).toBe(before)
  })

  it('ignored files do not count, tracked ones do even when ignored', async () => {
    const folder = newRepository()
    put(folder, '.gitignore', 'out\nkept')
    put(folder, 'kept', '1')
    git(folder, 'add', '--force', 'kept')
    expect(await isSeen(folder, () => put(folder, 'out/a', '1'))).toBe(false)
    expect(await isSeen(folder, () => put(folder, 'kept', '2'))).toBe(true)
  })

  it('only what is below a nested folder counts', async () => {
    const folder = newRepository()
    put(folder, 'packages/one/a', '1')
    const nested = join(folder, 'packages/one')
    expect(await isSeen(nested, () => put(folder, 'packages/two/a', '1'))).toBe(false)
    expect(await isSeen(nested, () => put(folder, 'packages/one/a', '2'))).toBe(true)
  })

  it('a repository inside it hides nothing', async () => {
    const folder = newRepository()
    put(folder, 'inner/deep/a', '1')
    git(join(folder, 'inner'), 'init', '--quiet')
    expect(await isSeen(folder, () => put(folder, 'inner/deep/a', '2'))).toBe(true)
    expect(await isSeen(folder, () => put(folder, 'inner/new', '1'))).toBe(true)
  })

  it('a folder that was swapped for a symlink is the symlink alone', async () => {
    const folder = newRepository()
    const elsewhere = newFolder()
    put(folder, 'd/a', '1')
    put(elsewhere, 'a', '1')
    git(folder, 'add', '--all')
    const swap = () => {
      rmSync(join(folder, 'd'), { recursive: true })
      symlinkSync(elsewhere, join(folder, 'd'))
    }
    expect(await isSeen(folder, swap)).toBe(true)
    expect(await isSeen(folder, () => put(elsewhere, 'a', '2'))).toBe(false)
  })
})

describe('given the environment of this process', () => {
  async function withVariable<Value>(name: string, value: string, act: () => Promise<Value>): Promise<Value> {
    const before = process.env[name]
    process.env[name] = value
    try {
      return await act()
    } finally {
      if (before === undefined) Reflect.deleteProperty(process.env, name)
      else process.env[name] = before
    }
  }

  it('variables for git do not point it elsewhere', async () => {
    const [folder, other] = [newRepository(), newRepository()]
    put(folder, '.gitignore', 'kept')
    put(folder, 'kept', '1')
    git(folder, 'add', '--force', 'kept')
    const before = await fingerprint(folder)
    expect(await withVariable('GIT_DIR', join(other, '.git'), () => fingerprint(folder))).toBe(before)
    expect(await withVariable('GIT_INDEX_FILE', join(other, 'none'), () => fingerprint(folder))).toBe(before)
  })
})

describe('given a repository that is hostile', () => {
  it('no program from its settings is run', async () => {
    const folder = newRepository()
    const mark = join(newFolder(), 'was-run')
    put(folder, 'evil.sh', `#!/bin/sh\ntouch '${mark}'\n`)
    chmodSync(join(folder, 'evil.sh'), 0o755)
    git(folder, 'config', 'core.fsmonitor', join(folder, 'evil.sh'))
    git(folder, 'config', 'core.hooksPath', folder)
    await fingerprint(folder)
    expect(() => realpathSync(mark)).toThrow()
  })

  it('another work tree in its settings is not believed', async () => {
    const folder = newRepository()
    put(folder, 'a', '1')
    git(folder, 'config', 'core.worktree', newFolder())
    expect(await isSeen(folder, () => put(folder, 'a', '2'))).toBe(true)
    git(folder, 'config', 'core.worktree', '/')
    put(folder, '.gitignore', 'b')
    put(folder, 'b', '1')
    git(folder, '--work-tree', folder, 'add', '--force', 'b')
    expect(await isSeen(folder, () => put(folder, 'b', '2'))).toBe(true)
  })

  it('an empty .git does not make another repository of it', async () => {
    const folder = newRepository()
    put(folder, 'nested/a', '1')
    git(folder, 'add', '--all')
    put(folder, 'nested/.gitignore', 'a')
    mkdirSync(join(folder, 'nested/.git'))
    expect(await isSeen(join(folder, 'nested'), () => put(folder, 'nested/a', '2'))).toBe(true)
  })
})

describe('given a folder outside of any repository', () => {
  it('what package managers keep does not count, at any depth', async () => {
    const folder = newFolder()
    expect(await isSeen(folder, () => put(folder, 'd/node_modules/a', '1'))).toBe(false)
    expect(await isSeen(folder, () => put(folder, 'd/.hidden/a', '1'))).toBe(true)
  })

  it('a pipe is seen and not waited for', async () => {
    const folder = newFolder()
    expect(await isSeen(folder, () => execFileSync('mkfifo', [join(folder, 'pipe')]))).toBe(true)
  })

  it('a file that may not be read is a part of it, and nothing is thrown', async () => {
    const folder = newFolder()
    put(folder, 'closed', '1')
    const refused = Object.assign(new Error('refused'), { code: 'EACCES' })
    const reader = { nowMs: () => 0, digest: () => Promise.reject(refused) }
    const closed = await gitOrWalkWorkspace(folder, reader).fingerprint(never)
    expect(closed).not.toBe(await fingerprint(folder))
    put(folder, 'closed', '12')
    expect(await gitOrWalkWorkspace(folder, reader).fingerprint(never)).not.toBe(closed)
  })
})
