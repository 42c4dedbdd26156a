import type { GoalRequest } from '@donecheck/core/internal/goal'
import { sampleRun, sampleTurns } from '@donecheck/core/testing'
import { describe, expect } from 'vitest'
import { UsageError } from '../../base/index.ts'
import type { AskedQuestion, KeptAnswer } from '../../ports/questions.ts'
import type {
  AcquireRequest,
  HostSession,
  Lease,
  LeaseHolder,
  LeaseResult,
  Store,
} from '../../ports/store.ts'
import type { StoreTest } from './store-kept-contract.ts'

const ttlMs = 30_000

function holder(purpose: string): LeaseHolder {
  return { host: 'host-1', processId: 100, processStart: null, purpose }
}

async function ask(
  store: Store,
  purpose: string,
  changes: Partial<AcquireRequest> = {},
): Promise<LeaseResult> {
  return store.acquire({ name: 'run:run-1', holder: holder(purpose), ttlMs, ...changes })
}

async function hold(store: Store, purpose: string, changes: Partial<AcquireRequest> = {}): Promise<Lease> {
  const result = await ask(store, purpose, changes)
  if (result.kind === 'taken') throw new Error(`held by ${result.by.holder.purpose}`)
  return result.lease
}

export function leaseContract(it: StoreTest): void {
  describe('given a name that somebody wants to hold', () => {
    it('gives it to the first, for as long as asked', async (store) => {
      const lease = await hold(store, 'first')
      const { fence, expiresAtMs } = lease
      expect(lease).toEqual({ name: 'run:run-1', holder: holder('first'), fence, expiresAtMs })
      const long = await hold(store, 'first', { name: 'run:run-2', ttlMs: 10 * ttlMs })
      // Time may pass between the two results.
      expect(long.expiresAtMs - expiresAtMs).toBeGreaterThanOrEqual(9 * ttlMs)
    })

    it('tells the second who has it; other names are free', async (store) => {
      const lease = await hold(store, 'first')
      expect(await ask(store, 'second')).toEqual({ kind: 'taken', by: lease })
      expect(await ask(store, 'second', { name: 'run:run-2' })).toMatchObject({ kind: 'held' })
    })

    it('tells whose it is, also after its end while nobody has taken it over', async (store) => {
      expect(await store.leaseOf('run:run-1')).toBeUndefined()
      const lease = await hold(store, 'first', { ttlMs: 0 })
      expect(await store.leaseOf('run:run-1')).toEqual(lease)
      await store.release(lease)
      expect(await store.leaseOf('run:run-1')).toBeUndefined()
    })

    it('gives it on when it has expired, not before', async (store) => {
      const first = await hold(store, 'first')
      expect(await ask(store, 'second')).toEqual({ kind: 'taken', by: first })
      await store.renew(first, 0)
      const second = await hold(store, 'second')
      expect(second.fence).toBeGreaterThan(first.fence)
    })

    it('gives it on before its end to whoever knows that this very holder is dead', async (store) => {
      const first = await hold(store, 'first')
      const second = await hold(store, 'second', { takeOverFence: first.fence })
      expect(second.fence).toBeGreaterThan(first.fence)
      const late = await ask(store, 'third', { takeOverFence: first.fence })
      expect(late).toEqual({ kind: 'taken', by: second })
    })

    it('is free after its release, and never gives a fence out twice', async (store) => {
      const fences: number[] = []
      for (const purpose of ['first', 'second', 'third']) {
        const lease = await hold(store, purpose)
        fences.push(lease.fence)
        await store.release(lease)
      }
      expect(fences).toEqual([...new Set(fences)].sort((one, other) => one - other))
    })
  })

  describe('given a holder with a heartbeat', () => {
    it('holds the name for longer, also when the heartbeat comes late', async (store) => {
      const lease = await hold(store, 'first', { ttlMs: 0 })
      const renewed = await store.renew(lease, ttlMs)
      expect(renewed).toEqual({ ...lease, expiresAtMs: renewed?.expiresAtMs })
      expect(renewed?.expiresAtMs).toBeGreaterThanOrEqual(lease.expiresAtMs + ttlMs)
      expect(await ask(store, 'second')).toEqual({ kind: 'taken', by: renewed })
    })

    it('is told when it was taken over, and can neither renew nor release it then', async (store) => {
      const first = await hold(store, 'first')
      const second = await hold(store, 'second', { takeOverFence: first.fence })
      expect(await store.renew(first, ttlMs)).toBeUndefined()
      await store.release(first)
      expect(await ask(store, 'third')).toEqual({ kind: 'taken', by: second })
    })

    it('cannot wake a lease that was released', async (store) => {
      const lease = await hold(store, 'first')
      await store.release(lease)
      expect(await store.renew(lease, ttlMs)).toBeUndefined()
      expect(await ask(store, 'second')).toMatchObject({ kind: 'held' })
    })
  })

  describe('given a writer with a lease', () => {
    const events = sampleTurns(3)

    it('lets the holder write, also after the end of the lease while nobody has taken it over', async (store) => {
      const lease = await hold(store, 'first', { ttlMs: 0 })
      expect(await store.append(0, events.slice(0, 2), lease)).toEqual({ kind: 'appended' })
      expect(await store.append(2, events.slice(2), lease)).toEqual({ kind: 'appended' })
    })

    it('lets it write after a renewal, with the lease as it was before', async (store) => {
      const lease = await hold(store, 'first')
      await store.renew(lease, ttlMs)
      expect(await store.append(0, events, lease)).toEqual({ kind: 'appended' })
    })

    it('fences a holder off that was replaced, and names the new one; the new one writes', async (store) => {
      const first = await hold(store, 'first', { ttlMs: 0 })
      await store.append(0, events.slice(0, 2), first)
      const second = await hold(store, 'second')
      const result = await store.append(2, events.slice(2), first)
      expect(result).toEqual({ kind: 'fenced', message: expect.stringContaining('second') as unknown })
      expect(await store.read('run-1')).toEqual(events.slice(0, 2))
      expect(await store.append(2, events.slice(2), second)).toEqual({ kind: 'appended' })
      expect(await store.append(2, events.slice(2), first)).toMatchObject({ kind: 'fenced' })
    })

    it('fences off a lease that was released, and one that it never gave', async (store) => {
      const lease = await hold(store, 'first')
      await store.release(lease)
      expect(await store.append(0, events, lease)).toMatchObject({ kind: 'fenced' })
      const unknown = { ...lease, name: 'run:run-2' }
      expect(await store.append(0, events, unknown)).toMatchObject({ kind: 'fenced' })
      expect(await store.list()).toEqual([])
    })
  })
}

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

function askedQuestion(changes: Partial<AskedQuestion> = {}): AskedQuestion {
  return {
    id: 'question-1',
    runId: 'run-1',
    askedAtMs: 1000,
    subject: {
      kind: 'call',
      callId: 'call-1',
      tool: 'run_command',
      effect: 'execute',
      summary: 'npm test\0\ud800',
      reason: 'commands are asked for',
      details: '',
      amendment: { prefix: ['npm', 'test'] },
      scopes: { yes: ['once', 'session', 'rule'], no: ['once'] },
    },
    ...changes,
  }
}

const done = { kind: 'done' as const, check: 'a person agrees', question: 'Is it done?', details: '+ line' }
const yes: KeptAnswer = { approved: true, by: 'Mia', reason: 'yes', scope: 'session', answeredAtMs: 2000 }
const no: KeptAnswer = { approved: false, by: 'Ben', reason: 'not today', answeredAtMs: 3000 }

export function questionContract(it: StoreTest): void {
  describe('given questions that people are asked', () => {
    it('are open in the order of their asking, until they are answered or withdrawn', async (store) => {
      const [first, second, third] = [
        askedQuestion({ id: 'b' }),
        askedQuestion({ id: 'a', askedAtMs: 3000, subject: done }),
        askedQuestion({ id: 'c', askedAtMs: 2000 }),
      ]
      for (const asked of [first, second, third])
        expect(await store.keepQuestion(asked)).toEqual({ ...asked, answer: null, isWithdrawn: false })
      const openIds = async () => (await store.openQuestions()).map(({ id }) => id)
      expect(await openIds()).toEqual(['b', 'c', 'a'])
      await store.answerQuestion('c', yes)
      await store.withdrawQuestion('b')
      await store.withdrawQuestion('x')
      expect(await openIds()).toEqual(['a'])
      expect(await store.question('a')).toMatchObject({ subject: done })
    })

    it('find the answer that came meanwhile when their run asks again, and are open again where none came', async (store) => {
      const asked = askedQuestion()
      await store.keepQuestion(asked)
      await store.withdrawQuestion(asked.id)
      expect(await store.answerQuestion(asked.id, yes)).toEqual({ kind: 'withdrawn' })
      expect(await store.keepQuestion({ ...asked, askedAtMs: 9000 })).toMatchObject({
        askedAtMs: 1000,
        isWithdrawn: false,
      })
      await store.answerQuestion(asked.id, yes)
      await store.withdrawQuestion(asked.id)
      expect(await store.keepQuestion(asked)).toMatchObject({ answer: yes, isWithdrawn: false })
    })

    it('count as a change of their run', async (store) => {
      for (const runId of ['run-1', 'run-2']) await store.append(0, sampleTurns(1, { runId }), null)
      let { latest } = await store.changes()
      for (const change of [
        () => store.keepQuestion(askedQuestion()),
        () => store.keepQuestion(askedQuestion({ id: 'question-2' })),
        () => store.answerQuestion('question-1', yes),
        () => store.withdrawQuestion('question-2'),
      ]) {
        await change()
        const changed = await store.changes(latest)
        expect(changed.runIds).toEqual(['run-1'])
        latest = changed.latest
      }
      await store.withdrawQuestion('question-2')
      expect(await store.changes(latest)).toEqual({ latest, runIds: [] })
    })
  })

  describe('given answers to questions', () => {
    it('take the first answer, and tell everybody else who was first', async (store) => {
      const { id } = await store.keepQuestion(askedQuestion())
      expect(await store.answerQuestion(id, yes)).toEqual({ kind: 'answered', answer: yes })
      expect(await store.answerQuestion(id, { ...yes, answeredAtMs: 2500 })).toEqual({
        kind: 'answered',
        answer: yes,
      })
      expect(await store.answerQuestion(id, no)).toEqual({ kind: 'taken', answer: yes })
      expect(await store.question(id)).toMatchObject({ answer: yes })
      expect(await store.answerQuestion('x', yes)).toEqual({ kind: 'unknown' })
      expect(await store.question('x')).toBeUndefined()
    })

    it('refuse a scope that they do not offer, and stay open', async (store) => {
      const { id } = await store.keepQuestion(askedQuestion())
      await store.keepQuestion(askedQuestion({ id: 'done', subject: done }))
      await expect(store.answerQuestion(id, { ...no, scope: 'rule' })).rejects.toThrow(UsageError)
      await expect(store.answerQuestion('done', yes)).rejects.toThrow('it offers: once')
      expect(await store.openQuestions()).toHaveLength(2)
    })
  })
}

const edit = (objective: string): GoalRequest => ({
  goalId: null,
  by: 'Mia',
  change: { kind: 'objective-edited', objective },
})

export function goalRequestContract(it: StoreTest): void {
  describe('given requests for the goals of runs', () => {
    it('gives those of a run back in the order in which they came', async (store) => {
      const first = await store.keepGoalRequest('run-1', edit('one'))
      await store.keepGoalRequest('run-2', edit('of another run'))
      const second = await store.keepGoalRequest('run-1', edit('two'))
      expect(second).toBeGreaterThan(first)
      expect(await store.goalRequests('run-1', 0)).toEqual([
        { number: first, runId: 'run-1', request: edit('one') },
        { number: second, runId: 'run-1', request: edit('two') },
      ])
    })

    it('leaves those out that were answered', async (store) => {
      const first = await store.keepGoalRequest('run-1', edit('one'))
      await store.keepGoalRequest('run-1', edit('two'))
      const left = await store.goalRequests('run-1', first)
      expect(left.map(({ request }) => request)).toEqual([edit('two')])
      expect(await store.goalRequests('run-3', 0)).toEqual([])
      expect(await store.keepGoalRequest('run-3', edit('imported'), 50)).toBe(51)
      expect(await store.goalRequests('run-3', 50)).toHaveLength(1)
    })
  })
}
