/** An agent that never comes to a claim. */
import { expect, it } from 'vitest'
import { describeWith, shellCall } from '../kit/index.ts'
import { go, shown, statusOf, testTimeoutMs, withHooks, type HookedAgent } from './hooked-agent.ts'

export interface LoopEnd {
  /** What it makes over and over. The detectors are the same for all agents, so each shows one, and together they show both. */
  readonly kind: keyof typeof loops
  /** In the middle of a turn. Otherwise its calls are refused, one by one, until it gives up by itself. */
  readonly canBeEnded: boolean
}

/** Enough for every detector: an agent that still goes on then is not ended. */
const patience = 14

const loops = {
  'one call': ['echo x >> ../outside/calls; echo as before'],
  'two calls': ['echo x >> ../outside/calls; echo one', 'echo x >> ../outside/calls; echo two'],
} as const

export function tellsOfLoops(agent: HookedAgent, { kind, canBeEnded }: LoopEnd): void {
  describeWith(agent.name, `given ${agent.installedAs} that makes the same calls over and over`, () => {
    it(
      `${canBeEnded ? 'is stopped in the middle of its turn' : 'runs none of them any more'}: ${kind}`,
      async () => {
        const lines = loops[kind]
        const step = ({ turn }: { readonly turn: number }) =>
          turn < patience ? shellCall(agent.name, lines[turn % lines.length] ?? '') : { text: 'Done.' }
        await withHooks(agent, { steps: [step] }, async (place) => {
          const ended = await go(agent, place)
          const status = await statusOf(place)
          expect(status, shown(ended)).toMatchObject({ outcome: 'exhausted', reason: 'loop_detected' })
          const calls = (await place.read(`${place.outside}/calls`)).trim().split('\n')
          expect(calls.length).toBeLessThan(10)
          if (canBeEnded) expect(place.server.turns.length).toBeLessThan(patience)
          // Who ends itself with a failure may leave helpers of its own behind.
          if (ended.exitCode === 0) expect(await place.leftovers()).toEqual([])
        })
      },
      testTimeoutMs,
    )
  })
}
