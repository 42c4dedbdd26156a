import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { git, never, newFolder, newRepository, put, treeOf } from '../fixtures/work-tree.ts'
import { digestOfTree } from '../tree/tree-entry.ts'
import { openTrees } from '../../../trees/index.ts'
import { layCopy, type Copy } from './lay-copy.ts'

type CopyRequest = Parameters<typeof layCopy>[0]

async function copyOf(folder: string, changes: Partial<CopyRequest> = {}): Promise<string> {
  return (await layCopyOf(folder, changes)).folder
}

async function layCopyOf(folder: string, changes: Partial<CopyRequest> = {}): Promise<Copy> {
  const entries = await treeOf(folder)
  const request = {
    trees: openTrees(newFolder()),
    folder,
    entries,
    overlay: new Map(),
    dependencies: 'link' as const,
    ...changes,
  }
  const copy = await layCopy(request, never)
  onTestFinished(() => copy.dispose())
  return copy
}

const read = (...parts: readonly string[]) => readFileSync(join(...parts), 'utf8')
const file = (text: string, mode = 0o644) => ({ kind: 'file' as const, content: Buffer.from(text), mode })

describe('given a work tree', () => {
  it('has the same files: content, permissions, links, names that are not text', async () => {
    const folder = newRepository({ 'a.txt': 'a', 'd/run.sh': '#!/bin/sh\n' })
    chmodSync(join(folder, 'd/run.sh'), 0o755)
    symlinkSync('a.txt', join(folder, 'link'))
    symlinkSync('/etc/hostname', join(folder, 'out'))
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.of(0xff)]), 'odd')
    const copy = await copyOf(folder)
    expect(digestOfTree([...(await treeOf(copy)).values()])).toBe(
      digestOfTree([...(await treeOf(folder)).values()]),
    )
    expect(lstatSync(join(copy, 'd/run.sh')).mode & 0o777).toBe(0o755)
    expect(readlinkSync(join(copy, 'out'))).toBe('/etc/hostname')
  })

  it('leaves leftovers, pipes and ignored files out', async () => {
    const folder = newRepository({ '.gitignore': 'dist\n', 'a.txt': 'a' })
    put(folder, { 'dist/result.json': '{"passed":true}' })
    execFileSync('mkfifo', [join(folder, 'pipe')])
    const copy = await copyOf(folder)
    expect(existsSync(join(copy, 'dist'))).toBe(false)
    expect(existsSync(join(copy, 'pipe'))).toBe(false)
  })

  it('leads a link that names the work folder to the copy', async () => {
    const folder = newRepository({ 'a.txt': 'a' })
    symlinkSync(join(folder, 'a.txt'), join(folder, 'link'))
    const copy = await copyOf(folder)
    expect(realpathSync(join(copy, 'link'))).toBe(join(copy, 'a.txt'))
  })

  it('refuses a file that is not what was listed', async () => {
    const folder = newRepository({ 'a.txt': 'a' })
    const entries = await treeOf(folder)
    put(folder, { 'a.txt': 'b' })
    await expect(copyOf(folder, { entries })).rejects.toThrow('a.txt was changed while it was looked at')
  })

  it('ends with its folder, also where a check closed a folder, and follows no link', async () => {
    const folder = newRepository({ 'a.txt': 'a' })
    const elsewhere = newFolder()
    put(elsewhere, { kept: '1' })
    symlinkSync(elsewhere, join(folder, 'out'))
    const laid = await layCopyOf(folder)
    const copy = laid.folder
    mkdirSync(join(copy, 'closed'))
    writeFileSync(join(copy, 'closed/file'), '')
    chmodSync(join(copy, 'closed'), 0o500)
    await laid.dispose()
    expect(existsSync(copy)).toBe(false)
    expect(read(elsewhere, 'kept')).toBe('1')
    await laid.dispose()
  })
})

describe('given an overlay', () => {
  it('puts files back, removes what was not there, and leaves the rest', async () => {
    const folder = newRepository({ 'a.test.js': 'weak', 'conftest.py': 'exit', 'new.test.js': 'mine' })
    const overlay = new Map([
      ['a.test.js', file('strong', 0o755)],
      ['conftest.py', null],
      ['gone/b.test.js', file('back')],
    ])
    const copy = await copyOf(folder, { overlay })
    expect(read(copy, 'a.test.js')).toBe('strong')
    expect(lstatSync(join(copy, 'a.test.js')).mode & 0o777).toBe(0o755)
    expect(existsSync(join(copy, 'conftest.py'))).toBe(false)
    expect(read(copy, 'gone/b.test.js')).toBe('back')
    expect(read(copy, 'new.test.js')).toBe('mine')
  })

  it('writes nothing through a link that took the place of a folder', async () => {
    const elsewhere = newFolder()
    const folder = newRepository({ 'a.txt': 'a' })
    symlinkSync(elsewhere, join(folder, 'test'))
    const copy = await copyOf(folder, { overlay: new Map([['test/a.test.js', file('back')]]) })
    expect(read(copy, 'test/a.test.js')).toBe('back')
    expect(existsSync(join(elsewhere, 'a.test.js'))).toBe(false)
  })
})

describe('given installed packages', () => {
  const files = {
    '.gitignore': 'node_modules\n',
    'package.json': '{}',
    'packages/own/index.js': 'own',
    'packages/app/package.json': '{}',
  }
  function installed(): string {
    const folder = newRepository(files)
    put(folder, {
      'node_modules/left/index.js': 'left',
      'node_modules/@scope/right/index.js': 'right',
      'node_modules/.cache/answer': 'green',
      'packages/app/node_modules/inner/index.js': 'inner',
    })
    symlinkSync('../packages/own', join(folder, 'node_modules/own'))
    return folder
  }

  it('links each one, those of nested folders too, and leaves caches behind', async () => {
    const copy = await copyOf(installed())
    expect(read(copy, 'node_modules/left/index.js')).toBe('left')
    expect(read(copy, 'node_modules/@scope/right/index.js')).toBe('right')
    expect(read(copy, 'packages/app/node_modules/inner/index.js')).toBe('inner')
    expect(existsSync(join(copy, 'node_modules/.cache'))).toBe(false)
  })

  it('leads a package of this repository to the copy', async () => {
    const copy = await copyOf(installed())
    expect(realpathSync(join(copy, 'node_modules/own'))).toBe(join(copy, 'packages/own'))
  })

  it('copies them where that is asked for: a write in the copy stays there', async () => {
    const folder = installed()
    const copy = await copyOf(folder, { dependencies: 'copy' })
    writeFileSync(join(copy, 'node_modules/left/index.js'), 'changed')
    expect(read(folder, 'node_modules/left/index.js')).toBe('left')
    expect(realpathSync(join(copy, 'node_modules/own'))).toBe(join(copy, 'packages/own'))
  })

  it('leaves them out where that is asked for', async () => {
    expect(existsSync(join(await copyOf(installed(), { dependencies: 'off' }), 'node_modules'))).toBe(false)
  })
})

describe('given what was built and git ignores', () => {
  function built(): string {
    const folder = newRepository({ '.gitignore': 'target\n', 'a.txt': 'a' })
    put(folder, { 'target/debug/app': 'old' })
    return folder
  }

  it('copies it, so that what a check builds in the copy is not found in the work folder', async () => {
    const folder = built()
    const copy = await copyOf(folder)
    for (const path of ['target/debug/app']) {
      expect(read(copy, path)).toBe('old')
      put(copy, { [path]: 'new' })
      expect(read(folder, path)).toBe('old')
    }
  })

  it('is as old as it was, so that a build tool sees that it is older than the sources', async () => {
    const folder = built()
    const longAgo = new Date('2020-01-01T00:00:00Z')
    for (const path of ['target/debug/app']) utimesSync(join(folder, path), longAgo, longAgo)
    const copy = await copyOf(folder)
    for (const path of ['target/debug/app']) expect(statSync(join(copy, path)).mtime).toEqual(longAgo)
  })

  it('leaves out a build that was configured for the work folder', async () => {
    const folder = built()
    put(folder, {
      'target/native/CMakeCache.txt': `CMAKE_HOME_DIRECTORY=${folder}`,
      'target/native/app': 'x',
    })
    const copy = await copyOf(folder)
    expect(existsSync(join(copy, 'target/debug/app'))).toBe(true)
    expect(existsSync(join(copy, 'target/native'))).toBe(false)
  })
})

describe('given a repository', () => {
  it('shows the changes against the same commit and branch, without hooks and settings', async () => {
    const folder = newRepository({ 'a.txt': 'a', 'b.txt': 'b' })
    git(folder, 'tag', 'v1')
    git(folder, 'config', 'core.hooksPath', '/elsewhere')
    put(folder, { 'a.txt': 'changed', 'new.txt': 'n' })
    git(folder, 'add', '--all')
    const copy = await copyOf(folder)
    expect(git(copy, 'status', '--porcelain')).toBe(' M a.txt\n?? new.txt\n')
    expect(git(copy, 'describe', '--tags')).toBe('v1\n')
    expect(git(copy, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe(
      git(folder, 'rev-parse', '--abbrev-ref', 'HEAD'),
    )
    expect(git(copy, 'config', '--local', '--list')).not.toContain('hookspath')
    expect(existsSync(join(copy, '.git/hooks'))).toBe(false)
  })

  it('keeps the place of a folder inside it, and does not show the rest as deleted', async () => {
    const folder = newRepository({ 'packages/one/a': '1', 'packages/two/b': '2', top: 't' })
    put(folder, { 'node_modules/left/index.js': 'left' })
    const copy = await copyOf(join(folder, 'packages/one'))
    expect(copy.endsWith('/packages/one')).toBe(true)
    expect(git(copy, 'status', '--porcelain', '--untracked-files=no')).toBe('')
    expect(read(copy, '../../node_modules/left/index.js')).toBe('left')
  })
})
