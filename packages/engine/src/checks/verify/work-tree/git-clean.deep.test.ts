import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import { verifierContract } from '../../../testing/contracts/verifier-contract.ts'
import { check, commitAll, git, newFolder, newRepository, prepared, put } from './fixtures/repository.ts'
import { gitClean } from './git-checks.ts'

function initialise(folder: string): void {
  git(folder, 'init', '--quiet')
}

verifierContract('gitClean', {
  passing: () => prepared(gitClean(), initialise),
  failing: () =>
    prepared(gitClean(), (folder) => {
      initialise(folder)
      put(folder, 'new.txt', 'new')
    }),
  makeUndecided: () => gitClean(),
  // Git waits for the end of its settings, which never comes.
  hanging: (onStart) =>
    prepared(gitClean(), (folder) => {
      initialise(folder)
      const settings = join(folder, '.git/config')
      rmSync(settings)
      execFileSync('mkfifo', [settings])
      void open(settings, 'w').then(async (handle) => {
        onStart()
        await handle.close()
      })
    }),
})

describe('given a tree whose every file is committed', () => {
  it('is clean, and says with which commit it was compared', async () => {
    const folder = newRepository()
    const report = await check(gitClean(), folder)
    expect(report).toMatchObject({ status: 'passed', reason: 'nothing is uncommitted', qualifiers: [] })
    expect(report.evidence).toEqual([
      { kind: 'note', text: `compared with commit ${git(folder, 'rev-parse', 'HEAD')}` },
    ])
  })
})

describe('given something that is uncommitted', () => {
  it.each<[string, string, (folder: string) => void]>([
    ['a changed file', 'src/a.ts', (folder) => put(folder, 'src/a.ts', 'two\n')],
    ['an untracked file', 'src/b.ts', (folder) => put(folder, 'src/b.ts', 'two\n')],
    ['a removed file', 'src/a.ts', (folder) => rmSync(join(folder, 'src/a.ts'))],
    ['another mode', 'src/a.ts', (folder) => chmodSync(join(folder, 'src/a.ts'), 0o755)],
    [
      'a symlink in the place of a file',
      'src/a.ts',
      (folder) => {
        rmSync(join(folder, 'src/a.ts'))
        symlinkSync('/etc/passwd', join(folder, 'src/a.ts'))
      },
    ],
    ['a name with a space and a line feed', '"src/a\\n b.ts"', (folder) => put(folder, 'src/a\n b.ts', '')],
    [
      'a change that is staged and undone in the work tree',
      'src/a.ts',
      (folder) => {
        put(folder, 'src/a.ts', 'staged\n')
        git(folder, 'add', '.')
        put(folder, 'src/a.ts', 'one\ntwo\n')
      },
    ],
    [
      'a repository inside this one',
      'inner',
      (folder) => {
        mkdirSync(join(folder, 'inner'))
        git(join(folder, 'inner'), 'init', '--quiet')
        put(folder, 'inner/evil.ts', '')
        commitAll(join(folder, 'inner'))
      },
    ],
  ])('says so: %s', async (_, named, change) => {
    const folder = newRepository()
    change(folder)
    const report = await check(gitClean(), folder)
    expect(report).toMatchObject({ status: 'failed', reason: `1 uncommitted: ${named}`, canRetry: true })
  })

  it('lets pass what is excepted', async () => {
    const folder = newRepository()
    put(folder, 'notes/today.md', 'x')
    expect(await check(gitClean({ except: ['notes/**'] }), folder)).toMatchObject({ status: 'passed' })
    expect(await check(gitClean({ except: ['notes'] }), folder)).toMatchObject({ status: 'passed' })
    expect(await check(gitClean({ except: ['*'] }), folder)).toMatchObject({ status: 'failed' })
  })

  it('sees the rest of the repository from a folder in it', async () => {
    const folder = newRepository({ 'app/a.ts': 'a', 'other/b.ts': 'b' })
    put(folder, 'other/b.ts', 'c')
    expect(await check(gitClean(), join(folder, 'app'))).toMatchObject({
      status: 'failed',
      reason: '1 uncommitted: ../other/b.ts',
    })
  })
})

describe('given a sparse checkout', () => {
  it.each([[['--cone', 'src']], [['--cone', '--sparse-index', 'src']], [['--no-cone', '/src/a.ts']]])(
    'with %j what it leaves out is not missing, and what lies there all the same is compared',
    async (words) => {
      const folder = newRepository({ 'src/a.ts': 'one\n', 'other/b.ts': 'two\n', 'other/c.ts': 'three\n' })
      git(folder, 'sparse-checkout', 'set', ...words)
      expect(existsSync(join(folder, 'other'))).toBe(false)
      expect(await check(gitClean(), folder)).toMatchObject({ status: 'passed' })
      put(folder, 'other/b.ts', 'evil\n')
      git(folder, 'config', 'sparse.expectFilesOutsideOfPatterns', 'true')
      expect(await check(gitClean(), folder)).toMatchObject({ reason: '1 uncommitted: other/b.ts' })
      rmSync(join(folder, 'src/a.ts'))
      expect(await check(gitClean(), folder)).toMatchObject({
        reason: '2 uncommitted: other/b.ts, src/a.ts',
      })
    },
  )
})

describe('given an agent that hides its change from git', () => {
  it.each(['--assume-unchanged', '--skip-worktree'])('sees through %s', async (flag) => {
    const folder = newRepository()
    git(folder, 'update-index', flag, 'src/a.ts')
    put(folder, 'src/a.ts', 'evil\n')
    expect(git(folder, 'status', '--porcelain')).toBe('')
    expect(await check(gitClean(), folder)).toMatchObject({ status: 'failed' })
  })

  it('does not believe times and sizes', async () => {
    const folder = newRepository()
    git(folder, 'config', 'core.trustctime', 'false')
    git(folder, 'config', 'core.checkStat', 'minimal')
    const file = join(folder, 'src/a.ts')
    utimesSync(file, 1000, 1000)
    git(folder, 'update-index', '--refresh')
    put(folder, 'src/a.ts', 'eno\nowt\n')
    utimesSync(file, 1000, 1000)
    expect(statSync(file).mtimeMs).toBe(1_000_000)
    expect(await check(gitClean(), folder)).toMatchObject({ status: 'failed' })
  })

  it('sees modes that the settings leave out', async () => {
    const folder = newRepository()
    git(folder, 'config', 'core.fileMode', 'false')
    chmodSync(join(folder, 'src/a.ts'), 0o755)
    expect(await check(gitClean(), folder)).toMatchObject({ status: 'failed' })
  })

  it('sees through a replaced commit', async () => {
    const folder = newRepository()
    const honest = git(folder, 'rev-parse', 'HEAD')
    put(folder, 'src/a.ts', 'evil\n')
    git(folder, 'commit', '--quiet', '--all', '--message', 'evil')
    git(folder, 'replace', honest, git(folder, 'rev-parse', 'HEAD'))
    git(folder, 'update-ref', 'HEAD', honest)
    git(folder, 'reset', '--quiet')
    expect(git(folder, 'status', '--porcelain')).toBe('')
    expect(await check(gitClean(), folder)).toMatchObject({ status: 'failed' })
  })

  it('runs no program that the repository names', async () => {
    const folder = newRepository()
    const trace = join(newFolder(), 'ran')
    for (const setting of [
      'filter.evil.clean',
      'filter.a=b.process',
      'diff.external',
      'core.fsmonitor',
      'diff.evil.textconv',
    ])
      git(folder, 'config', setting, `sh -c 'touch ${trace}; cat'`)
    git(folder, 'config', 'filter.evil.required', 'true')
    put(folder, '.git/info/attributes', '* filter=evil diff=evil\n')
    put(folder, '.git/hooks/post-index-change', `#!/bin/sh\ntouch ${trace}\n`)
    chmodSync(join(folder, '.git/hooks/post-index-change'), 0o755)
    rmSync(trace, { force: true })
    put(folder, 'src/a.ts', 'changed\n')
    expect(await check(gitClean(), folder)).toMatchObject({ status: 'failed' })
    expect(existsSync(trace)).toBe(false)
  })

  it('looks into submodules, also where their link to git is gone', async () => {
    const library = newRepository({ 'lib.ts': 'lib\n' })
    const folder = newRepository()
    git(folder, 'submodule', '--quiet', 'add', library, 'vendor/lib')
    commitAll(folder)
    expect(await check(gitClean(), folder)).toMatchObject({ status: 'passed' })
    put(folder, 'vendor/lib/lib.ts', 'evil\n')
    git(join(folder, 'vendor/lib'), 'update-index', '--assume-unchanged', 'lib.ts')
    expect(await check(gitClean(), folder)).toMatchObject({ reason: '1 uncommitted: vendor/lib/lib.ts' })
    rmSync(join(folder, 'vendor/lib/.git'))
    expect(await check(gitClean(), folder)).toMatchObject({ status: 'error' })
  })

  it('looks into the submodules of a submodule, which could hide a change', async () => {
    const library = newRepository({ 'lib.ts': 'lib\n' })
    git(library, 'submodule', '--quiet', 'add', newRepository({ 'deep.ts': 'deep\n' }), 'deep')
    commitAll(library)
    const folder = newRepository()
    git(folder, 'submodule', '--quiet', 'add', library, 'vendor/lib')
    commitAll(folder)
    git(folder, 'submodule', '--quiet', 'update', '--init', '--recursive')
    expect(await check(gitClean(), folder)).toMatchObject({ status: 'passed' })
    put(folder, 'vendor/lib/deep/deep.ts', 'evil\n')
    expect(await check(gitClean(), folder)).toMatchObject({
      reason: '1 uncommitted: vendor/lib/deep/deep.ts',
    })
  })
})

describe('given no repository to ask', () => {
  it.each<[string, (folder: string) => void]>([
    ['none at all', () => undefined],
    [
      'a broken one',
      (folder) => {
        initialise(folder)
        put(folder, '.git/HEAD', 'nonsense')
      },
    ],
  ])('is an error of the environment: %s', async (_, prepare) => {
    const folder = newFolder()
    prepare(folder)
    expect(await check(gitClean(), folder)).toMatchObject({ status: 'error', qualifiers: ['infrastructure'] })
  })

  it('is an error without a work folder', async () => {
    expect(await check(gitClean(), null)).toMatchObject({ status: 'error' })
  })
})

describe('given misuse', () => {
  it.each(['', '/etc', '!src'])('refuses the glob %j', (glob) => {
    expect(() => gitClean({ except: [glob] })).toThrow(UsageError)
  })
})
