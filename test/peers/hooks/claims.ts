/** What the word of an agent is worth: a stop that has been blocked often enough is allowed, as what it is. `configuration.ts` has one that is mended. */
import { expect, it } from 'vitest'
import { check, describeWith, shellCall } from '../kit/index.ts'
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

/** The bounds of the agents count blocks in a row, or none at all: a call of a tool in between starts them anew. */
export function tellsOfClaims(agent: HookedAgent): void {
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
