/** Runs are kept, shown, moved; checks that were green prove nothing. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inPlace } from './donecheck.ts'

const until = ['--until', 'test -e done.txt'] as const
const agent = ['--agent', 'sh agent.sh'] as const
const working = { 'agent.sh': 'echo "the key is $MY_API_KEY"; touch done.txt' }

describe('given a run that has ended', () => {
  it('then it is listed, shown as a timeline, and moved without loss', async () => {
    await inPlace(working, async (place) => {
      const store = ['--store', join(place.home, 'store')]
      const other = ['--store', join(place.home, 'other')]
      const ended = await place.run(['run', ...until, ...agent, ...store, 'Make done.txt.'])
      expect(ended.stdout).toContain('the key is')
      const listed = await place.run(['list', ...store])
      expect(listed.stdout).toMatch(/verified\s+Make done\.txt\./)
      const shown = await place.run(['show', 'last', ...store])
      for (const part of ['turn 1', 'test -e done.txt passed (exit 0)', '→ verified after 1 turn'])
        expect(shown.stdout).toContain(part)
      const file = join(place.home, 'run.jsonl')
      expect((await place.run(['export', 'last', ...store, '--output', file])).exitCode).toBe(0)
      expect((await place.run(['import', file, ...other])).exitCode).toBe(0)
      const resumed = await place.run(['resume', 'last', ...other])
      expect(resumed.exitCode).toBe(2)
      expect(resumed.stderr).toContain('was imported: what it would run comes from the file')
      const again = await place.run(['export', 'last', ...other])
      expect(again.stdout).toBe(await readFile(file, 'utf8'))
      expect((await place.run(['show', 'last', '--json', ...other])).stdout).toBe(
        (await place.run(['show', 'last', '--json', ...store])).stdout,
      )
    })
  })

  it('then secrets are masked in the record, and its files are for their owner alone', async () => {
    await inPlace(working, async (place) => {
      const environment = { MY_API_KEY: 'correct-horse-battery' }
      await place.run(['run', ...until, ...agent, 'Make done.txt.'], { environment })
      const events = await place.run(['show', 'last', '--json'])
      expect(events.stdout).toContain('the key is [masked:MY_API_KEY]')
      expect(events.stdout).not.toContain('correct-horse-battery')
      const state = join(place.home, '.local/state/donecheck')
      const [project = ''] = await readdir(state)
      expect((await stat(join(state, project))).mode & 0o777).toBe(0o700)
      const kept = await readdir(join(state, project), { recursive: true, withFileTypes: true })
      expect(kept.some((entry) => entry.isDirectory())).toBe(true)
      for (const entry of kept) {
        const { mode } = await stat(join(entry.parentPath, entry.name))
        expect(mode & 0o077, entry.name).toBe(0)
      }
    })
  })
})

describe('given a variable whose name gives nothing away', () => {
  it('when the configuration names it as a secret, then its value is masked too', async () => {
    const files = {
      'agent.sh': 'echo "it is $MYTHING"; touch done.txt',
      'donecheck.config.json': '{"secrets": ["MYTHING"]}',
    }
    await inPlace(files, async (place) => {
      const environment = { MYTHING: 'correct-horse-battery' }
      await place.run(['run', ...until, ...agent, 'Make done.txt.'], { environment })
      const events = await place.run(['show', 'last', '--json'])
      expect(events.stdout).toContain('it is [masked:MYTHING]')
      expect(events.stdout).not.toContain('correct-horse-battery')
    })
  })
})
