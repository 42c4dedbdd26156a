/** No turn is paid for a question that cannot be answered; a record that cannot be read whole is repaired. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson } from './donecheck.ts'

const agent = ['--agent', 'sh agent.sh'] as const
const files = { 'agent.sh': 'touch turn.txt', 'test.txt': 'x' }

describe('given a check that can never be answered', () => {
  it.each([
    ['a preset finds nothing to run', ['--preset', 'lint'], 2, 'error', 'Name its command: --until'],
    [
      'a program is missing',
      ['--until', 'no-such-program-here'],
      5,
      'blocked',
      'its program no-such-program-here was not found',
    ],
  ])(
    'when %s, then the agent is never started, and the exit code says whose turn it is',
    async (_, check, exitCode, outcome, words) => {
      await inPlace(files, async (place) => {
        const ended = await place.run(['run', ...check, ...agent, '--json', 'Do it.'])
        expect(ended.exitCode).toBe(exitCode)
        const result = lastJson(ended)
        expect(result).toMatchObject({ reason: outcome, outcome, exitCode, turns: 0 })
        expect(String(result['message'])).toContain(words)
        expect((await place.run(['verify', ...check])).exitCode).toBe(exitCode)
      })
    },
  )

  it('when the program is there by then, then the run goes on', async () => {
    await inPlace({ ...files, 'agent.sh': 'touch done.txt' }, async (place) => {
      const check = ['--until', 'later-there'] as const
      expect((await place.run(['run', ...check, ...agent, 'Do it.'])).exitCode).toBe(5)
      const bin = join(place.home, 'bin')
      await mkdir(bin)
      await writeFile(join(bin, 'later-there'), '#!/bin/sh\ntest -e done.txt\n', { mode: 0o755 })
      const environment = { PATH: `${bin}:${process.env['PATH'] ?? ''}` }
      expect((await place.run(['resume', 'last'], { environment })).exitCode).toBe(0)
    })
  })
})

describe('given a run with an event that cannot be read', () => {
  it('then it is shown up to it, repaired into a side file and resumed in one; an import says what it is', async () => {
    await inPlace({ 'agent.sh': 'touch done.txt' }, async (place) => {
      const folder = join(place.home, 'store')
      const store = ['--store', folder] as const
      await place.run(['run', '--until', 'test -e done.txt', ...agent, ...store, 'Do it.'])
      const file = join(place.home, 'run.jsonl')
      await place.run(['export', 'last', ...store, '--output', file])
      const database = new DatabaseSync(join(folder, 'store.sqlite'))
      const last = database.prepare('SELECT max(sequence) AS last FROM events').get()?.['last']
      database.exec("UPDATE events SET json = '{' WHERE sequence = (SELECT max(sequence) FROM events)")
      database.close()
      const shown = await place.run(['show', 'last', ...store])
      expect(shown.exitCode).toBe(0)
      expect(shown.stdout).toMatch(
        new RegExp(`event ${String(last)} of run .* cannot be read.*donecheck resume \\w+ --repair`),
      )
      expect((await place.run(['resume', 'last', ...store])).exitCode).not.toBe(0)
      const repaired = await place.run(['resume', 'last', '--repair', ...store])
      expect(repaired.exitCode).toBe(0)
      const aside = /put into (\S+\.jsonl)/.exec(repaired.stderr)?.[1] ?? ''
      expect(await readFile(aside, 'utf8')).toBe('{\n')
      const other = ['--store', join(place.home, 'other')] as const
      await place.run(['import', file, ...other])
      expect((await place.run(['list', ...other])).stdout).toContain('imported: verified')
      expect((await place.run(['show', 'last', ...other])).stdout).toContain('imported from a file')
      expect((await place.run(['receipt', 'last', ...other])).stdout).toContain('"imported": true')
    })
  })
})
