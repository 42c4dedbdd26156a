/** What an agent needs goes on working in a real sandbox: folders of any kind, git, programs, exit codes, times. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defaultTools } from '@donecheck/engine/tools'
import { git, inPlace, runIn, skipNote, textOf, whyNoBubblewrap } from './sandbox-place.ts'

const isSkipped = whyNoBubblewrap !== undefined
const PATH = process.env['PATH'] ?? ''
const never = new AbortController().signal

describe.skipIf(isSkipped)(`given a work folder${skipNote}`, () => {
  it.each([
    ['with spaces and "quotes"'],
    ['with\na newline'],
    ['-begins-with-a-dash'],
    ['$(id) `id` ;'],
    ['ünïcode 漢'],
  ])('named %j: it is written, and nothing beside it', async (name) => {
    await inPlace(async ({ base, sandbox }) => {
      const folder = join(base, name)
      await mkdir(folder)
      const { output } = await runIn(
        await sandbox({ workFolder: folder }),
        folder,
        'echo x > new; echo x > ../new; pwd',
        { PATH },
      )
      expect(output).toContain(`${folder}\n`)
      expect(await textOf(folder, 'new')).toBe('x\n')
      expect(existsSync(join(base, 'new'))).toBe(false)
    })
  })

  it('under /tmp, named through a symbolic link there: both names work, and its neighbours are hidden', async () => {
    const base = await realpath(await mkdtemp(join(tmpdir(), 'donecheck-sandbox-')))
    try {
      const [folder, link] = [join(base, 'work'), join(base, 'link')]
      await mkdir(folder)
      await writeFile(join(base, 'neighbour'), 'x')
      await symlink(folder, link)
      await inPlace(async ({ sandbox }) => {
        const command = `echo x > '${link}/a'; echo y > '${folder}/b'; ls '${base}'`
        const { output } = await runIn(await sandbox({ workFolder: link }), link, command, { PATH })
        expect(await textOf(folder, 'a')).toBe('x\n')
        expect(await textOf(folder, 'b')).toBe('y\n')
        if (base.startsWith('/tmp/')) expect(output).toBe('link\nwork\n')
      })
    } finally {
      await rm(base, { recursive: true, force: true })
    }
  })

  it('in another one: the inner command cannot write the outer folder, the outer one can write both', async () => {
    await inPlace(async ({ work, run }) => {
      const inner = join(work, 'inner')
      await mkdir(inner)
      await run('echo x > own; echo x > ../from-inside', { workFolder: inner })
      expect([existsSync(join(inner, 'own')), existsSync(join(work, 'from-inside'))]).toEqual([true, false])
      await run('echo x > mine; echo x > inner/mine')
      expect([existsSync(join(inner, 'mine')), existsSync(join(work, 'mine'))]).toEqual([true, true])
    })
  })

  it('and folders besides: what was given is writable, a temporary folder that was given is kept', async () => {
    await inPlace(async ({ outside, home, run }) => {
      const options = { writableFolders: [outside], temporaryFolder: home }
      const { output } = await run('echo x > "$OUT/new"; echo y > /tmp/new; echo $TMPDIR', options)
      expect(output).toBe('/tmp\n')
      expect(await textOf(outside, 'new')).toBe('x\n')
      expect(await textOf(home, 'new')).toBe('y\n')
    })
  })
})

const commit = 'git add -A && git -c user.name=A -c user.email=a@b commit -qm second && git log --format=%s'

describe.skipIf(isSkipped)(`given git${skipNote}`, () => {
  it('commits, branches, stashes, resets and makes new repositories', async () => {
    await inPlace(async ({ work, run }) => {
      git(work, 'init', '--quiet')
      await writeFile(join(work, '.gitignore'), 'node-program\n')
      git(work, 'add', '-A')
      git(work, 'commit', '--quiet', '--message', 'first')
      expect((await run(`echo 2 > a.txt && ${commit}`)).output).toBe('second\nfirst\n')
      const { end } = await run(
        'git switch -qc other && echo 3 > a.txt && git stash -q && git stash pop -q && git reset -q --hard HEAD~1 && git tag t && git gc -q && git init -q new',
      )
      expect(end).toEqual({ kind: 'exited', exitCode: 0 })
      expect(git(work, 'log', '--format=%s')).toBe('first\n')
    })
  })

  it('commits in a linked work tree, whose repository lies elsewhere, and leaves its configuration alone', async () => {
    await inPlace(async ({ base, outside, run }) => {
      git(outside, 'init', '--quiet')
      git(outside, 'add', '-A')
      git(outside, 'commit', '--quiet', '--message', 'first')
      const linked = join(base, 'linked')
      git(outside, 'worktree', 'add', '--quiet', linked)
      const { output } = await run(
        `echo 2 > file && ${commit}; git config a.b c; echo x > "$OUT/.git/hooks/post-commit"; echo x > "$OUT/file"; echo "gitdir: $OUT" > .git`,
        { workFolder: linked },
      )
      expect(output).toMatch(/^second\nfirst\n/)
      expect(git(outside, 'config', '--list', '--local')).not.toContain('a.b')
      expect(existsSync(join(outside, '.git/hooks/post-commit'))).toBe(false)
      expect(await textOf(outside, 'file')).toBe('untouched')
      expect(git(linked, 'log', '--format=%s')).toBe('second\nfirst\n')
    })
  })
})

describe.skipIf(isSkipped)(`given run_shell in a real sandbox${skipNote}`, () => {
  async function shellIn(work: string, sandbox: Parameters<typeof defaultTools>[0]['sandbox'], args: object) {
    const environment = { PATH, SERVICE_TOKEN: 'x' }
    const tools = defaultTools({
      workFolder: work,
      environment,
      ...(sandbox === undefined ? {} : { sandbox }),
    })
    const prepared = await tools.find(({ name }) => name === 'run_shell')?.prepare({ ...args })
    if (prepared?.kind !== 'ready') throw new Error('not ready')
    return prepared
  }

  it('a command that does not end is killed after its time, and by an interrupt', async () => {
    await inPlace(async ({ work, sandbox }) => {
      const stubborn = {
        command: 'trap "" TERM; echo up > up; while :; do sleep 1000; done',
        timeout_seconds: 1,
      }
      const late = await (await shellIn(work, await sandbox(), stubborn)).run(never)
      expect(late.output).toMatch(/^\[timed out after 1 s and was killed/)
      await rm(join(work, 'up'))
      const stop = new AbortController()
      const running = (await shellIn(work, await sandbox(), { command: stubborn.command })).run(stop.signal)
      while (!existsSync(join(work, 'up'))) await new Promise((resolve) => setImmediate(resolve))
      stop.abort()
      expect((await running).status).toBe('interrupted')
    })
  })
})
