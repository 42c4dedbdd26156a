/** The command with its record in a database: every command that opens a store, and the password nowhere. */
import { execFileSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { describeWithPostgres } from '../fleet/kit/postgres.ts'
import { inPlace, lastJson } from './donecheck.ts'
import { shell, shop } from './gate-run.ts'
import { listenTo, type Heard } from './listen-to.ts'
import { says, withModelServer } from './model-server.ts'
import { serve, token, users } from './serving.ts'

const begun = z.object({ runId: z.string() })
const open = z.object({ questions: z.array(z.looseObject({ id: z.string() })) })

describeWithPostgres('given a store in a database', (postgres) => {
  const storeOf = (tenant: string) => `${postgres().server.url}?tenant=${tenant}`

  it('a run is recorded there, looked at by every command, gone on with elsewhere, and the password is nowhere', async () => {
    const agent =
      'echo "$(env)" > environment.txt\nps -eo args > processes.txt\necho done > done.txt\necho Done.\n'
    await inPlace({ 'agent.sh': agent }, async (place) => {
      const environment = { DONECHECK_STORE: storeOf('looked-at') }
      const { password } = new URL(postgres().server.url)
      const said: string[] = []
      const donecheck = async (...words: string[]) => {
        const ended = await place.run(words, { environment })
        said.push(ended.stdout, ended.stderr)
        return ended
      }
      const run = await donecheck(
        'run',
        '--agent',
        'sh agent.sh',
        '--until',
        'test -e done.txt',
        '--output-format',
        'json',
        'Do it.',
      )
      expect(run.exitCode, run.output).toBe(0)
      expect(lastJson(await donecheck('list', '--json'))).toMatchObject([
        { outcome: 'verified', task: 'Do it.' },
      ])
      for (const [words, shown] of [
        [['list'], 'Do it.'],
        [['show', 'last'], 'verified'],
        [['report', 'last', '--html', 'run.html'], 'run.html'],
        [['show', 'last', '--json'], 'run-stopped'],
        [['export', 'last'], 'run-started'],
        [['receipt', 'last'], 'verified'],
        [['goal', 'show', 'last'], 'Do it.'],
        [['approvals'], 'nothing waits for an answer in postgres://postgres@127.0.0.1'],
      ] as const) {
        const ended = await donecheck(...words)
        expect.soft(ended.stdout + ended.stderr, words.join(' ')).toContain(shown)
      }
      const resumed = await donecheck('resume', 'last')
      expect(resumed.stderr).toContain('is finished')
      // Of another tenant nothing is seen, and no record lies on this machine but what is too large for one.
      const others = await place.run(['list'], { environment: { DONECHECK_STORE: storeOf('nobody') } })
      expect(others.stdout).toContain('no runs in postgres://')
      const [folder = ''] = await readdir(join(place.home, '.local/state/donecheck'))
      expect(await readdir(join(place.home, '.local/state/donecheck', folder))).not.toContain('store.sqlite')
      for (const file of ['environment.txt', 'processes.txt'])
        said.push(execFileSync('cat', [file], { cwd: place.folder, encoding: 'utf8' }))
      for (const text of said) expect(text).not.toContain(password)
    })
  })

  it('the service works over it unchanged: begun, heard without a gap through a kill, asked, answered, gone on with', async () => {
    const mends = shell('sed -i s/broken/fixed/ src/cart.txt src/price.txt')
    await inPlace({ ...shop, '../home/tokens.json': users }, (place) =>
      withModelServer([mends], says('Done.'), async ({ baseUrl }) => {
        const settings = {
          DONECHECK_STORE: storeOf('served'),
          DONECHECK_BASE_URL: baseUrl,
          DONECHECK_APPROVAL: 'all',
          DONECHECK_SANDBOX: 'off',
        }
        const first = await serve(place, settings)
        const wanted = { task: 'Mend it.', until: ['sh check.sh'], model: 'fake-model' }
        const { runId } = begun.parse(await (await first.ask('POST', '/api/runs', wanted)).json())
        const heard: Heard[] = []
        const broken = listenTo(`${first.url}/api/runs/${runId}/stream`, token, heard)
        const asked = open.parse(await (await first.ask('GET', '/api/questions?wait=50')).json())
        expect(asked.questions).toMatchObject([{ runId, subject: { kind: 'call' } }])
        const arguments_ = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
        expect(arguments_).not.toContain(new URL(postgres().server.url).password)
        first.started.child.kill('SIGKILL')
        await broken.catch(() => undefined)

        const second = await serve(place, settings)
        const hearing = listenTo(`${second.url}/api/runs/${runId}/stream`, token, heard)
        const path = `/api/questions/${asked.questions[0]?.id ?? ''}/answer`
        expect((await second.ask('POST', path, { approved: true, reason: 'go on' })).status).toBe(200)
        await hearing
        expect(heard.map(({ sequence }) => sequence)).toEqual(heard.map((_, index) => index + 1))
        expect(heard.at(-1)?.type).toBe('run-stopped')
        expect(await (await second.ask('GET', `/api/runs/${runId}`)).json()).toMatchObject({
          run: { outcome: 'verified' },
        })
        second.started.child.kill('SIGINT')
        await second.started.ended
      }),
    )
  })
})
