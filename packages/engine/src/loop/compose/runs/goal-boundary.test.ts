import { describe, expect, it } from 'vitest'
import type { AgentFailure, RunEvent } from '@donecheck/core/internal/events'
import type { Store } from '../../../ports/store.ts'
import { memoryStore } from '../../../system/store/index.ts'
import { scriptedAgent } from '../../agents/index.ts'
import { goalTools } from '../../tools/index.ts'
import { edited, goalScene } from '../fixtures/goal-scene.ts'

const busy: AgentFailure = { kind: 'rate-limited', message: 'slow down', retryable: true, retryAfterMs: 1 }
const looks = { tools: [{ tool: 'get_goal', args: {} }] }

interface Kept {
  /** Sequence of the latest event when the request came. */
  readonly sequence: number
}

/** Requests a change right after the n-th append. */
function askedAfter(append: number): { readonly store: Store; readonly kept: () => Kept | undefined } {
  const store = memoryStore()
  let appends = 0
  let kept: Kept | undefined
  const watched: Store = {
    ...store,
    append: async (expected, events, ...more) => {
      const result = await store.append(expected, events, ...more)
      appends += 1
      if (appends === append) {
        kept = { sequence: expected + events.length }
        const request = { goalId: null, by: 'Mia', change: edited('write a.txt, please') }
        await store.keepGoalRequest(events[0]?.runId ?? '', request)
      }
      return result
    },
  }
  return { store: watched, kept: () => kept }
}

async function runAskedAfter(append: number) {
  const { store, kept } = askedAfter(append)
  // A retry, a tool call, a claim with a check, and the work.
  const script = [{ fails: [busy], then: looks }, 'It is done.', looks, 'Now it is done.', 'And again.']
  const agent = scriptedAgent(script, { repeatLast: true })
  const hardCap = { iterations: 6 }
  const { run } = goalScene([], { store, agent, hardCap, tools: goalTools(store, Date.now) })
  const { events } = await run()
  return { events, kept: kept() }
}

const turnAt = (events: readonly RunEvent[], sequence: number) =>
  events.reduce(
    (turn, event) => (event.type === 'model-called' && event.sequence <= sequence ? event.turn : turn),
    0,
  )

describe('given a change that is asked for after any append of a run', () => {
  it('is recorded before another turn begins', async () => {
    let places = 0
    for (let append = 1; ; append += 1) {
      const { events, kept } = await runAskedAfter(append)
      if (kept === undefined || kept.sequence === events.at(-1)?.sequence) break
      places += 1
      const seen = events.find(({ type }) => type === 'goal-changed')
      const label = `asked for after event ${kept.sequence}, ${events[kept.sequence - 1]?.type ?? 'none'}`
      expect(seen, label).toBeDefined()
      const inFlight = turnAt(events, kept.sequence)
      expect(turnAt(events, seen?.sequence ?? Infinity), label).toBe(inFlight)
    }
    expect(places).toBeGreaterThan(15)
  })
})
