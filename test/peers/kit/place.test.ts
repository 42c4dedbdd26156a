/** The world of one test: what it holds, and that nothing of it is left. */
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { atMost, hookScript, inPlace, leftoversOf, redProject, startProgram, type Place } from './index.ts'

const script = { steps: [{ text: 'Done.' }] }

describe('given a place', () => {
  it('its project is committed, its home is its own, and donecheck runs in it', async () => {
    const root = await inPlace({ script, files: redProject, git: true }, async (place) => {
      const shown = await sh(place, 'git status --porcelain; git log --format=%s; echo $HOME')
      expect(shown.stdout).toBe(`start\n${place.home}\n`)
      expect((await place.donecheck(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+/)
      return place.root
    })
    expect(existsSync(root)).toBe(false)
  })

  it('a daemon is known by its home, and gone afterwards', async () => {
    const root = await inPlace({ script }, async (place) => {
      await sh(place, 'setsid sleep 1000 > /dev/null 2>&1 < /dev/null &')
      await expect.poll(() => place.leftovers()).toMatchObject([{ command: 'sleep 1000' }])
      return place.root
    })
    await expect.poll(() => leftoversOf(root)).toEqual([])
  })

  it('a hook keeps what it was given, and knows how often it ran', async () => {
    await inPlace({ script }, async (place) => {
      const hook = hookScript(`${place.outside}/gate.sh`, '[ $n -ge 2 ] && echo enough; exit 0')
      await place.write(hook.path, hook.content)
      const first = await sh(place, hook.path, '{"event":"Stop"}')
      const second = await sh(place, hook.path, '{"event":"Stop again"}')
      expect([first.stdout, second.stdout, hook.invocations()]).toEqual(['', 'enough\n', 2])
      expect(hook.payloads()).toEqual([{ event: 'Stop' }, { event: 'Stop again' }])
    })
  })
})

it('given more jobs than places, only so many run at once, and each is waited for by itself', async () => {
  let [running, most] = [0, 0]
  const job = (value: number) => async () => {
    most = Math.max(most, ++running)
    await Promise.resolve()
    running--
    if (value === 2) throw new Error('two')
    return value
  }
  const results = await Promise.allSettled(atMost(3, [0, 1, 2, 3, 4, 5].map(job)))
  expect(most).toBe(3)
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
    ...[0, 1, 'failed', 3, 4, 5],
  ])
})

function sh(place: Place, line: string, input = '') {
  const options = { folder: place.project, environment: place.environment, input }
  return startProgram('/bin/sh', ['-c', line], options).ended
}
