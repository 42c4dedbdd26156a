/** The command with its record in a database: every command that opens a store, and the password nowhere. */
import { execFileSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeWithPostgres } from '../fleet/kit/postgres.ts'
import { inPlace, lastJson } from './donecheck.ts'

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
        '--json',
        'Do it.',
      )
      expect(run.exitCode, run.output).toBe(0)
      expect(lastJson(await donecheck('list', '--json'))).toMatchObject([
        { outcome: 'verified', task: 'Do it.' },
      ])
      for (const [words, shown] of [
        [['list'], 'Do it.'],
        [['show', 'last'], 'verified'],
        [['show', 'last', '--html', 'run.html'], 'run.html'],
        [['show', 'last', '--json'], 'run-stopped'],
        [['export', 'last'], 'run-started'],
        [['receipt', 'last'], 'verified'],
        [['goal', 'show', 'last'], 'Do it.'],
        [['approve', 'list'], 'nothing waits for an answer in postgres://postgres@127.0.0.1'],
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
})
