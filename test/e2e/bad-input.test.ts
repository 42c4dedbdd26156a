/** Wrong input: a clear message that names the value and the way out, the right exit code, and nothing lost. */
import { spawnSync } from 'node:child_process'
import { chmod, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson, program, type Place } from './donecheck.ts'
import { says, calls, withModelServer } from './model-server.ts'

const until = ['--until', 'test -e done.txt'] as const
const agent = ['--agent', 'sh agent.sh'] as const
const working = { 'agent.sh': 'touch done.txt; echo finished' }

async function databaseOf(store: string): Promise<DatabaseSync> {
  const name = (await readdir(store)).find((file) => file.endsWith('.sqlite'))
  return new DatabaseSync(join(store, name ?? 'missing'))
}

async function verifiedRun(place: Place, store: string) {
  const ended = await place.run(['run', ...until, ...agent, '--store', store, 'Work.'])
  expect(ended.stdout).toContain('→ verified')
}

describe('given words that mean nothing', () => {
  const wrong: readonly (readonly [string, readonly string[], string])[] = [
    ['an unknown flag', ['run', '--untill', 'x', 'task'], '--until'],
    ['an unknown command', ['rum', 'task'], 'run'],
    ['a number that is none', ['run', '--max-tokens', 'many', 'task'], 'many'],
    ['a cap of zero', ['run', '--max-turns', '0', 'task'], '0'],
    ['no task', ['run', '--until', 'x'], 'task'],
    ['an empty task', ['run', '--agent', 'true', '  '], 'the task is empty'],
    [
      'a work folder that does not exist',
      ['run', '--agent', 'true', '--workdir', 'nowhere', 'task'],
      'nowhere',
    ],
    ['two agents', ['run', '--agent', 'true', '--model', 'openai/x', 'task'], 'choose one'],
    ['a server without a model', ['run', '--base-url', 'http://127.0.0.1:9', 'task'], '--model'],
    ['a run that does not exist', ['show', 'XYZ'], 'there is no run XYZ'],
    ['a configuration that does not exist', ['run', '--config', 'gone.json', 'task'], 'gone.json'],
    ['a model whose key is missing', ['run', '--model', 'openai/gpt-5', 'task'], 'OPENAI_API_KEY'],
    ['a provider that is unknown', ['run', '--model', 'opeanai/gpt-5', 'task'], 'openai'],
    [
      'a cost cap without a price',
      ['run', '--unchecked', '--agent', 'true', '--max-cost-usd', '1', 'task'],
      'price',
    ],
    ['a misspelt agent of a session', ['--agent', 'cluade'], 'did you mean "claude"'],
    ['a misspelt preset', ['--preset', 'testz'], 'did you mean "tests"'],
    ['a misspelt preset of a run', ['run', '--preset', 'tets', 'task'], 'presets[0] must be one of tests'],
    ['a preset that nothing makes', ['verify', '--preset', 'lint'], '--until "COMMAND"'],
    ['a revision that is unknown', ['verify', '--until', 'true', '--baseline', 'v9'], 'no such revision'],
    ['an argument that is missing', ['resume'], '--help'],
    ['a top-up of what is no cap', ['resume', 'last', '--top-up', 'turn=2'], 'did you mean "turns"'],
    ['a time that is none', ['stats', 'insights', '--since', 'yesterday'], '7d'],
    [
      'an empty label',
      ['run', '--unchecked', '--tag', ' ', '--agent', 'true', 'task'],
      'one line of 1 to 80 characters',
    ],
    ['nothing that could check the work', ['run', '--agent', 'true', 'task'], '--unchecked'],
  ]
  for (const [name, words, named] of wrong) {
    it(`then ${name} is exit 2, with the value or the way out`, async () => {
      await inPlace({}, async (place) => {
        const ended = await place.run(words)
        expect(ended.stderr).toContain(named)
        expect(ended.stderr).not.toContain('    at ')
        expect(ended.exitCode).toBe(2)
      })
    })
  }

  it('then nothing configured lists the ways to configure an agent, and what was looked for', async () => {
    await inPlace({}, async (place) => {
      const ended = await place.run(['run', 'task'], {
        environment: { OPENAI_API_KEY: 'abc' },
        inProcess: true,
      })
      for (const way of [
        '--model',
        '--base-url',
        '--agent',
        'DONECHECK_MODEL',
        'donecheck.config.ts',
        'OPENAI_API_KEY',
      ])
        expect(ended.stderr).toContain(way)
      expect(ended.exitCode).toBe(2)
    })
  })

  it('then the JSON formats answer in JSON all the same', async () => {
    await inPlace({}, async (place) => {
      const ended = await place.run(['run', '--json', '--untill', 'x', 'task'])
      expect(lastJson(ended)).toMatchObject({ type: 'result', outcome: 'error', exitCode: 2 })
    })
  })
})

describe('given a shell in a folder that was removed', () => {
  it('then the way out is told, and no stack', async () => {
    await inPlace({}, async (place) => {
      const script = `mkdir gone; cd gone; rmdir ../gone; exec "${process.execPath}" "${program}" list`
      const env = { PATH: process.env['PATH'], HOME: place.home }
      const ended = spawnSync('sh', ['-c', script], { cwd: place.folder, encoding: 'utf8', env })
      expect(ended.stderr).toBe(
        'donecheck: the current folder is gone; change to one that exists (cd), and try again\n',
      )
      expect(ended.status).toBe(2)
    })
  })
})

describe('given a configuration file', () => {
  it('then an unknown key is refused with a suggestion', async () => {
    await inPlace({ 'donecheck.config.json': '{"maxTurn": 3}' }, async (place) => {
      const ended = await place.run(['run', 'task'])
      expect(ended.stderr).toContain('did you mean "maxTurns"?')
      expect(ended.exitCode).toBe(2)
    })
  })

  it('then a file that is no JSON, and a value of the wrong kind, are named', async () => {
    await inPlace({ 'donecheck.config.json': '{"maxTokens": "many"' }, async (place) => {
      expect((await place.run(['run', 'task'])).stderr).toContain('donecheck.config.json cannot be read')
      await place.write('donecheck.config.json', '{"maxTokens": "many"}')
      const ended = await place.run(['run', 'task'])
      expect(ended.stderr).toMatch(/maxTokens.*"many"/)
      expect(ended.exitCode).toBe(2)
    })
  })

  const idle = { until: 'test -e done.txt', agent: 'sh agent.sh', maxTurns: 2 }

  it('then flags go over the environment, and the environment over the file', async () => {
    const files = { 'agent.sh': 'echo thinking', 'donecheck.config.json': JSON.stringify(idle) }
    await inPlace(files, async (place) => {
      expect((await place.run(['run', 'task'])).stdout).toContain('exhausted after 2 turns')
      const options = { environment: { DONECHECK_MAX_TURNS: '3' }, inProcess: true } as const
      expect((await place.run(['run', 'task'], options)).stdout).toContain('exhausted after 3 turns')
      const flagged = await place.run(['run', '--max-turns', '1', 'task'], options)
      expect(flagged.stdout).toContain('exhausted after 1 turn:')
    })
  })

  it('then one in TypeScript finds the donecheck that reads it, where the project has none of its own', async () => {
    const file = `import { defineConfig } from 'donecheck'\nexport default defineConfig(${JSON.stringify(idle)})`
    await inPlace({ 'agent.sh': 'echo thinking', 'donecheck.config.ts': file }, async (place) => {
      // How a process finds its modules is the point: the one of the tests has its own ways.
      const { stdout } = await place.start(['run', 'task']).ended
      expect(stdout).toContain('exhausted after 2 turns')
    })
  })
})

describe('given a store that cannot be used', () => {
  it('then a place that is a file is named', async () => {
    await inPlace({ ...working, taken: 'a file' }, async (place) => {
      const ended = await place.run(['run', ...until, ...agent, '--store', 'taken/store', 'Work.'])
      expect(ended.stderr).toContain('taken')
      expect(ended.exitCode).toBe(2)
    })
  })

  it('then a store of a newer version is refused and left as it is', async () => {
    await inPlace(working, async (place) => {
      const store = join(place.home, 'store')
      await verifiedRun(place, store)
      const database = await databaseOf(store)
      database.exec('PRAGMA user_version = 999')
      database.close()
      const ended = await place.run(['list', '--store', store])
      expect(ended.stderr).toContain('999')
      expect(ended.exitCode).toBe(2)
    })
  })

  it('then a database that is none is named', async () => {
    await inPlace(working, async (place) => {
      const store = join(place.home, 'store')
      await verifiedRun(place, store)
      const name = (await readdir(store)).find((file) => file.endsWith('.sqlite')) ?? ''
      await writeFile(
        join(store, name),
        'this is no database, it is a sentence that is long enough to be read as a page',
      )
      const ended = await place.run(['list', '--store', store])
      expect(ended.stderr).toContain(store)
      expect(ended.stderr).not.toContain('    at ')
      expect(ended.exitCode).toBe(2)
    })
  })

  it('then a corrupted event is named, and the other runs are still there', async () => {
    await inPlace(working, async (place) => {
      const store = join(place.home, 'store')
      await verifiedRun(place, store)
      const database = await databaseOf(store)
      database.exec(`UPDATE events SET json = '{"type":"nonsense"}' WHERE sequence = 3`)
      database.close()
      const shown = await place.run(['show', 'last', '--store', store])
      expect(shown.stdout).toMatch(/event 3 of run \w+ cannot be read.*donecheck resume \w+ --repair/)
      expect(shown.stdout).not.toContain('→ verified')
      expect((await place.run(['resume', 'last', '--store', store])).exitCode).not.toBe(0)
      expect((await place.run(['receipt', 'last', '--store', store])).exitCode).not.toBe(0)
      expect((await place.run(['list', '--store', store])).stdout).toContain('Work.')
      await rm(join(place.folder, 'done.txt'))
      await verifiedRun(place, store)
    })
  })

  // Root may write everywhere: then there is nothing to see here, and the skip says so.
  it.skipIf(process.getuid?.() === 0)('then a folder that may not be written is named', async () => {
    await inPlace(working, async (place) => {
      const store = join(place.home, 'locked')
      await place.write('../home/locked/x', '')
      await chmod(store, 0o500)
      const ended = await place.run(['run', ...until, ...agent, '--store', store, 'Work.'])
      expect(ended.stderr).toContain('locked')
      expect(ended.exitCode).toBe(2)
    })
  })
})

describe('given checks and agents that misbehave', () => {
  it('then an agent that crashes, says nothing or prints garbage has had its turn, and the next is told', async () => {
    const agentScript =
      'n=$(cat n 2>/dev/null || echo 0); echo $((n+1)) > n; cat > prompt-$n.txt\n' +
      'case $n in 0) exit 7;; 1) :;; 2) head -c 60000 /dev/urandom;; *) touch done.txt; echo finished;; esac'
    await inPlace({ 'agent.sh': agentScript }, async (place) => {
      const ended = await place.run(['run', ...until, ...agent, 'Work.'])
      expect(ended.stdout).toContain('→ verified after 4 turns')
      expect(ended.exitCode).toBe(0)
    })
  })

  it('then files that are not UTF-8 are named as such, and the run goes on', async () => {
    await inPlace({ 'latin.txt': new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x0a]) }, async (place) => {
      const steps = [
        calls('read_file', { path: 'latin.txt' }),
        calls('write_file', { path: 'done.txt', content: 'x' }),
      ]
      await withModelServer(steps, says('Done.'), async ({ baseUrl, requests }) => {
        const model = ['--base-url', baseUrl, '--model', 'fake', '--yes']
        const ended = await place.run(['run', ...until, ...model, 'Work.'])
        expect(ended.exitCode).toBe(0)
        expect(JSON.stringify(requests()[1])).toMatch(/UTF-8/)
      })
    })
  })
})
