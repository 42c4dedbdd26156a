import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { gitPlaces, socketPathsIn } from './survey.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'donecheck-git-places-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))

function git(folder: string, ...words: readonly string[]): void {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always']
  execFileSync('git', [...who, ...words], { cwd: folder, stdio: 'ignore' })
}

function repository(name: string): string {
  const folder = join(base, name)
  mkdirSync(folder)
  git(folder, 'init', '--quiet')
  git(folder, 'commit', '--allow-empty', '--message', 'first')
  return folder
}

describe('given a work folder', () => {
  it('whose .git folder is no repository: nothing is laid into it', async () => {
    const folder = join(base, 'rubble')
    mkdirSync(join(folder, '.git'), { recursive: true })
    expect(await gitPlaces(folder)).toEqual({ writable: [], fixed: [], absent: [] })
    expect(readdirSync(join(folder, '.git'))).toEqual([])
  })

  it('that is a repository: writable, but for what makes git run programs; hooks are there in any case', async () => {
    const folder = repository('plain')
    rmSync(join(folder, '.git/hooks'), { recursive: true, force: true })
    expect(await gitPlaces(folder)).toEqual({
      writable: [join(folder, '.git')],
      fixed: [join(folder, '.git/config'), join(folder, '.git/hooks')],
      absent: [join(folder, '.git/commondir')],
    })
    expect(existsSync(join(folder, '.git/hooks'))).toBe(true)
  })

  it('with submodules, whose names may have slashes: theirs are fixed too', async () => {
    const folder = repository('outer')
    git(folder, 'submodule', 'add', '--quiet', '--name', 'lib/inner', repository('inner'), 'sub')
    const { fixed, absent } = await gitPlaces(folder)
    const module = join(folder, '.git/modules/lib/inner')
    expect(fixed).toEqual(expect.arrayContaining([join(module, 'config'), join(module, 'hooks')]))
    expect(absent).toContain(join(module, 'commondir'))
    const inSubmodule = await gitPlaces(join(folder, 'sub'))
    expect(inSubmodule.writable).toEqual([module])
    expect(inSubmodule.fixed).toContain(join(folder, 'sub/.git'))
  })

  it('that is a linked work tree: both git folders are writable, and where they lie is fixed', async () => {
    const folder = repository('main')
    const linked = join(base, 'linked')
    git(folder, 'worktree', 'add', '--quiet', linked)
    const { writable, fixed } = await gitPlaces(linked)
    const own = join(folder, '.git/worktrees/linked')
    expect(writable).toEqual([join(folder, '.git'), own])
    expect(fixed).toEqual(
      expect.arrayContaining([
        ...[join(linked, '.git'), join(own, 'commondir'), join(own, 'gitdir')],
        ...[join(folder, '.git/config'), join(folder, '.git/hooks')],
      ]),
    )
  })

  it('whose .git file names another folder of the user: that is not opened', async () => {
    const folder = join(base, 'forged')
    mkdirSync(join(base, 'private'))
    mkdirSync(folder)
    writeFileSync(join(folder, '.git'), `gitdir: ${join(base, 'private')}\n`)
    expect(await gitPlaces(folder)).toEqual({ writable: [], fixed: [], absent: [] })
  })
})

const table = `Num       RefCount Protocol Flags    Type St Inode Path
0000000000000000: 00000002 00000000 00010000 0001 01 21345 /run/docker.sock
0000000078819530: 00000003 00000000 00000000 0001 03  1613
0000000000000000: 00000002 00000000 00010000 0001 01    77 @/tmp/.X11-unix/X0
0000000000000000: 00000003 00000000 00000000 0001 03 21346 /run/docker.sock
00000000aaaaaaaa: 00000002 00000000 00010000 0005 01 5 /home/a b/x: y
`

describe("given the kernel's table of Unix sockets", () => {
  it('names those that are files, each once', () => {
    expect(socketPathsIn(table)).toEqual(['/run/docker.sock', '/home/a b/x: y'])
    expect(socketPathsIn('')).toEqual([])
  })
})
