/**
 * I11 over time: recorded runs, exported by `donecheck export`, give the decisions that are kept beside them, byte for
 * byte. `UPDATE_RECORDINGS=1` writes what is decided now; a missing file fails.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { memoryStore } from 'donecheck'
import { decide } from '@donecheck/core/internal/decide'
import { evolve, type RunState } from '@donecheck/core/internal/state'
import type { RunEvent } from '@donecheck/core/internal/events'
import { importRun } from '@donecheck/engine/store'
import { standardJudgement } from '@donecheck/core/testing'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('./recordings/', import.meta.url))
const recordings = readdirSync(folder).filter((file) => file.endsWith('.run.jsonl'))

async function eventsOf(file: string): Promise<readonly RunEvent[]> {
  const store = memoryStore()
  const result = await importRun(store, readFileSync(folder + file, 'utf8').split('\n'))
  if (result.kind !== 'imported') throw new Error(`${file}: ${JSON.stringify(result)}`)
  return store.read(result.runId)
}

/** What is decided after every event, a line each. */
function decisionsOf(events: readonly RunEvent[]): string {
  let state: RunState | undefined
  return events
    .map((event) => {
      state = evolve(state, event)
      return `${event.sequence} ${event.type} → ${JSON.stringify(decide(state, standardJudgement))}\n`
    })
    .join('')
}

describe('given recorded runs', () => {
  it('then they have ended in every way that the command can bring about by itself', async () => {
    const ends = await Promise.all(recordings.map(async (file) => (await eventsOf(file)).at(-1)))
    const reasons = new Set(
      ends.flatMap((event) => (event?.type === 'run-stopped' ? event.transition.reason : [])),
    )
    expect([...reasons].toSorted()).toEqual([
      'blocked',
      'hard_cap',
      'model_ended',
      'permission_denied',
      'task_complete',
    ])
    expect(ends.some((event) => event?.type === 'run-stopped' && event.transition.atCap !== undefined)).toBe(
      true,
    )
  })

  for (const file of recordings) {
    it(`then ${file} gives the same decisions, byte for byte`, async () => {
      const kept = folder + file.replace('.run.jsonl', '.decisions.txt')
      const decisions = decisionsOf(await eventsOf(file))
      if (process.env['UPDATE_RECORDINGS'] === '1') writeFileSync(kept, decisions)
      expect(existsSync(kept), `${kept} is missing`).toBe(true)
      expect(decisions).toBe(readFileSync(kept, 'utf8'))
    })

    it(`then ${file} ends with the stop that was decided`, async () => {
      const events = await eventsOf(file)
      const last = events.at(-1)
      if (last?.type !== 'run-stopped') throw new Error(`${file} does not end with a stop`)
      // The turn's own end is recorded together with the stop, and before it.
      const before = events.findLastIndex(({ type }) => type !== 'run-stopped' && type !== 'turn-ended')
      let state: RunState | undefined
      for (const event of events.slice(0, before + 1)) state = evolve(state, event)
      if (state === undefined) throw new Error(`${file} is empty`)
      expect(decide(state, standardJudgement)).toEqual({ kind: 'stop', transition: last.transition })
    })
  }
})
