import { existsSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { project, read, startedRun, givenRun } from '../fixtures/guarded-run.ts'
import { askSum, laidFor, report } from '../fixtures/sum-check.ts'
import { git, newRepository, put } from '../fixtures/work-tree.ts'

const right = 'export const sum = (a, b) => a + b\n'

describe('given a clean room', () => {
  it('has installed packages as they were, and those that a changed manifest brought', async () => {
    const run = givenRun()
    run.put({ 'node_modules/left/index.js': 'left' })
    await run.prepare('baseline')
    run.put({ 'node_modules/left/index.js': 'patched', 'node_modules/right/index.js': 'right' })
    const before = await run.prepare('claim')
    expect(existsSync(join(await laidFor(before), 'node_modules/right'))).toBe(false)
    await before.dispose()
    run.put({ 'package.json': project['package.json'].replace('{', '{ "dependencies": { "right": "1" },') })
    const tree = await run.prepare('claim')
    const installed: string[] = []
    await askSum(tree, (folder) => {
      const file = join(folder, 'node_modules/right/index.js')
      installed.push(read(folder, 'node_modules/left/index.js'), existsSync(file) ? 'added' : '')
      return report('passed', [])
    })
    expect(installed.slice(0, 2)).toEqual(['left', 'added'])
  })

  it('has packages as they were also where a second room is first needed once they were changed', async () => {
    const run = givenRun()
    run.put({ 'node_modules/left/index.js': 'left' })
    await run.prepare('baseline')
    run.put({ 'node_modules/left/index.js': 'patched' })
    const rooms = [await laidFor(await run.prepare('claim')), await laidFor(await run.prepare('claim'))]
    expect(new Set(rooms).size).toBe(2)
    expect(rooms.map((room) => read(room, 'node_modules/left/index.js'))).toEqual(['left', 'left'])
  })

  it('leads links that name the work folder to itself', async () => {
    const run = givenRun()
    mkdirSync(join(run.folder, 'node_modules'))
    symlinkSync(join(run.folder, 'packages/own'), join(run.folder, 'node_modules/own'))
    run.put({ 'packages/own/index.js': 'own' })
    await run.prepare('baseline')
    const room = await laidFor(await run.prepare('claim'))
    expect(read(room, 'node_modules/own/index.js')).toBe('own')
    writeFileSync(join(run.folder, 'packages/own/index.js'), 'another')
    expect(read(room, 'node_modules/own/index.js')).toBe('own')
  })

  it('is laid anew for every run: what an earlier one wrote is gone, and what was right is not written', async () => {
    const run = await startedRun()
    const first = await run.prepare('claim')
    const room = await laidFor(first)
    writeFileSync(join(room, 'planted.test.js'), 'planted')
    writeFileSync(join(room, 'sum.js'), right)
    const before = lstatSync(join(room, 'package.json')).mtimeMs
    await first.dispose()
    expect(await laidFor(await run.prepare('claim'))).toBe(room)
    expect(existsSync(join(room, 'planted.test.js'))).toBe(false)
    expect(read(room, 'sum.js')).toBe(project['sum.js'])
    expect(lstatSync(join(room, 'package.json')).mtimeMs).toBe(before)
  })

  it('is a repository at the same commit and branch, without settings, and has the place of the folder in it', async () => {
    const root = newRepository({ 'packages/one/a.js': '1', 'packages/two/b.js': '2' })
    git(root, 'config', 'core.hooksPath', '/elsewhere')
    put(root, { 'node_modules/left/index.js': 'left', '.gitignore': 'node_modules\n' })
    const run = givenRun({ workFolder: join(root, 'packages/one') })
    run.put({ 'a.js': 'changed' })
    await run.prepare('baseline')
    const room = await laidFor(await run.prepare('claim'))
    expect(room.endsWith('/packages/one')).toBe(true)
    expect(git(room, 'status', '--porcelain', '--untracked-files=no')).toBe(' M packages/one/a.js\n')
    expect(git(room, 'log', '--format=%H%D')).toBe(git(root, 'log', '--format=%H%D'))
    expect(git(room, 'config', '--local', '--list')).not.toContain('hookspath')
    expect(read(room, '../../node_modules/left/index.js')).toBe('left')
  })
})
