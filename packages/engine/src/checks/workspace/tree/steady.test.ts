import { fc, test } from '@fast-check/vitest'
import { renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git, never, newFolder, newRepository, put, treeOf } from '../fixtures/work-tree.ts'
import { changesIn, markTree } from './steady.ts'

const old = new Date('2020-01-01T00:00:00Z')
const files = { 'a.js': 'a', 'src/b.js': 'b', 'test/c.test.js': 'c', '.gitignore': 'out\n' }
const nothing = { changed: [], restamped: [], appeared: [] }

/** What is found after something was done between the two looks. */
async function afterwards(
  folder: string,
  act: () => unknown,
  { extra = [], isCopy = false }: { readonly extra?: readonly string[]; readonly isCopy?: boolean } = {},
) {
  const mark = await markTree(folder, extra, never)
  const known = await treeOf(folder)
  act()
  return changesIn({ mark, known, isCopy }, never)
}

describe('given a tree that checks run in', () => {
  it.each(['git', 'a walk'])('says nothing where nothing was done (seen by %s)', async (by) => {
    const folder = by === 'git' ? newRepository(files) : newFolder()
    put(folder, files)
    expect(await afterwards(folder, () => undefined)).toEqual(nothing)
  })

  it('tells what was written, removed, replaced by a link, and what is new', async () => {
    const folder = newRepository(files)
    const act = () => {
      writeFileSync(join(folder, 'a.js'), 'A')
      rmSync(join(folder, 'src/b.js'))
      rmSync(join(folder, 'test/c.test.js'))
      symlinkSync('../a.js', join(folder, 'test/c.test.js'))
      put(folder, { 'report.xml': 'x', 'out/ignored': 'x' })
    }
    expect(await afterwards(folder, act)).toEqual({
      changed: ['a.js', 'src/b.js', 'test/c.test.js'],
      restamped: [],
      appeared: ['report.xml'],
    })
  })

  it('tells what was written with its earlier time put back', async () => {
    const folder = newRepository(files)
    utimesSync(join(folder, 'a.js'), old, old)
    const act = () => {
      writeFileSync(join(folder, 'a.js'), 'A')
      utimesSync(join(folder, 'a.js'), old, old)
    }
    expect((await afterwards(folder, act)).changed).toEqual(['a.js'])
  })

  it('tells what was swapped for the time of the checks, and put back', async () => {
    const folder = newRepository(files)
    const file = join(folder, 'a.js')
    const act = () => {
      renameSync(file, `${file}.kept`)
      writeFileSync(file, 'A')
      renameSync(`${file}.kept`, file)
    }
    expect(await afterwards(folder, act)).toEqual({ ...nothing, restamped: ['a.js'] })
  })

  it('tells of a folder that became a link, and of one that was moved away and put back', async () => {
    const folder = newRepository(files)
    const [src, kept] = [join(folder, 'src'), join(folder, 'kept')]
    const exchange = () => {
      renameSync(src, kept)
      symlinkSync('test', src)
    }
    const back = () => {
      exchange()
      rmSync(src)
      renameSync(kept, src)
    }
    expect(await afterwards(folder, back)).toEqual({ ...nothing, restamped: ['src'] })
    const found = await afterwards(folder, exchange)
    expect(found).toEqual({ changed: ['src', 'src/b.js'], restamped: [], appeared: ['kept/b.js'] })
  })

  it('leaves caches of tools alone, and looks at ignored files that it is told of', async () => {
    const folder = newRepository(files)
    put(folder, { '__pycache__/a.pyc': '1', 'out/check.sh': 'exit 1' })
    const act = () => put(folder, { '__pycache__/a.pyc': '2', 'out/check.sh': 'exit 0', 'out/other': '' })
    const extra = ['out/check.sh', 'out/other']
    const found = await afterwards(folder, act, { extra })
    expect(found).toEqual({ ...nothing, changed: ['out/check.sh'], appeared: ['out/other'] })
  })

  it('tells of files of a repository inside of the tree', async () => {
    const folder = newRepository(files)
    put(folder, { 'inner/d.js': 'd' })
    git(join(folder, 'inner'), 'init', '--quiet')
    const found = await afterwards(folder, () => put(folder, { 'inner/d.js': 'D' }))
    expect(found.changed).toEqual(['inner/d.js'])
  })

  test.prop([fc.uniqueArray(fc.constantFrom(...Object.keys(files))), fc.uniqueArray(fc.nat({ max: 9 }))])(
    'tells exactly what was written, whatever it was',
    async (written, fresh) => {
      const folder = newFolder()
      put(folder, files)
      const added = fresh.map((index) => `new-${index}`)
      const act = () => {
        for (const path of [...written, ...added]) writeFileSync(join(folder, path), 'other')
      }
      const found = await afterwards(folder, act)
      expect(found).toEqual({ changed: [...written].sort(), restamped: [], appeared: [...added].sort() })
    },
  )
})

describe('given a copy that was laid by us', () => {
  it('tells what was written before it was marked', async () => {
    const folder = newFolder()
    put(folder, files)
    const known = await treeOf(folder)
    writeFileSync(join(folder, 'a.js'), 'A')
    const mark = await markTree(folder, [], never)
    expect((await changesIn({ mark, known, isCopy: true }, never)).changed).toEqual(['a.js'])
  })
})
