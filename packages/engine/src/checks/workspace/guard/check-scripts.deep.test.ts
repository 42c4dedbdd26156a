import { existsSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GuardedTree } from '../../../ports/checks.ts'
import { findingsIn, read, startedRun } from '../fixtures/guarded-run.ts'
import { laidFor } from '../fixtures/sum-check.ts'
import { git, newFolder, newRepository, put } from '../fixtures/work-tree.ts'

const honest = 'test -f done.txt\n'
const emptied = 'exit 0\n'

const rulesIn = (tree: GuardedTree) =>
  findingsIn(tree).map(({ rule, path, response }) => `${rule} ${path} ${response}`)

describe('given a check whose script has an unusual name', () => {
  it.each([
    ['sh check.md', 'check.md'],
    ['sh check.txt', 'check.txt'],
    ['sh -e check.mk', 'check.mk'],
    ['sh Makefile', 'Makefile'],
    ['python3 judge', 'judge'],
    ['env CI=1 timeout 9 bash -o pipefail deep/judge', 'deep/judge'],
    ['cd deep && sh judge', 'deep/judge'],
    ['/bin/sh <check.md', 'check.md'],
  ])('puts back what `%s` runs', async (line, path) => {
    const workFolder = newRepository({ [path]: honest })
    const run = await startedRun({ workFolder, checkCommands: [line] })
    run.put({ [path]: emptied })
    expect(read(await laidFor(await run.prepare()), path)).toBe(honest)
  })

  it('puts it back where an absolute path names it', async () => {
    const workFolder = newRepository({ 'check.md': honest })
    const run = await startedRun({ workFolder, checkCommands: [`sh ${workFolder}/check.md`] })
    run.put({ 'check.md': emptied })
    expect(read(await laidFor(await run.prepare()), 'check.md')).toBe(honest)
  })

  it('leaves the file alone that the check is about', async () => {
    const workFolder = newRepository({ 'check.md': honest, 'out.txt': 'red\n' })
    const run = await startedRun({ workFolder, checkCommands: ['sh check.md && grep -q green out.txt'] })
    run.put({ 'out.txt': 'green\n', 'done.txt': '' })
    const tree = await run.prepare()
    expect(tree.report).toMatchObject({ status: 'passed' })
    expect(tree.mayBeGone).not.toBe('any')
  })
})

describe('given a new file that git ignores and that a check reads in', () => {
  const cases = 'for case in test/cases/*.sh; do sh "$case" || exit 1; done\n'
  const helped = { 'test/cases/a.sh': '. test/helper.sh\n', 'test/helper.sh': '. ./settings.sh\n' }
  const settings = { 'settings.sh': '[ ! -f local.sh ] || . ./local.sh\n' }
  it.each([
    ['if [ -f local.sh ]; then . ./local.sh; fi; sh check.sh', { 'check.sh': honest }],
    ['. ./settings.sh && sh check.sh', { 'check.sh': honest, ...settings }],
    ['sh check.sh', { 'check.sh': cases, ...helped, ...settings }],
  ])('has it not in the restored tree of `%s`', async (line, files) => {
    const workFolder = newRepository({ '.gitignore': 'local.sh\n', ...files })
    const run = await startedRun({ workFolder, checkCommands: [line] })
    run.put({ 'local.sh': emptied })
    expect(existsSync(join(await laidFor(await run.prepare()), 'local.sh'))).toBe(false)
  })
})

describe('given a script that git ignores', () => {
  const ignored = (checkCommands: readonly string[], files: Readonly<Record<string, string>>) =>
    startedRun({ workFolder: newRepository({ '.gitignore': '*.sh\ndist\n', ...files }), checkCommands })

  it('is as it was in the restored tree, changed or removed', async () => {
    const run = await ignored(['sh check.sh'], { 'check.sh': honest })
    expect((await run.prepare()).mayBeGone).not.toBe('any')
    run.put({ 'check.sh': emptied })
    expect(read(await laidFor(await run.prepare()), 'check.sh')).toBe(honest)
    unlinkSync(join(run.folder, 'check.sh'))
    expect(read(await laidFor(await run.prepare()), 'check.sh')).toBe(honest)
  })

  it('is so, too, where git knows it since then, and after another process went on with the run', async () => {
    const run = await ignored(['./check.sh'], { 'check.sh': honest })
    run.restart()
    run.put({ 'check.sh': emptied })
    expect(read(await laidFor(await run.prepare()), 'check.sh')).toBe(honest)
    git(run.folder, 'add', '--force', 'check.sh')
    expect(read(await laidFor(await run.prepare()), 'check.sh')).toBe(honest)
  })

  it('is product where it is built from sources', async () => {
    const run = await ignored(['node dist/main.js'], {
      'dist/main.js': 'one\n',
      'package.json': '{ "bin": "dist/main.js" }',
    })
    run.put({ 'dist/main.js': 'two\n' })
    const tree = await run.prepare()
    expect(tree.report.status).toBe('passed')
    expect(tree.mayBeGone).not.toBe('any')
  })
})

describe('given a script outside of the work folder', () => {
  function outside(line: (path: string) => string) {
    const folder = newFolder()
    put(folder, { 'check.sh': honest, 'work/a.txt': '' })
    const workFolder = join(folder, 'work')
    git(workFolder, 'init', '--quiet')
    const path = join(folder, 'check.sh')
    return { path, started: startedRun({ workFolder, home: folder, checkCommands: [line(path)] }) }
  }

  it.each([
    ['by a relative path', () => 'sh ../check.sh'],
    ['by an absolute path', (path: string) => `sh -e ${path}`],
    ['from the home folder', () => 'bash ~/check.sh'],
    ['after a change of folder', () => 'cd .. && sh check.sh'],
  ])('is refused where it was changed, named %s', async (_, line) => {
    const { path, started } = outside(line)
    const run = await started
    expect((await run.prepare()).report.status).toBe('passed')
    writeFileSync(path, emptied)
    const tree = await run.prepare()
    expect(tree.report.status).toBe('failed')
    expect(rulesIn(tree)).toEqual([`check-script.changed ${path} ask`])
  })

  it.each(['link', 'folder'])('is refused where it was changed behind a %s', async (kind) => {
    const folder = newFolder()
    put(folder, { 'real/check.sh': honest })
    const workFolder = newRepository({ 'a.txt': '' })
    const name = kind === 'link' ? 'check.sh' : 'checks/check.sh'
    if (kind === 'link') symlinkSync(join(folder, 'real/check.sh'), join(workFolder, name))
    else symlinkSync(join(folder, 'real'), join(workFolder, 'checks'))
    git(workFolder, 'add', '--all')
    const run = await startedRun({ workFolder, checkCommands: [`sh ${name}`] })
    writeFileSync(join(folder, 'real/check.sh'), emptied)
    const tree = await run.prepare()
    expect(tree.report.status).toBe('failed')
    expect(rulesIn(tree).join()).toMatch(/check-script.changed .*check.sh ask/)
  })

  it('protects the file of the tree that a link leads to', async () => {
    const workFolder = newRepository({ 'tools/impl': honest })
    symlinkSync('tools/impl', join(workFolder, 'check.sh'))
    const run = await startedRun({ workFolder, checkCommands: ['sh check.sh'] })
    run.put({ 'tools/impl': emptied })
    expect(read(await laidFor(await run.prepare()), 'tools/impl')).toBe(honest)
  })
})

describe('given a file that the script of a check reads in', () => {
  const script = '#!/bin/sh\nset -e\n. ./lib.inc\nok\n'
  const library = 'ok() { grep -q right answer.txt; }\n'
  const withLibrary = (files: Readonly<Record<string, string>> = {}) =>
    startedRun({
      workFolder: newRepository({ 'check.sh': script, 'lib.inc': library, ...files }),
      checkCommands: ['sh check.sh'],
    })

  it('is put back, also where the script does not read it any more', async () => {
    const run = await withLibrary()
    run.put({ 'lib.inc': 'ok() { :; }\n' })
    expect(read(await laidFor(await run.prepare()), 'lib.inc')).toBe(library)
    run.put({ 'check.sh': '#!/bin/sh\nok() { :; }\nok\n' })
    expect(read(await laidFor(await run.prepare()), 'lib.inc')).toBe(library)
  })

  it('is put back at one remove, and gone where it was not there', async () => {
    const run = await withLibrary({
      'lib.inc': '. ./deep.inc\n[ ! -f local.inc ] || . ./local.inc\n',
      'deep.inc': library,
    })
    run.put({ 'deep.inc': emptied, 'local.inc': emptied })
    const laid = await laidFor(await run.prepare())
    expect(read(laid, 'deep.inc')).toBe(library)
    expect(existsSync(join(laid, 'local.inc'))).toBe(false)
  })
})
