/** What the word of an agent is worth: its stop is blocked while the check is red, and allowed to stop as what it is in the end. */
import { expect, it } from 'vitest'
import { check, describeWith, mends, shellCall } from '../kit/index.ts'
import {
  go,
  listedOutcome,
  read,
  shown,
  statusOf,
  testTimeoutMs,
  withHooks,
  type HookedAgent,
} from './hooked-agent.ts'

export function tellsOfClaims(agent: HookedAgent): void {
  blocked(agent)
  neverMended(agent)
}

function blocked(agent: HookedAgent): void {
  describeWith(agent.name, `given ${agent.installedAs} that says it is done while the check is red`, () => {
    it(
      'blocks its stop with the evidence in its very next request, and ends verified',
      async () => {
        const steps = [{ text: 'Done already.' }, mends(agent.name), { text: 'Done, really.' }]
        await withHooks(agent, { steps }, async (place) => {
          const ended = await go(agent, place)
          expect(ended.exitCode, shown(ended)).toBe(0)
          const [first, second, third, ...others] = place.server.turns
          expect(first?.told).toContain('Create done.txt')
          expect(second?.told).toContain(`$ ${check}`)
          expect(second?.told).toContain('exit code 1')
          expect(JSON.stringify(second?.body)).toContain('Done already.')
          expect(third?.told).not.toContain('not done')
          expect(others).toEqual([])
          expect(await statusOf(place)).toMatchObject({ task: 'Create done.txt', outcome: 'verified' })
          expect(await listedOutcome(place)).toEqual(['verified'])
          expect(await place.leftovers()).toEqual([])
        })
      },
      testTimeoutMs,
    )
  })
}

/** The bounds of the agents count blocks in a row, or none at all: a call of a tool in between starts them anew. */
function neverMended(agent: HookedAgent): void {
  describeWith(
    agent.name,
    `given ${agent.installedAs} that never mends it, says so again and again, and does something else in between`,
    () => {
      it(
        'blocks its stop as often as it was installed to: its program ends with success, and the record says that nothing is verified',
        async () => {
          const step = ({ turn }: { readonly turn: number }) =>
            [0, 2].includes(turn)
              ? shellCall(agent.name, `echo ${turn} > work-${turn}.txt`)
              : { text: 'All works.' }
          const install = ['--until', check, '--max-blocked-stops', '3']
          await withHooks(agent, { steps: [step], install }, async (place) => {
            const ended = await go(agent, place)
            expect({ code: ended.exitCode, isWell: agent.saysSuccess(ended.stdout) }, shown(ended)).toEqual({
              code: 0,
              isWell: true,
            })
            expect(place.has('done.txt')).toBe(false)
            // Two calls and four claims: three are blocked, two of them in a row.
            expect(place.server.turns).toHaveLength(6)
            expect(place.has('work-2.txt')).toBe(true)
            const status = await statusOf(place)
            expect(status).toMatchObject({ outcome: 'exhausted', reason: 'hard_cap' })
            expect(status?.checks.find(({ name }) => name === check)?.status).toBe('failed')
            expect(await listedOutcome(place)).toEqual(['exhausted'])
            expect(await read(place, ['status'])).toContain('not verified')
            expect(await place.leftovers()).toEqual([])
          })
        },
        testTimeoutMs,
      )
    },
  )
}
