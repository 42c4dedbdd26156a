import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { removeEmptyFolders } from './emptied-folders.ts'
import { changeFolder, image, removeChangeFolders, treeOf } from './fixtures/change-folder.ts'

afterEach(removeChangeFolders)

describe('given folders that may be empty', () => {
  it('removes those that are, also one in another, and says which', async () => {
    const { root } = changeFolder({ 'stays/a': image('a') })
    mkdirSync(join(root, 'one/two'), { recursive: true })
    expect(await removeEmptyFolders(root, ['stays', 'one', 'no', 'one/two'])).toEqual(['one/two', 'one'])
    expect(treeOf(root)).toEqual({ 'stays/': '', 'stays/a': '644 a' })
  })

  it('touches no file, no symlink, and nothing behind one or out of the root', async () => {
    const { root } = changeFolder({})
    mkdirSync(join(root, '../outside/empty'), { recursive: true })
    symlinkSync('../outside', join(root, 'link'))
    symlinkSync('../outside/empty', join(root, 'direct'))
    writeFileSync(join(root, 'file'), '')
    const before = treeOf(join(root, '..'))
    expect(await removeEmptyFolders(root, ['link', 'link/empty', 'direct', 'file', '.'])).toEqual([])
    expect(treeOf(join(root, '..'))).toEqual(before)
  })
})
