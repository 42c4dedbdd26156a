/** What many runs say together, through the command. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inPlace, type Place } from './donecheck.ts'

const until = ['--until', 'test -e done.txt'] as const
const files = {
  'works.sh': 'cat > /dev/null; touch done.txt; echo done',
  'lies.sh': 'cat > /dev/null; echo "All done!"',
}

const insights = z.object({
  total: z.looseObject({ checks: z.looseObject({ each: z.array(z.looseObject({})) }) }),
  by: z.looseObject({ agent: z.array(z.looseObject({ name: z.string() })) }),
})
const runs = z.array(z.looseObject({ labels: z.array(z.string()) }))

/** Two runs that end verified, labelled, and one that only says so, of three turns. */
async function threeRuns(place: Place): Promise<void> {
  await place.run(['run', ...until, '--agent', 'sh works.sh', '--label', 'nightly', 'Make done.txt.'])
  await place.write('works.sh', 'cat > /dev/null; rm -f done.txt; touch done.txt')
  await place.run([
    'run',
    '--until',
    'test -e other.txt',
    '--agent',
    'sh lies.sh',
    '--max-turns',
    '3',
    'Make other.txt.',
  ])
  const again = { 'works.sh': 'cat > /dev/null; touch other.txt' }
  for (const [file, text] of Object.entries(again)) await place.write(file, text)
  await place.run([
    'run',
    '--until',
    'test -e other.txt',
    '--agent',
    'sh works.sh',
    '--label',
    'memory=off',
    'Go.',
  ])
}

describe('given three runs on record', () => {
  it('then the command tells what they say together, as text and as JSON', async () => {
    await inPlace(files, async (place) => {
      await threeRuns(place)
      const told = await place.run(['insights'])
      expect(told.exitCode).toBe(0)
      expect(told.stdout).toContain('3 runs')
      expect(told.stdout).toMatch(/verified\s+2 of 3, 67 %/)
      expect(told.stdout).toMatch(/said done while red\s+3 of 5/)
      const { total, by } = insights.parse(JSON.parse((await place.run(['insights', '--json'])).stdout))
      expect(total).toMatchObject({
        runs: 3,
        verified: { part: 2, whole: 3 },
        firstTry: { part: 2, whole: 3 },
      })
      expect(total.checks.each[0]).toMatchObject({ name: 'test -e other.txt', failures: 3 })
      expect(by.agent.map(({ name }) => name)).toEqual(['sh works.sh', 'sh lies.sh'])
    })
  })

  it('then a label chooses among them', async () => {
    await inPlace(files, async (place) => {
      await threeRuns(place)
      const nightly = await place.run(['insights', '--label', 'nightly', '--json'])
      expect(JSON.parse(nightly.stdout)).toMatchObject({ total: { runs: 1 } })
      const [labelled, capped] = runs.parse(JSON.parse((await place.run(['list', '--json'])).stdout))
      expect(labelled?.labels).toEqual(['memory=off'])
      expect(capped).toMatchObject({ reason: 'hard_cap', cap: 'iterations', labels: [] })
      expect((await place.run(['list', '--label', 'nightly'])).stdout).toMatch(
        /Make done\.txt\. \[nightly\]\n$/,
      )
      expect((await place.run(['list'])).stdout).toContain('exhausted: turns')
    })
  })

  it('then a time that is none is wrong usage, with the way out', async () => {
    await inPlace(files, async (place) => {
      await threeRuns(place)
      const unknown = await place.run(['insights', '--since', 'yesterday'])
      expect(unknown.stderr).toContain('7d')
      expect(unknown.exitCode).toBe(2)
      expect((await place.run(['insights', '--since', '1h'])).stdout).toContain('3 runs begun since')
    })
  })

  it('then a label that is none is refused before anything runs', async () => {
    await inPlace(files, async (place) => {
      const ended = await place.run(['run', ...until, '--agent', 'sh works.sh', '--label', ' ', 'Make it.'])
      expect(ended.stderr).toContain('a label is one line of 1 to 80 characters')
      expect(ended.exitCode).toBe(2)
    })
  })
})
