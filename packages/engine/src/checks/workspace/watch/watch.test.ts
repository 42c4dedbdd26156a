import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { git, never, newFolder, newRepository, put } from '../fixtures/work-tree.ts'
import type { TamperFinding } from '../../../analysis/tamper/index.ts'
import type { Marks } from '../snapshots.ts'
import { gitFindings, lookAtGit, lookOutside, outsideFindings } from './outside.ts'

/** Rules and paths of what a change is found to be. */
async function found(
  look: () => Marks | Promise<Marks>,
  findings: (before: Marks, now: Marks) => readonly TamperFinding[],
  change: () => unknown,
): Promise<readonly string[]> {
  const before = await look()
  await change()
  return findings(before, await look()).map(({ rule, path }) => `${rule} ${path}`)
}

describe('given hooks and settings of git', () => {
  const inGit = (folder: string, change: () => unknown) =>
    found(() => lookAtGit(folder, never), gitFindings, change)

  it.each([
    ['core.hooksPath', 'core.hookspath'],
    ['alias.status', 'alias.status'],
    ['filter.x.clean', 'filter.x.clean'],
    ['core.fsmonitor', 'core.fsmonitor'],
    ['include.path', 'include.path'],
  ])('finds the setting %s', async (name, shown) => {
    const folder = newRepository({})
    const change = () => git(folder, 'config', name, '/tmp/x')
    expect(await inGit(folder, change)).toEqual([`git.hooks-changed git config ${shown}`])
  })

  it('finds a hook that appeared, changed, may be executed now, or went', async () => {
    const folder = newRepository({})
    const hook = join(folder, '.git/hooks/pre-commit')
    const expected = ['git.hooks-changed .git/hooks/pre-commit']
    expect(await inGit(folder, () => put(folder, { '.git/hooks/pre-commit': 'exit 0' }))).toEqual(expected)
    expect(await inGit(folder, () => writeFileSync(hook, 'exit 1'))).toEqual(expected)
    expect(await inGit(folder, () => chmodSync(hook, 0o755))).toEqual(expected)
    expect(await inGit(folder, () => git(folder, 'config', 'user.name', 'x'))).toEqual([])
  })

  it('finds rules that hide files from git', async () => {
    const folder = newRepository({})
    const change = () => put(folder, { '.git/info/exclude': 'test/\n' })
    expect(await inGit(folder, change)).toEqual(['git.hooks-changed .git/info/exclude'])
  })

  it('says nothing of a new repository, and finds what else came with it', async () => {
    const make = (folder: string) => git(folder, 'init', '--quiet')
    const folder = newFolder()
    expect(await inGit(folder, () => make(folder))).toEqual([])
    const other = newFolder()
    const more = () => {
      make(other)
      git(other, 'config', 'core.bare', 'true')
      put(other, { '.git/hooks/pre-push': 'exit 0', '.git/info/exclude': '# remark\ntest/\n' })
    }
    expect([...(await inGit(other, more))].sort()).toEqual([
      'git.hooks-changed .git/hooks/pre-push',
      'git.hooks-changed .git/info/exclude',
      'git.hooks-changed git config core.bare',
    ])
  })

  it('looks at the repository behind a work tree that is beside it', async () => {
    const folder = newRepository({ a: '1' })
    const beside = join(newFolder(), 'tree')
    git(folder, 'worktree', 'add', '--quiet', beside)
    const change = () => put(folder, { '.git/hooks/pre-push': 'exit 0' })
    expect(await inGit(beside, change)).toEqual(['git.hooks-changed .git/hooks/pre-push'])
  })

  it.each<[string, (folder: string) => unknown]>([
    [
      'a name and a remote',
      (folder) => (git(folder, 'config', 'user.name', 'n'), git(folder, 'remote', 'add', 'o', 'u')),
    ],
    [
      'a branch and a commit',
      (folder) => (
        git(folder, 'checkout', '-q', '-b', 'x'),
        git(folder, 'commit', '-q', '--allow-empty', '-m', 'm')
      ),
    ],
    [
      'what husky sets up by itself',
      (folder) => {
        git(folder, 'config', 'core.hooksPath', '.husky/_')
        put(folder, { '.husky/_/h': '' })
      },
    ],
    ['a sample hook', (folder) => put(folder, { '.git/hooks/x.sample': '' })],
  ])('says nothing of %s', async (_, change) => {
    const folder = newRepository({})
    expect(await inGit(folder, () => change(folder))).toEqual([])
  })

  it('has nothing to look at outside of a repository, also below a .git folder that git passes over', async () => {
    expect(await lookAtGit(newFolder(), never)).toEqual({})
    const above = newFolder()
    put(above, { '.git/hooks/pre-commit': '', 'work/a': '' })
    expect(await lookAtGit(join(above, 'work'), never)).toEqual({})
  })

  it('sees what is laid into a repository that was broken for it', async () => {
    const folder = newRepository({})
    const change = () => {
      rmSync(join(folder, '.git/HEAD'))
      put(folder, { '.git/hooks/pre-commit': '' })
    }
    expect(await inGit(folder, change)).toContain('git.hooks-changed .git/hooks/pre-commit')
  })
})

describe('given files outside of the work folder', () => {
  it('finds settings of the home, and configuration above that tools look up', async () => {
    const outside = newFolder()
    const [home, work] = [join(outside, 'home'), join(outside, 'project/work')]
    put(outside, { 'home/.npmrc': 'a=b', 'project/work/a': '1' })
    const change = () =>
      put(outside, {
        'home/.npmrc': 'script-shell=/bin/true',
        'home/.gitconfig': '',
        'project/conftest.py': '',
      })
    expect(await found(() => lookOutside(work, home), outsideFindings, change)).toEqual(
      ['home/.gitconfig', 'home/.npmrc', 'project/conftest.py'].map(
        (path) => `outside.touched ${join(outside, path)}`,
      ),
    )
  })

  it('says nothing of other files, and of no home', async () => {
    const outside = newFolder()
    put(outside, { 'work/a': '1' })
    const change = () => put(outside, { 'notes.txt': '', 'other/package.json': '', '.bash_history': '' })
    expect(await found(() => lookOutside(join(outside, 'work'), undefined), outsideFindings, change)).toEqual(
      [],
    )
  })
})
