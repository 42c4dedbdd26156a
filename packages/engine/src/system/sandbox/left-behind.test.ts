import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { isHarmlessConfig } from './git-settings.ts'
import { watchTree } from './left-behind.ts'
import { survey } from './survey.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'donecheck-left-behind-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))

let workFolder = ''
let marker = ''
beforeEach(() => {
  workFolder = mkdtempSync(join(base, 'project-'))
  marker = join(workFolder, 'marker')
  repository(workFolder)
})

function git(folder: string, ...words: readonly string[]): string {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always']
  return execFileSync('git', [...who, ...words], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

function repository(folder: string): string {
  mkdirSync(folder, { recursive: true })
  git(folder, 'init', '--quiet')
  git(folder, 'commit', '--allow-empty', '--message', 'first')
  return folder
}

async function watching() {
  const found = await survey({ workFolder, environment: {} })
  if (found === undefined) throw new Error('there is no work folder')
  return { ...found, look: () => watchTree(found.watched) }
}

function script(): string {
  const file = join(workFolder, 'run.sh')
  writeFileSync(file, `#!/bin/sh\ntouch '${marker}'\n`)
  chmodSync(file, 0o755)
  return file
}

describe('given a command that leaves a repository in the tree', () => {
  it('whose settings name a program: the next git status of the user does not run it', async () => {
    const inspect = await (await watching()).look()
    const nested = repository(join(workFolder, 'nested'))
    git(workFolder, 'add', 'nested')
    git(nested, 'config', 'core.fsmonitor', script())
    const reported = await inspect()
    git(workFolder, 'status')
    expect(existsSync(marker)).toBe(false)
    expect(reported).toEqual([
      expect.stringMatching(/^nested\/\.git\/config could make git run programs .* config\.untrusted$/),
    ])
    expect(readFileSync(join(nested, '.git/config.untrusted'), 'utf8')).toContain('fsmonitor')
  })

  it('with hooks, or behind a .git file, or without a .git at all: all the same', async () => {
    const inspect = await (await watching()).look()
    const hooked = repository(join(workFolder, 'hooked'))
    writeFileSync(join(hooked, '.git/hooks/post-checkout'), '#!/bin/sh\n')
    git(workFolder, 'init', '--bare', '--quiet', 'bare')
    git(join(workFolder, 'bare'), 'config', 'core.fsmonitor', script())
    git(workFolder, 'init', '--quiet', '--separate-git-dir', join(workFolder, 'elsewhere'), 'linked')
    git(join(workFolder, 'linked'), 'config', 'alias.st', '!touch x')
    git(workFolder, 'init', '--bare', '--quiet', '.git/modules/later')
    writeFileSync(join(workFolder, '.git/modules/later/config'), '[filter "x"]\n\tsmudge = touch x\n')
    expect([...(await inspect())].map((line) => line.split(' ', 1)[0]).sort()).toEqual([
      '.git/modules/later/config',
      'bare/config',
      'elsewhere/config',
      'hooked/.git/hooks',
    ])
    expect(await inspect()).toEqual([])
  })

  it('as git itself makes it: it stays, and is looked at again after the next command', async () => {
    const { look } = await watching()
    const inspect = await look()
    const origin = repository(join(base, 'origin'))
    git(workFolder, 'clone', '--quiet', origin, 'cloned')
    git(workFolder, 'worktree', 'add', '--quiet', 'other')
    git(workFolder, 'submodule', 'add', '--quiet', origin, 'sub')
    expect(await inspect()).toEqual([])
    const again = await look()
    git(join(workFolder, 'cloned'), 'config', 'core.sshCommand', script())
    expect(await again()).toHaveLength(1)
  })

  it('that was there before: its settings cannot be changed', async () => {
    const nested = repository(join(workFolder, 'vendored'))
    const { ground, look } = await watching()
    expect(ground.fixed).toEqual(
      expect.arrayContaining([join(nested, '.git/config'), join(nested, '.git/hooks')]),
    )
    git(nested, 'config', 'core.fsmonitor', script())
    expect(await (await look())()).toEqual([])
  })

  it('that was there before without settings: those that come into being are set aside', async () => {
    const nested = repository(join(workFolder, 'bare-of-settings'))
    rmSync(join(nested, '.git/config'))
    const { look } = await watching()
    const inspect = await look()
    writeFileSync(join(nested, '.git/config'), '[core]\n\tfsmonitor = x\n')
    expect(await inspect()).toHaveLength(1)
  })

  it('takes the rights of their owner from new files, and from no others', async () => {
    const old = script()
    chmodSync(old, 0o4755)
    const inspect = await (await watching()).look()
    const file = join(workFolder, 'shell')
    writeFileSync(file, '')
    chmodSync(file, 0o6755)
    expect(await inspect()).toEqual([expect.stringMatching(/^shell ran with the rights/)])
    expect(statSync(file).mode & 0o7777).toBe(0o755)
    expect(statSync(old).mode & 0o7777).toBe(0o4755)
  })
})

describe('given settings of a repository', () => {
  it.each([
    '[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "origin"]\n\turl = https://x/y.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
    '# words\n[user]\n\tname = Ann\n',
  ])('that start nothing: %j', (text) => expect(isHarmlessConfig(text)).toBe(true))

  it.each([
    '[core]\n\tfsmonitor = x\n',
    '[CORE]\n\tFsMonitor = x\n',
    '[core] fsmonitor = x\n',
    '[core]\n\tbare = fa\\\nlse\n',
    '[include]\n\tpath = x\n',
    '[alias]\n\tst = !x\n',
    '[remote "x"]\n\turl = ext::x\n',
    '[remote "x"]\n\tuploadpack = x\n',
    '[core "x"]\n\tfsmonitor\n',
    'what is this',
  ])('that may start something: %j', (text) => expect(isHarmlessConfig(text)).toBe(false))
})
