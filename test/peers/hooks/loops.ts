/** An agent that never comes to a claim. */
import { expect, it } from 'vitest'
import { describeWith, shellCall } from '../kit/index.ts'
import { go, shown, statusOf, testTimeoutMs, withHooks, type HookedAgent } from './hooked-agent.ts'

type LoopKind = 'one call' | 'two calls'

export interface LoopEnd {
  /** What it makes over and over, in a session each. Agents that take a refusal alike need not show both. */
  readonly kinds: readonly LoopKind[]
  /** In the middle of a turn. Otherwise its calls are refused, one by one, until it gives up by itself. */
  readonly canBeEnded: boolean
  /** It has a watch of its own for one call in a row, which is faster than ours. */
  readonly endsOneByItself?: boolean
}

/** Enough for every detector: an agent that still goes on then is not ended. */
const patience = 14

const loops: Readonly<Record<LoopKind, readonly string[]>> = {
  'one call': ['echo x >> ../outside/calls; echo as before'],
  'two calls': ['echo x >> ../outside/calls; echo one', 'echo x >> ../outside/calls; echo two'],
}

export function tellsOfLoops(
  agent: HookedAgent,
  { kinds, canBeEnded, endsOneByItself = false }: LoopEnd,
): void {
  describeWith(agent.name, `given ${agent.installedAs} that makes the same calls over and over`, () => {
    it.each(kinds)(
      canBeEnded ? 'is stopped in the middle of its turn: %s' : 'runs none of them any more: %s',
      async (kind) => {
        const lines = loops[kind]
        const step = ({ turn }: { readonly turn: number }) =>
          turn < patience ? shellCall(agent.name, lines[turn % lines.length] ?? '') : { text: 'Done.' }
        await withHooks(agent, { steps: [step] }, async (place) => {
          const ended = await go(agent, place)
          const status = await statusOf(place)
          expect(status?.outcome, shown(ended)).not.toBe('verified')
          if (lines.length > 1 || !endsOneByItself)
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
