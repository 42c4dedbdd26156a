import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { memoryStore } from '@donecheck/engine/testing'
import { command } from '@donecheck/engine/verify'
import {
  bash,
  prompted,
  removeFolders,
  startSession,
  stopping,
  type StartedSession,
} from '../fixtures/start-session.ts'
import { createAgentSession } from '../index.ts'
import type { AgentSessionOptions } from '../session.ts'

afterEach(removeFolders)

const honest = 'test -f done.txt\n'
const forged = 'test -f check.sh\n'
const goOn = { kind: 'prompted', prompt: 'thanks, go on' } as const

async function startSessionWithScript(more: Partial<AgentSessionOptions> = {}) {
  const hardVerifiers = [command('sh check.sh')]
  const started = await startSession({ hardVerifiers, baseline: 'tree', store: memoryStore(), ...more })
  started.put('check.sh', honest)
  await started.agentSession.observe(prompted)
  return started
}

describe('given a check that the agent has forged', () => {
  it('does not become the baseline one by the next prompt, after the run was given up', async () => {
    const { agentSession, put, claim } = await startSessionWithScript({ hardCap: { blockedStops: 1 } })
    put('check.sh', forged)
    for (let count = 0; agentSession.end === undefined; count += 1) {
      put('other.txt', String(count))
      await claim()
    }
    expect(agentSession.end).toMatchObject({ outcome: 'blocked', reason: 'awaiting_approval' })
    await agentSession.observe(goOn)
    put('other.txt', 'once more')
    expect(await claim()).toMatchObject({ kind: 'block' })
    put('check.sh', honest)
    put('done.txt', 'x')
    await claim()
    expect(agentSession.end).toMatchObject({ outcome: 'verified' })
  })

  it('does not become the baseline one by an end of the session that nobody has checked, however often', async () => {
    const { agentSession, put, claim } = await startSessionWithScript()
    put('check.sh', forged)
    for (let count = 0; count < 2; count += 1) {
      await agentSession.observe({ kind: 'session-ended' })
      await agentSession.observe(goOn)
    }
    expect(await claim()).toMatchObject({ kind: 'block' })
  })

  it('does not become the baseline one in a new session over the same tree', async () => {
    const { agentSession, put, claim, options } = await startSessionWithScript()
    put('check.sh', forged)
    await claim()
    await agentSession.observe({ kind: 'session-ended' })
    const other = await createAgentSession({ ...options, sessionId: 's-2' })
    await other.observe(prompted)
    const stop = { kind: 'stopping', text: 'Done.', wasBlocked: false, waitingFor: [] } as const
    expect(await other.observe(stop)).toMatchObject({ kind: 'block' })
  })

  it.each([
    ['whose agent was killed in the middle of it', async () => undefined],
    [
      'that was ended before anybody looked again',
      async ({ agentSession }: StartedSession) => agentSession.observe({ kind: 'session-ended' }),
    ],
  ])('does not become the baseline one in a session after one %s', async (_, ending) => {
    const started = await startSessionWithScript({ agreedAtMs: 0 })
    started.put('check.sh', forged)
    await ending(started)
    const other = await createAgentSession({ ...started.options, sessionId: 's-2' })
    const reported = await other.observe(prompted)
    expect(await other.observe(stopping())).toMatchObject({ kind: 'block' })
    const third = await createAgentSession({ ...started.options, sessionId: 's-3' })
    await third.observe(prompted)
    expect(await third.observe(stopping())).toMatchObject({ kind: 'block' })
    expect(reported).toMatchObject({ kind: 'pass', notice: expect.stringContaining('install') as unknown })
  })

  it.each([
    ['the same session', 's-1'],
    ['another session', 's-2'],
  ])(
    'does not become the baseline one by breaking off the beginning of a run, in %s',
    async (_, sessionId) => {
      const store = memoryStore()
      let room = Number.POSITIVE_INFINITY
      const append: typeof store.append = (...words) => {
        room -= 1
        return room >= 0 ? store.append(...words) : Promise.reject(new TypeError('killed'))
      }
      const started = await startSessionWithScript({ agreedAtMs: 0, store: { ...store, append } })
      started.put('check.sh', forged)
      await started.agentSession.observe({ kind: 'session-ended' })
      room = 1
      const broken = await createAgentSession({ ...started.options, sessionId })
      await expect(broken.observe(goOn)).rejects.toThrow('killed')
      room = Number.POSITIVE_INFINITY
      for (const next of [sessionId, 's-3']) {
        const other = await createAgentSession({ ...started.options, sessionId: next })
        await other.observe(goOn)
        const { kind } = await other.observe(stopping())
        // Reported once; then the session waits for a person and is not held.
        const expected = kind === 'pass' ? 'awaiting_approval' : undefined
        expect(other.end?.reason).toBe(expected)
      }
    },
  )

  it('does not become the baseline one by going on with an older session, that was verified', async () => {
    const { agentSession, workFolder, put, claim, options } = await startSessionWithScript({ agreedAtMs: 0 })
    put('done.txt', 'x')
    await claim()
    expect(agentSession.end).toMatchObject({ outcome: 'verified' })
    rmSync(join(workFolder, 'done.txt'))
    const other = await createAgentSession({ ...options, sessionId: 's-2' })
    await other.observe(prompted)
    put('check.sh', forged)
    await agentSession.observe(goOn)
    expect(await claim()).toMatchObject({ kind: 'block' })
  })

  it('does not become the baseline one by a verified end for which it was put back', async () => {
    const { agentSession, workFolder, put, claim } = await startSessionWithScript()
    put('check.sh', 'test -f other.txt\n')
    put('other.txt', 'x')
    put('done.txt', 'x')
    await claim()
    expect(agentSession.end).toMatchObject({ outcome: 'verified' })
    await agentSession.observe(goOn)
    rmSync(join(workFolder, 'done.txt'))
    expect(await claim()).toMatchObject({ kind: 'block' })
  })

  it('does not become the baseline one where it was forged after a verified end', async () => {
    const { agentSession, workFolder, put, claim } = await startSessionWithScript()
    put('done.txt', 'x')
    await claim()
    expect(agentSession.end).toMatchObject({ outcome: 'verified' })
    await agentSession.observe({ kind: 'tool-proposed', call: bash('c-1', 'make') })
    put('check.sh', forged)
    rmSync(join(workFolder, 'done.txt'))
    await agentSession.observe(goOn)
    expect(await claim()).toMatchObject({ kind: 'block' })
  })
})

describe('given a host in which a person cannot say that a change was theirs', () => {
  it('takes the tree for untouched where it is another one than the session before has left', async () => {
    const { agentSession, put, options } = await startSessionWithScript()
    await agentSession.observe({ kind: 'session-ended' })
    put('check.sh', 'test -f other.txt\n')
    put('other.txt', 'x')
    const other = await createAgentSession({ ...options, sessionId: 's-2' })
    expect(await other.observe(prompted)).toEqual({ kind: 'pass' })
    await other.observe(stopping())
    expect(other.end).toMatchObject({ outcome: 'verified' })
  })
})

describe('given a user who changes the check between two tasks', () => {
  it('takes the tree for untouched where they have said anew what is to be checked', async () => {
    const { put, options } = await startSessionWithScript()
    put('check.sh', 'test -f other.txt\n')
    put('other.txt', 'x')
    const agreedAtMs = Date.now() + 1
    const other = await createAgentSession({ ...options, sessionId: 's-2', agreedAtMs })
    expect(await other.observe(prompted)).toEqual({ kind: 'pass' })
    await other.observe(stopping())
    expect(other.end).toMatchObject({ outcome: 'verified' })
  })
})
