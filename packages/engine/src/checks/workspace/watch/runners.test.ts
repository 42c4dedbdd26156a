import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { never, newFolder, put } from '../fixtures/work-tree.ts'
import { installedPackage } from './updates.ts'
import { runnerFindings, foldUpdates } from './runner-findings.ts'
import { lookAtRunners, nothingInstalled, packagesPutBack, type Installed } from './runners.ts'
import type { TamperFinding } from '../../../analysis/tamper/index.ts'

const library = '.venv/lib/python3/site-packages'
const files = {
  'node_modules/vitest/package.json': '{"version":"1.0.0"}',
  'node_modules/vitest/dist/cli.js': 'run',
  'node_modules/left/package.json': '{"version":"1.0.0"}',
  'node_modules/left/index.js': 'left',
  'node_modules/left/README.md': 'left',
  'node_modules/left/node_modules/deep/index.js': 'deep',
  'node_modules/right/index.js': 'right',
  'node_modules/.bin/vitest': '#!/bin/sh',
  '.venv/bin/pytest': 'run',
  [`${library}/_pytest/main.py`]: 'main',
  [`${library}/six.py`]: 'six',
  [`${library}/plugin-1.0.dist-info/entry_points.txt`]: '[pytest11]\nplugin = plugin\n',
  [`${library}/plugin-1.0.dist-info/METADATA`]: 'Version: 1.0',
}

const look = (folder: string, known: Installed = nothingInstalled, folders = ['', 'test']) =>
  lookAtRunners(folder, folders, known, never)

const installers = (folder: string, isUpdate: boolean) => ({
  isUpdate: () => isUpdate,
  isNoted: (path: string) => installedPackage(folder, path) !== undefined,
  hasMoved: (from: string, to: string) => from === 'packages/cart' && to === 'packages/basket',
})

interface Given {
  readonly isUpdate?: boolean
  readonly installed?: Readonly<Record<string, string>>
}

/** What is found, notes left out. */
async function after(
  change: (folder: string) => unknown,
  { isUpdate = false, installed = files }: Given = {},
): Promise<readonly string[]> {
  const folder = newFolder()
  put(folder, installed)
  const before = await look(folder)
  await change(folder)
  const now = await look(folder, before)
  return runnerFindings(before.runners, now.runners, installers(folder, isUpdate))
    .filter(({ atMost }) => atMost === undefined)
    .map(({ rule, path }) => `${rule} ${path}`)
}

describe('given installed packages', () => {
  it.each([
    ['a file of a runner', 'node_modules/vitest/dist/cli.js', 'runner.replaced node_modules/vitest'],
    ['a file beside its own', 'node_modules/vitest/dist/more.js', 'runner.replaced node_modules/vitest'],
    ['a file of any other package', 'node_modules/left/index.js', 'runner.replaced node_modules/left'],
    [
      'one inside of another',
      'node_modules/left/node_modules/deep/index.js',
      'runner.replaced node_modules/left/node_modules/deep',
    ],
    ['a program', 'node_modules/.bin/vitest', 'runner.replaced node_modules/.bin/vitest'],
    ['a program in front of the shell', 'node_modules/.bin/sh', 'runner.wrapped node_modules/.bin/sh'],
    ['a program of Python', '.venv/bin/pytest', 'runner.replaced .venv/bin/pytest'],
    ['a package of Python', `${library}/_pytest/main.py`, `runner.replaced ${library}/_pytest`],
    ['a module of Python', `${library}/six.py`, `runner.replaced ${library}/six.py`],
    [
      'what a runner is told to load',
      `${library}/plugin-1.0.dist-info/entry_points.txt`,
      `runner.replaced ${library}/plugin-1.0.dist-info/entry_points.txt`,
    ],
    [
      'a package that stands before another one',
      'node_modules/left/node_modules/right/index.js',
      'runner.wrapped node_modules/left/node_modules/right',
    ],
    [
      'one that stands before it in a folder of the project',
      'test/node_modules/right/index.js',
      'runner.wrapped test/node_modules/right',
    ],
    ['what Python runs at its start', `${library}/zz.pth`, `runner.wrapped ${library}/zz.pth`],
  ])('finds %s', async (_, path, expected) => {
    const other = '[pytest11]\nother = other\n'
    expect(await after((folder) => put(folder, { [path]: other }))).toEqual([expected])
  })

  it('finds a plug-in that nobody asked for, and says nothing of a package that brings a command', async () => {
    const notes = (name: string) => `${library}/${name}-2.0.dist-info/entry_points.txt`
    const plugIn = (folder: string) => put(folder, { [notes('new')]: '[pytest11]\nx = x\n' })
    expect(await after(plugIn)).toEqual([`runner.wrapped ${notes('new')}`])
    expect(await after(plugIn, { isUpdate: true })).toEqual([])
    const command = (folder: string) => put(folder, { [notes('http')]: '[console_scripts]\nhttp = x\n' })
    expect(await after(command)).toEqual([])
  })

  it.each([
    ['another package', { 'node_modules/new/index.js': '' }],
    ['a runner that came', { 'node_modules/mocha/index.js': '', 'node_modules/.bin/mkdirp': '' }],
    ['a cache', { 'node_modules/.vite/x': '', 'node_modules/vitest/node_modules/.cache/x': '' }],
    ['what Python compiles', { [`${library}/_pytest/__pycache__/main.pyc`]: '' }],
    [
      'what people read',
      { 'node_modules/left/README.md': 'changed', [`${library}/plugin-1.0.dist-info/METADATA`]: '' },
    ],
    ['the same content', files],
  ])('says nothing of %s', async (_, changed) => {
    expect(await after((folder) => put(folder, changed))).toEqual([])
  })

  it('says nothing of a package that was installed again, or went', async () => {
    const again = (folder: string) => {
      rmSync(join(folder, 'node_modules'), { recursive: true })
      put(folder, files)
    }
    expect(await after(again)).toEqual([])
    expect(await after((folder) => rmSync(join(folder, 'node_modules/left'), { recursive: true }))).toEqual(
      [],
    )
  })

  it('says nothing of packages that an installer moved about', async () => {
    const move = (folder: string) => {
      const [outer, inner] = ['node_modules/right', 'node_modules/left/node_modules/right']
      renameSync(join(folder, outer), join(folder, inner))
      put(folder, { [`${outer}/index.js`]: 'right 2' })
    }
    expect(await after(move, { isUpdate: true })).toEqual([])
    expect(await after(move)).toEqual(['runner.replaced node_modules/right'])
  })

  it('says nothing of a new version that came with the lock file', async () => {
    const update = {
      'node_modules/vitest/package.json': '{"version":"2.0.0"}',
      'node_modules/vitest/dist/cli.js': 'new',
    }
    expect(await after((folder) => put(folder, update), { isUpdate: true })).toEqual([])
    expect(await after((folder) => put(folder, update))).toHaveLength(1)
  })

  it('finds other content of the same version, although the lock file changed', async () => {
    const change = (folder: string) => put(folder, { 'node_modules/vitest/dist/cli.js': 'exit 0' })
    expect(await after(change, { isUpdate: true })).toEqual(['runner.replaced node_modules/vitest'])
  })

  it('finds what Python runs at its start in a new environment, unless an installer has noted it', async () => {
    const environment = {
      ...files,
      [`${library}/_virtualenv.pth`]: 'import _virtualenv',
      [`${library}/tool-1.0.dist-info/RECORD`]: 'tool.pth,sha256=x,20\n',
      [`${library}/tool.pth`]: 'import tool',
    }
    const make = (more: Readonly<Record<string, string>>) =>
      after((folder) => put(folder, { ...environment, ...more }), { installed: {} })
    expect(await make({})).toEqual([])
    for (const name of ['shop.pth', 'sitecustomize.py'])
      expect(await make({ [`${library}/${name}`]: 'import shop' })).toEqual([
        `runner.wrapped ${library}/${name}`,
      ])
  })

  it('follows links of a store of packages, and finds one that leads elsewhere now', async () => {
    const store = 'node_modules/.pnpm/chai@5.0.0/node_modules/chai'
    const change = (act: (folder: string) => unknown) =>
      after((folder) => act(folder), {
        installed: { [`${store}/index.js`]: 'chai', 'node_modules/other/x.js': '' },
      })
    expect(await change((folder) => put(folder, { [`${store}/index.js`]: 'true' }))).toEqual([
      `runner.replaced ${store}`,
    ])
    const folder = newFolder()
    put(folder, { [`${store}/index.js`]: 'chai', 'evil/index.js': 'true' })
    symlinkSync('.pnpm/chai@5.0.0/node_modules/chai', join(folder, 'node_modules/chai'))
    const before = await look(folder)
    rmSync(join(folder, 'node_modules/chai'))
    symlinkSync('../evil', join(folder, 'node_modules/chai'))
    const now = await look(folder, before)
    const paths = runnerFindings(before.runners, now.runners, installers(folder, false)).map(
      ({ path }) => path,
    )
    expect(paths).toEqual(['node_modules/chai'])
  })
})

describe('given a link to a folder of the work tree', () => {
  async function relinked(to: string): Promise<readonly string[]> {
    const folder = newFolder()
    const manifest = '{"name":"cart","version":"1.0.0"}'
    put(folder, { 'packages/cart/package.json': manifest, 'node_modules/left/index.js': 'left' })
    symlinkSync('../packages/cart', join(folder, 'node_modules/cart'))
    const before = await look(folder)
    rmSync(join(folder, 'node_modules/cart'))
    put(folder, { [`${to}/package.json`]: manifest })
    symlinkSync(join('..', to), join(folder, 'node_modules/cart'))
    const now = await look(folder, before)
    return runnerFindings(before.runners, now.runners, installers(folder, false)).map(({ path }) => path)
  }

  it('says nothing of its content, and follows it where the folder moved', async () => {
    const edit = (folder: string) => put(folder, { 'packages/cart/index.js': 'other' })
    expect(await after(edit)).toEqual([])
    expect(await relinked('packages/basket')).toEqual([])
  })

  it('finds one that leads to another folder', async () => {
    expect(await relinked('packages/other')).toEqual(['node_modules/cart'])
  })
})

describe('given two looks, with checks in between', () => {
  async function putBack(act: (file: string) => void): Promise<readonly string[]> {
    const folder = newFolder()
    put(folder, files)
    const before = await look(folder)
    act(join(folder, 'node_modules/left/index.js'))
    return packagesPutBack(before, await look(folder, before))
  }

  it('finds what was swapped and put back', async () => {
    const swap = (file: string) => {
      renameSync(file, `${file}.kept`)
      writeFileSync(file, 'other')
      renameSync(`${file}.kept`, file)
    }
    expect(await putBack(swap)).toEqual(['node_modules/left'])
  })

  it('says nothing of an installer, which makes the folder anew', async () => {
    const install = (file: string) => {
      const folder = dirname(file)
      renameSync(folder, `${folder}.old`)
      mkdirSync(folder)
      for (const name of ['package.json', 'index.js', 'README.md', 'node_modules'])
        renameSync(join(`${folder}.old`, name), join(folder, name))
      rmSync(`${folder}.old`, { recursive: true })
    }
    expect(await putBack(install)).toEqual([])
    expect(await putBack(() => undefined)).toEqual([])
  })
})

const found = (path: string, atMost?: 'note'): TamperFinding => ({
  rule: 'runner.replaced',
  path,
  message: `${path} was changed since the run began`,
  ...(atMost === undefined ? {} : { atMost }),
})
const told = (paths: readonly string[]) =>
  foldUpdates(paths.map((path) => found(path, 'note'))).map(({ message }) => message)

describe('given updates of packages', () => {
  const modules = ['vite', '@vitest/runner', 'chai', 'tinypool'].map((name) => `node_modules/${name}`)
  const program = 'node_modules/.bin/vitest'

  it('tells of them in one line for each language, and of programs where no package changed', () => {
    const python = '.venv/lib/python3/site-packages/six.py'
    expect(told([...modules, program, 'web/node_modules/chai', python])).toEqual([
      '4 installed packages changed: @vitest/runner, chai, tinypool, …',
      '1 installed package changed: six.py',
    ])
    expect(told([program])).toEqual(['1 installed program changed: vitest'])
  })
})
