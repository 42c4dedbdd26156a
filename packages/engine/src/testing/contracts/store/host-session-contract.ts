import { describe, expect } from 'vitest'
import type { HostSession } from '../../../ports/store.ts'
import { sampleRun } from '@donecheck/core/testing'
import type { StoreTest } from './opened-store.ts'

const events = sampleRun()
const [first] = events
const runId = first?.runId ?? ''

function session(key: string, more: Partial<HostSession> = {}): HostSession {
  return { key, runId, sequence: events.length, updatedAtMs: 1, snapshot: 'a text', ...more }
}

export function hostSessionContract(it: StoreTest): void {
  describe('given sessions of hosts', () => {
    it('keeps one together with its events, and says how its run stands', async (store) => {
      expect(await store.hostSession('agent/1')).toBeUndefined()
      await store.append(0, events, null, session('agent/1'))
      expect(await store.hostSession('agent/1')).toEqual({
        ...session('agent/1'),
        latestSequence: events.length,
      })
      expect(await store.hostSession('agent/2')).toBeUndefined()
    })

    it('keeps nothing of it where the events are not taken', async (store) => {
      await store.append(0, events, null)
      expect(await store.append(0, events, null, session('agent/1'))).toMatchObject({ kind: 'conflict' })
      expect(await store.hostSession('agent/1')).toBeUndefined()
    })

    it('replaces it, also without events, where its run stands at that very event', async (store) => {
      await store.append(0, events, null, session('agent/1'))
      expect(await store.keepHostSession(session('agent/1', { snapshot: 'another' }))).toBe(true)
      expect(await store.keepHostSession(session('agent/1', { sequence: 1, snapshot: 'old' }))).toBe(false)
      expect(await store.keepHostSession(session('agent/1', { runId: 'nobody', snapshot: 'x' }))).toBe(false)
      expect((await store.hostSession('agent/1'))?.snapshot).toBe('another')
    })

    it('lists them, latest first, and keeps every character of their names and texts', async (store) => {
      await store.append(0, events, null)
      const odd = 'a\0b \ud800 ünïcödé ✓'
      await store.keepHostSession(session(odd, { updatedAtMs: 2, snapshot: '{"a":"✓"}' }))
      await store.keepHostSession(session('agent/1', { updatedAtMs: 3 }))
      await store.keepHostSession(session('agent/0', { updatedAtMs: 2 }))
      const keys = (await store.hostSessions()).map(({ key }) => key)
      expect(keys[0]).toBe('agent/1')
      expect(keys.toSorted()).toEqual(['agent/1', 'agent/0', odd].toSorted())
      expect((await store.hostSession(odd))?.snapshot).toBe('{"a":"✓"}')
    })
  })
}
