/** Checks that another model writes before the first turn. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson, type Place } from './donecheck.ts'
import { fails, says, withModelServer } from './model-server.ts'

const source = (term: string) =>
  `export const total = (items) => items.reduce((sum, { price, quantity }) => sum + ${term}, 0)\n`
const comparing = (actual: string, expected: number) =>
  `import assert from 'node:assert/strict'\nimport { total } from '../price.js'\nassert.equal(${actual}, ${expected})\n`

const shop = {
  'package.json': '{ "type": "module" }\n',
  'price.js': source('price'),
  'test/total.js': comparing('total([{ price: 2 }, { price: 3 }])', 5),
}
const done = source('price * (quantity ?? 1)')
const quantities = {
  kind: 'acceptance',
  title: 'counts quantities',
  files: [{ path: 'test/counts.js', text: comparing('total([{ price: 2, quantity: 3 }])', 6) }],
  command: 'node test/counts.js',
  failsWith: '2 !== 6',
}
const answer = JSON.stringify({ checks: [quantities], solution: [{ path: 'price.js', text: done }] })

/** An agent that does the task once somebody has left it at home how. */
const agent = "sh -c 'if [ -e ../home/done.js ]; then cp ../home/done.js price.js; fi; echo done'"
const words = ['run', '--agent', agent, '--until', 'node test/total.js', '--seal', 'openai/gpt-5-mini']
const task = 'total(items) must count quantities'

const environmentFor = ({ baseUrl }: { readonly baseUrl: string }) => ({
  environment: { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: baseUrl },
  inProcess: true as const,
})

const finish = (place: Place) => place.write(join('..', 'home', 'done.js'), done)

describe('given --seal', () => {
  it('work that only the project calls done is not verified, and the agent reads no word of the check', async () => {
    await withModelServer([], says(answer), async (server) => {
      await inPlace(shop, async (place) => {
        const { stderr, exitCode } = await place.run(
          [...words, '--max-turns', '2', task],
          environmentFor(server),
        )
        expect(stderr).toContain('sealed by openai/gpt-5-mini: sealed 1')
        expect(stderr).not.toContain('test/counts.js')
        expect(exitCode).not.toBe(0)
        await finish(place)
        const again = await place.run([...words, task], environmentFor(server))
        expect(again.stderr).toContain('held-out 1 of 1, shown 1 of 1')
        expect(again.exitCode).toBe(0)
      })
    })
  })

  it('a model that cannot be reached is named, and the run goes on', async () => {
    await withModelServer([], fails(401, 'no such key'), async (server) => {
      await inPlace(shop, async (place) => {
        await finish(place)
        const { stderr, exitCode } = await place.run([...words, task], environmentFor(server))
        expect(stderr).toMatch(/sealed by openai\/gpt-5-mini: no sealed check .* gave no answer/)
        expect(exitCode).toBe(0)
      })
    })
  })

  it('a run that was killed goes on with the same checks, and needs no model for it', async () => {
    await withModelServer([], says(answer), async (server) => {
      await inPlace(shop, async (place) => {
        const started = place.start([...words, task], environmentFor(server))
        await started.shows('sealed 1')
        started.child.kill('SIGKILL')
        await started.ended
        await finish(place)
        const resumed = await place.run(['resume', 'last', '--output-format', 'json'])
        expect(lastJson(resumed)).toMatchObject({
          outcome: 'verified',
          heldOut: { heldOut: { passed: 1, total: 1 } },
        })
        expect(server.requests()).toHaveLength(1)
      })
    })
  })

  it('without another check, the sealed ones decide, and without any the run ends before its first turn', async () => {
    const alone = ['run', '--agent', agent, '--seal', 'openai/gpt-5-mini', task]
    await withModelServer([says(answer)], says('no idea'), async (server) => {
      await inPlace(shop, async (place) => {
        await finish(place)
        expect(await place.run(alone, environmentFor(server))).toMatchObject({ exitCode: 0 })
        await place.write('price.js', source('price'))
        const none = await place.run(alone, environmentFor(server))
        expect(none.stderr).toContain('no sealed check stands')
        expect(none.exitCode).toBe(70)
      })
    })
  })

  it('with a name that is none, it is wrong usage', async () => {
    await inPlace(shop, async (place) => {
      const nameless = await place.run([...words.slice(0, -1), 'gpt-5-mini', task])
      expect(nameless.exitCode).toBe(2)
      expect(nameless.stderr).toContain('write provider/model, such as openai/gpt-5-mini')
    })
  })
})
