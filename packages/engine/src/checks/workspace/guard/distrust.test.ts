import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { givenRun, notesIn, project, read, removeRuns } from '../fixtures/guarded-run.ts'
import { never, newFolder, newRepository, put } from '../fixtures/work-tree.ts'

afterEach(removeRuns)

const ignore = '__pycache__/\n*.tsbuildinfo\n.eslintcache\n.ruff_cache\n.env\ndist\nnode_modules\n'
const files = { ...project, '.gitignore': ignore, 'src/a.py': 'a = 1\n' }

async function runIn(workFolder: string) {
  put(workFolder, { '.env': 'KEY=1', 'dist/main.js': 'built', 'src/__pycache__/old.pyc': '1' })
  const run = givenRun({ workFolder })
  const start = await run.prepare('baseline')
  await start.recheck?.(never)
  return run
}

describe('given caches that tools believe over the sources', () => {
  it('trusts those from before the run, and those that the checks wrote', async () => {
    const run = await runIn(newRepository(files))
    const tree = await run.prepare()
    expect(tree.kind).toBe('work-folder')
    run.put({ 'src/__pycache__/a.pyc': '1', 'a.tsbuildinfo': '{}' })
    await tree.recheck?.(never)
    expect((await run.prepare('claim')).kind).toBe('work-folder')
  })

  it.each([
    'src/__pycache__/a.pyc',
    'src/__pycache__/old.pyc',
    'a.tsbuildinfo',
    '.eslintcache',
    '.ruff_cache/1/x',
  ])('has a copy without it checked once somebody else wrote %s', async (cache) => {
    const run = await runIn(newRepository(files))
    run.put({ [cache]: 'all is well' })
    const tree = await run.prepare('claim')
    expect(tree).toMatchObject({ kind: 'clean-copy', report: { status: 'passed' } })
    expect(notesIn(tree).join()).toContain(cache)
    expect(existsSync(join(tree.folder, cache))).toBe(false)
    expect(read(tree.folder, 'src/a.py')).toBe('a = 1\n')
    expect(await tree.recheck?.(never)).toBeUndefined()
    expect((await run.prepare('claim')).kind).toBe('clean-copy')
  })

  it('leaves all else in the copy that the work folder has: settings of this machine, what was built', async () => {
    const run = await runIn(newRepository(files))
    run.put({ 'a.tsbuildinfo': '{}' })
    const tree = await run.prepare('claim')
    expect(read(tree.folder, '.env')).toBe('KEY=1')
    expect(read(tree.folder, 'dist/main.js')).toBe('built')
  })

  it('does so without git, and after a resume', async () => {
    const folder = newFolder()
    put(folder, files)
    const run = await runIn(folder)
    run.restart()
    run.put({ 'src/__pycache__/a.pyc': '1' })
    const tree = await run.prepare('claim')
    expect(tree.kind).toBe('clean-copy')
    expect(existsSync(join(tree.folder, 'src/__pycache__/a.pyc'))).toBe(false)
    expect(read(tree.folder, 'src/__pycache__/old.pyc')).toBe('1')
  })
})
