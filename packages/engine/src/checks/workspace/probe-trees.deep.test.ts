import { chmodSync, existsSync, lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { project, removeRuns, startedRun, sumTest } from './fixtures/guarded-run.ts'
import { git, never, newFolder, newRepository } from './fixtures/work-tree.ts'
import { probeTrees, type ProbeTreesOptions } from './probe-trees.ts'

const copies: { dispose(): Promise<void> }[] = []

afterEach(async () => {
  for (const copy of copies.splice(0)) await copy.dispose()
  await removeRuns()
})

/** A run that has begun, and the trees of its probe. */
async function started(options: Partial<ProbeTreesOptions> = {}, workFolder = newRepository(project)) {
  const run = await startedRun({ workFolder })
  const trees = probeTrees({ workFolder, snapshotFolder: run.options.snapshotFolder, ...options })
  return {
    ...run,
    changes: () => trees.changes('run-1', never),
    async copy(overlay: Readonly<Record<string, string | null>> = {}) {
      const copy = await trees.copy(new Map(Object.entries(overlay)), never)
      copies.push(copy)
      return copy.folder
    },
    trees,
  }
}

const right = 'export const sum = (a, b) => a + b\n'

describe('given a work tree that was changed', () => {
  it('tells each change, and whether it belongs to the checks', async () => {
    const run = await started()
    run.put({ 'sum.js': right, 'more.js': 'new\n', 'test/sum.test.js': `${sumTest}// more\n` })
    rmSync(join(run.folder, '.gitignore'))
    expect(await run.changes()).toEqual([
      { path: '.gitignore', before: project['.gitignore'], after: null, isProtected: false },
      { path: 'more.js', before: null, after: 'new\n', isProtected: false },
      { path: 'sum.js', before: project['sum.js'], after: right, isProtected: false },
      { path: 'test/sum.test.js', before: sumTest, after: `${sumTest}// more\n`, isProtected: true },
    ])
  })

  it('tells nothing where nothing was changed', async () => {
    expect(await (await started()).changes()).toEqual([])
  })

  it('a file that is no UTF-8 any more has no text', async () => {
    const run = await started()
    writeFileSync(join(run.folder, 'sum.js'), Buffer.from([0xff, 0xfe, 0x00]))
    expect(await run.changes()).toEqual([{ path: 'sum.js', before: null, after: null, isProtected: false }])
  })

  it('gives no text on either side where one of them has none', async () => {
    const run = await started()
    rmSync(join(run.folder, 'sum.js'))
    symlinkSync('elsewhere.js', join(run.folder, 'sum.js'))
    expect(await run.changes()).toEqual([{ path: 'sum.js', before: null, after: null, isProtected: false }])
  })

  it('a test that the drive may change is a test, and so is its helper', async () => {
    const run = await started({ mayChange: ['test/**'] })
    run.put({ 'test/sum.test.js': 'a\n', 'test/tools.js': 'b\n' })
    expect((await run.changes()).map(({ path, isProtected }) => [path, isProtected])).toEqual([
      ['test/sum.test.js', true],
      ['test/tools.js', true],
    ])
  })

  it('what the user protects belongs to the checks, and so do the scripts of the checks', async () => {
    const workFolder = newRepository({ ...project, 'golden.js': '', 'look.sh': '' })
    const run = await started({ protect: ['golden.js'], checkCommands: ['./look.sh'] }, workFolder)
    run.put({ 'golden.js': 'a\n', 'look.sh': 'b\n' })
    expect((await run.changes()).map(({ isProtected }) => isProtected)).toEqual([true, true])
  })

  it('rejects where the baseline tree is not known', async () => {
    const trees = probeTrees({ workFolder: newRepository(project), snapshotFolder: newFolder() })
    await expect(trees.changes('run-1', never)).rejects.toThrow('no record of the baseline tree')
  })
})

describe('given a changed check side', () => {
  it('the copies have the earlier one, but for what the drive may change', async () => {
    const run = await started({ mayChange: ['test/free.test.js'] })
    run.put({ 'sum.js': right, 'test/sum.test.js': 'weak\n', 'test/free.test.js': 'new\n' })
    await run.changes()
    const folder = await run.copy({ 'sum.js': 'fault\n' })
    const read = (path: string) => readFileSync(join(folder, path), 'utf8')
    expect([read('sum.js'), read('test/sum.test.js'), read('test/free.test.js')]).toEqual([
      'fault\n',
      sumTest,
      'new\n',
    ])
  })
})

describe('given texts to lay over the work tree', () => {
  it('the copy has them, and everything else as it is now', async () => {
    const run = await started()
    run.put({ 'sum.js': right, 'more.js': 'new\n' })
    const before = git(run.folder, 'status', '--porcelain')
    const folder = await run.copy({ 'sum.js': 'fault\n', 'more.js': null, 'deep/er.js': 'there\n' })
    const read = (path: string) => readFileSync(join(folder, path), 'utf8')
    expect(read('sum.js')).toBe('fault\n')
    expect(read('deep/er.js')).toBe('there\n')
    expect(read('test/sum.test.js')).toBe(sumTest)
    expect(existsSync(join(folder, 'more.js'))).toBe(false)
    expect(readFileSync(join(run.folder, 'sum.js'), 'utf8')).toBe(right)
    expect(git(run.folder, 'status', '--porcelain')).toBe(before)
  })

  it('a script stays one, also after it was taken away', async () => {
    const workFolder = newRepository({ ...project, 'go.sh': 'a\n' })
    chmodSync(join(workFolder, 'go.sh'), 0o755)
    const run = await started({}, workFolder)
    rmSync(join(workFolder, 'go.sh'))
    await run.changes()
    const folder = await run.copy({ 'go.sh': 'a\n', 'plain.js': 'b\n' })
    expect(lstatSync(join(folder, 'go.sh')).mode & 0o111).toBe(0o111)
    expect(lstatSync(join(folder, 'plain.js')).mode & 0o111).toBe(0)
  })

  it('the copy is gone afterwards, and the work folder is not', async () => {
    const run = await started()
    const copy = await run.trees.copy(new Map(), never)
    await copy.dispose()
    expect(existsSync(copy.folder)).toBe(false)
    expect(existsSync(join(run.folder, 'sum.js'))).toBe(true)
  })

  it.each(['../out.js', '/out.js', 'a/../../out.js', ''])('a path outside is refused: "%s"', async (path) => {
    const run = await started()
    await expect(run.trees.copy(new Map([[path, 'x']]), never)).rejects.toThrow('no path inside')
  })
})
