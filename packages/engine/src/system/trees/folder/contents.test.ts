import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openTrees } from '../store/open-trees.ts'
import { never as signal, newFolder, newRepository, put, treeOf } from '../fixtures/work-tree.ts'
import { storeTree } from './contents.ts'

const trees = () => openTrees(newFolder())

describe('given a work folder', () => {
  it('when it is stored and laid elsewhere, then the copy has the same fingerprint and no ignored file', async () => {
    const folder = newRepository({
      '.gitignore': 'out\n*.log\n',
      'a.ts': 'a',
      'bin/run': 'run',
      'kept.log': 'k',
    })
    put(folder, { 'out/built.js': 'built', 'new.ts': 'new' })
    chmodSync(join(folder, 'bin/run'), 0o750)
    symlinkSync(join(folder, 'a.ts'), join(folder, 'link'))
    const [stored, copy] = [trees(), join(newFolder(), 'copy')]
    const entries = await treeOf(folder)
    await stored.lay(await storeTree(stored, folder, entries, signal), copy, { original: folder, signal })
    const laid = await treeOf(copy)
    expect([...laid.keys()].sort()).toEqual(['.gitignore', 'a.ts', 'bin/run', 'link', 'new.ts'])
    expect(laid.get('bin/run')).toEqual(entries.get('bin/run'))
    writeFileSync(join(copy, 'link'), 'through the link')
    expect(readFileSync(join(folder, 'a.ts'), 'utf8')).toBe('a')
  })

  it('when a file changed since it was listed, then it is not stored', async () => {
    const folder = newRepository({ 'a.ts': 'a' })
    const entries = await treeOf(folder)
    put(folder, { 'a.ts': 'b' })
    await expect(storeTree(trees(), folder, entries, signal)).rejects.toThrow(
      'a.ts was changed while it was looked at',
    )
  })

  it('when a tracked file is ignored, then it is stored, because it counts', async () => {
    const folder = newRepository({ 'a.log': 'a' })
    put(folder, { '.gitignore': '*.log\n' })
    const stored = trees()
    const files = await stored.list(await storeTree(stored, folder, await treeOf(folder), signal), signal)
    expect([...files.keys()]).toEqual(['.gitignore', 'a.log'])
  })
})
