/** What the sandbox holds where the gate has nothing to say, and the flags and keys about it. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inPlace } from './donecheck.ts'
import { mends, shell, tell, type Scene, type Story } from './gate-run.ts'

const isConfinedHere =
  spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true'], { stdio: 'ignore' }).status === 0

const gitProgram = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim()

const isVerified = ({ ended }: Story) => {
  expect(ended.stdout).toContain('→ verified after')
  expect(ended.exitCode).toBe(0)
}

const node = (code: string) => shell(`node -e '${code}'`)
const writesBy = (path: string) => node(`require("fs").writeFileSync("${path}", "x")`)

/** On the loopback of this machine, outside of every sandbox. */
async function withServer<Value>(work: (url: string) => Promise<Value>): Promise<Value> {
  const server = createServer((_request, response) => response.end('reached'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new TypeError('no port')
    return await work(`http://127.0.0.1:${address.port}`)
  } finally {
    server.close()
  }
}

const asks = (url: string) => node(`fetch("${url}").then((r) => r.text()).then(console.log)`)

describe.skipIf(!isConfinedHere)('given commands in the sandbox (needs a bubblewrap that works)', () => {
  it('a script that writes outside of the work folder fails, and nothing is there', async () => {
    const story = await tell({ steps: [writesBy('/donecheck-outside'), mends] })
    expect(story.statuses[0]?.answer).toContain('EROFS')
    expect(story.statuses[0]?.answer).toContain('[this looks like the sandbox: ')
    expect(existsSync('/donecheck-outside')).toBe(false)
    expect(story.ended.stderr).toMatch(/^sandbox: commands write only in .*, no network \(bubblewrap /m)
    isVerified(story)
  })

  it('one that writes beside the work folder writes into a folder of its own', async () => {
    let isThere = true
    const story = await tell({
      steps: [writesBy('../beside.txt'), mends],
      then: async ({ folder }) => (isThere = existsSync(join(folder, '../beside.txt'))),
    })
    expect(isThere).toBe(false)
    isVerified(story)
  })

  it('one that changes the script of the check fails, whatever the gate has seen of it', async () => {
    let check = ''
    const story = await tell({
      steps: [writesBy('check.sh'), mends],
      words: ['--yes'],
      then: async ({ folder }) => (check = await readFile(join(folder, 'check.sh'), 'utf8')),
    })
    expect(story.statuses[0]?.answer).toMatch(/EROFS|EBUSY/)
    expect(check).toContain('grep -q fixed src/cart.txt')
    isVerified(story)
  })

  it('the environment holds no secret', async () => {
    const environment = { SHOP_API_KEY: 'not-to-be-seen', LANG: 'C.UTF-8' }
    const story = await tell({ steps: [shell('env'), mends], environment })
    expect(story.statuses[0]?.answer).toContain('LANG=C.UTF-8')
    expect(story.statuses[0]?.answer).not.toMatch(/SHOP_API_KEY|not-to-be-seen/)
    isVerified(story)
  })

  it('a server on this machine cannot be reached, and with allowNetwork it can', async () => {
    await withServer(async (url) => {
      const without = await tell({ steps: [asks(url), mends] })
      expect(without.statuses[0]?.answer).not.toContain('reached')
      expect(without.statuses[0]?.answer).toContain('[exit code 1]')
      const allowed = await tell({ steps: [asks(url), mends], words: ['DONECHECK_ALLOW_NETWORK=true'] })
      expect(allowed.statuses[0]?.answer).toContain('reached')
      expect(allowed.ended.stderr).not.toContain('no network')
      isVerified(allowed)
    })
  })

  const cache: Scene = {
    steps: [shell('echo kept > ../cache/kept.txt'), mends],
    before: ({ folder }) => mkdir(join(folder, '../cache')),
    then: async ({ folder }) => {
      expect(await readFile(join(folder, '../cache/kept.txt'), 'utf8')).toBe('kept\n')
    },
  }

  it('a folder of writable can be written to, without a question', async () => {
    const story = await tell({ ...cache, words: ['DONECHECK_WRITABLE=["../cache"]'] })
    expect(story.statuses[0]?.decision).toBeUndefined()
    isVerified(story)
  })

  it('the keys sandbox, allowNetwork and writable say the same in a configuration outside of the work folder', async () => {
    await withServer(async (url) => {
      const config = { sandbox: 'bubblewrap', allowNetwork: true, writable: ['../cache'] }
      const story = await tell({
        ...cache,
        steps: [asks(url), ...cache.steps],
        words: ['--config', '../own.json'],
        files: { '../own.json': JSON.stringify(config) },
      })
      expect(story.statuses[0]?.answer).toContain('reached')
      isVerified(story)
    })
  })

  it('a call that asks to leave the sandbox is asked for, and with --yes it runs outside', async () => {
    const leaves = shell('touch ../left.txt', { outside_sandbox: true, reason: 'the file belongs there' })
    const refused = await tell({ steps: [leaves, mends] })
    expect(refused.statuses[0]?.refusal).toMatchObject({ by: 'approver' })
    expect(refused.statuses[0]?.answer).toContain('there is no terminal')
    let isThere = false
    const accepted = await tell({
      steps: [leaves, mends],
      words: ['--yes'],
      then: async ({ folder }) => (isThere = existsSync(join(folder, '../left.txt'))),
    })
    expect(isThere).toBe(true)
    isVerified(accepted)
  })
})

describe('given a sandbox that is named', () => {
  it('bubblewrap where there is none is wrong usage, and nothing is begun', async () => {
    await inPlace({}, async (place) => {
      const model = ['--base-url', 'http://127.0.0.1:9/v1', '--model', 'fake-model']
      const line = ['run', '--until', 'sh check.sh', ...model, '--sandbox', 'bubblewrap', 'Mend it.']
      await symlink(gitProgram, join(place.home, 'git'))
      const ended = await place.run(line, { environment: { PATH: place.home } })
      expect(ended.stderr).toContain('bubblewrap')
      expect(ended.exitCode).toBe(2)
      expect((await place.run(['list'])).stdout).not.toContain('Mend it.')
    })
  })

  it('none is said loudly at the start, and what no rule allows is asked for', async () => {
    const story = await tell({ steps: [writesBy('x.txt'), mends], words: ['--sandbox', 'off'] })
    expect(story.ended.stderr).toMatch(/^! sandbox: NOT CONFINED: /m)
    expect(story.statuses[0]?.refusal).toMatchObject({ by: 'approver', label: 'approval_unavailable' })
    expect(story.statuses[0]?.answer).toContain('there is no sandbox, and no rule allows it')
    isVerified(story)
  })
})
