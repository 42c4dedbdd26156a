import { afterEach, describe, expect, it } from 'vitest'
import type { HostCall } from '../protocol/host/index.ts'
import { verifier } from '@donecheck/engine/testing'
import { fileExists } from '@donecheck/engine/verify'
import { bash, prompted, removeFolders, startSession } from './fixtures/start-session.ts'

afterEach(removeFolders)

describe('given an agent that says done while the check is red', () => {
  it('is kept from stopping with the evidence, and allowed to stop when it is green', async () => {
    const { agentSession, put, claim, events } = await startSession()
    expect(await agentSession.observe(prompted)).toEqual({ kind: 'pass' })
    const answer = await claim()
    expect(answer.kind === 'block' && answer.feedback).toContain('done.txt')
    const call = bash('c-1', 'touch done.txt')
    expect(await agentSession.observe({ kind: 'tool-proposed', call })).toEqual({ kind: 'pass' })
    put('done.txt', 'x')
    await agentSession.observe({ kind: 'tool-finished', call, result: { status: 'ok', output: '' } })
    const end = await claim()
    expect(end.kind === 'pass' && end.notice).toContain('donecheck: verified')
    expect(agentSession.end).toMatchObject({ outcome: 'verified', reason: 'task_complete' })
    expect(events.filter(({ type }) => type === 'tool-called')).toHaveLength(1)
  })

  it('is allowed to stop after its bound, as not verified', async () => {
    const { agentSession, put, claim } = await startSession()
    await agentSession.observe(prompted)
    const answers: string[] = []
    for (let count = 0; count < 8; count += 1) {
      put('other.txt', String(count))
      answers.push((await claim()).kind)
    }
    expect(answers).toEqual([...Array<string>(5).fill('block'), 'pass', 'pass', 'pass'])
    expect(agentSession.end).toMatchObject({
      reason: 'hard_cap',
      cap: 'blocked_stops',
      outcome: 'exhausted',
    })
  })
})

describe('given a check that cannot decide', () => {
  const broken = verifier('broken', () => ({ status: 'error' }))

  it('holds the agent, and ends as blocked, never as verified', async () => {
    const { agentSession, put, claim } = await startSession({ hardVerifiers: [broken] })
    await agentSession.observe(prompted)
    put('other.txt', 'x')
    expect(await claim()).toMatchObject({ kind: 'block' })
    for (let count = 0; count < 8; count += 1) await claim()
    expect(agentSession.end?.outcome).toBe('blocked')
  })

  it('does not allow the stop where another check is red', async () => {
    const hardVerifiers = [fileExists('done.txt'), broken]
    const { agentSession, claim } = await startSession({
      hardVerifiers,
      onBrokenCheck: 'allow-stop',
      maxParallelChecks: 1,
    })
    await agentSession.observe(prompted)
    expect(await claim()).toMatchObject({ kind: 'block' })
  })

  it('counts checks that are broken off as such', async () => {
    const slow = {
      ...broken,
      verify: (_: unknown, signal: AbortSignal) =>
        new Promise<never>((__, reject) =>
          signal.addEventListener('abort', () => reject(new Error('broken off')), { once: true }),
        ),
    }
    const { agentSession, events } = await startSession({ hardVerifiers: [slow], baseline: 'tree' })
    await agentSession.observe(prompted)
    const end = new AbortController()
    const claim = agentSession.observe(
      { kind: 'stopping', text: '', wasBlocked: false, waitingFor: [] },
      end.signal,
    )
    queueMicrotask(() => end.abort())
    expect(await claim).toMatchObject({ kind: 'block' })
    const verdict = events.findLast(
      (event) => event.type === 'verdict-given' && event.verdict.verifier === 'broken',
    )
    expect(verdict).toMatchObject({ verdict: { status: 'error' } })
  })
})

describe('given a verified end', () => {
  it('checks again when the tree is another one at the next stop of the same prompt', async () => {
    const { agentSession, put, claim } = await startSession()
    await agentSession.observe(prompted)
    put('done.txt', 'x')
    expect(await claim()).toMatchObject({ kind: 'pass' })
    const verified = agentSession.state?.runId
    expect(await claim()).toMatchObject({ kind: 'pass' })
    expect(agentSession.state?.runId).toBe(verified)
    put('other.txt', 'x')
    expect(await claim()).toMatchObject({ kind: 'pass' })
    expect(agentSession.state?.runId).not.toBe(verified)
    expect(agentSession.end?.outcome).toBe('verified')
  })
})

describe('given tests that the agent has weakened', () => {
  it('does not take them for the untouched ones because it is asked again', async () => {
    const { agentSession, put, claim } = await startSession()
    put('sum.test.js', "test('adds', () => { expect(1).toBe(2) })\n")
    await agentSession.observe(prompted)
    put('sum.test.js', "test.skip('adds', () => { expect(1).toBe(2) })\n")
    await agentSession.observe({ kind: 'turn-failed', message: 'the network' })
    expect(agentSession.end?.outcome).toBe('error')
    await agentSession.observe({ kind: 'prompted', prompt: 'go on' })
    put('done.txt', 'x')
    await claim()
    expect(agentSession.state?.checks['tamper guard']?.latest?.reason).toContain(
      '1 file of the check files changed',
    )
  })
})

describe('given calls', () => {
  it('keeps a cap on tools for calls that are under way at the same time', async () => {
    const { agentSession } = await startSession({ hardCap: { toolCalls: 2 } })
    await agentSession.observe(prompted)
    const kinds: string[] = []
    for (const name of ['a', 'b', 'c', 'd'])
      kinds.push(
        (await agentSession.observe({ kind: 'tool-proposed', call: bash(name, `cat ${name}`) })).kind,
      )
    expect(kinds).toEqual(['pass', 'pass', 'refuse', 'refuse'])
  })

  it('refuses what a built-in rule forbids, and records it', async () => {
    const { agentSession, events } = await startSession()
    await agentSession.observe(prompted)
    const answer = await agentSession.observe({ kind: 'tool-proposed', call: bash('c-1', 'rm -rf ~') })
    expect(answer).toMatchObject({ kind: 'refuse' })
    expect(events.map(({ type }) => type).slice(-4)).toEqual([
      'model-replied',
      'gate-decided',
      'tool-refused',
      'model-called',
    ])
  })

  it.each([
    ['by a tool', { kind: 'write', path: '.agent/settings.json', content: '{}' }],
    ['by a command', { kind: 'command', script: 'echo {} > .agent/settings.json' }],
  ] as const)('refuses to change what watches over it, %s', async (_, act) => {
    const { agentSession } = await startSession({ keepUntouched: ['.agent/settings.json'] })
    await agentSession.observe(prompted)
    const call: HostCall = { callId: 'c-1', tool: 'Tool', args: {}, act }
    expect(await agentSession.observe({ kind: 'tool-proposed', call })).toMatchObject({ kind: 'refuse' })
  })

  it('tells the host to ask where it should, and asks itself where somebody is there', async () => {
    const call: HostCall = { callId: 'c-1', tool: 'Tool', args: {}, act: { kind: 'unknown' } }
    const asking = await startSession({ onGatePrompt: 'ask' })
    await asking.agentSession.observe(prompted)
    expect(await asking.agentSession.observe({ kind: 'tool-proposed', call })).toMatchObject({ kind: 'ask' })
    const no = { ask: async () => ({ approved: false, by: 'ann', reason: 'not today' }) }
    const asked = await startSession({ approver: no })
    await asked.agentSession.observe(prompted)
    expect(await asked.agentSession.observe({ kind: 'tool-proposed', call })).toEqual({
      kind: 'refuse',
      reason: 'not today',
    })
  })

  it('takes those of which a silent host never tells for failed', async () => {
    const { agentSession, events, claim } = await startSession({ silentFailures: true })
    await agentSession.observe(prompted)
    await agentSession.observe({ kind: 'tool-proposed', call: bash('c-1', 'false') })
    await claim()
    const statuses = events.filter(({ type }) => type === 'tool-returned')
    expect(statuses).toMatchObject([{ callId: 'c-1', status: 'error', output: '' }])
  })

  it('gives those names that have none, and knows them again', async () => {
    const { agentSession, events } = await startSession({ hardCap: { toolCalls: 9 } })
    await agentSession.observe(prompted)
    for (const script of ['cat a', 'cat b'])
      await agentSession.observe({ kind: 'tool-proposed', call: bash('', script) })
    for (const script of ['cat b', 'cat a']) {
      const call = bash('', script)
      await agentSession.observe({ kind: 'tool-finished', call, result: { status: 'ok', output: script } })
    }
    const names = events.flatMap((event) => (event.type === 'tool-called' ? [event.callId] : []))
    expect(new Set(names).size).toBe(2)
    expect(names.every((name) => name.startsWith('call-'))).toBe(true)
  })

  it('holds one reply with its usage where the host tells replies', async () => {
    const { agentSession, events, claim } = await startSession({ reportsUsage: true })
    await agentSession.observe(prompted)
    const usage = { inputTokens: 10, outputTokens: 1, estimated: false }
    const call = bash('c-1', 'cat a')
    await agentSession.observe({ kind: 'tool-proposed', call })
    await agentSession.observe({ kind: 'tool-proposed', call: bash('c-2', 'rm -rf ~') })
    await agentSession.observe({ kind: 'replied', text: 'I look.', calls: [call], usage })
    await agentSession.observe({ kind: 'tool-finished', call, result: { status: 'ok', output: 'a' } })
    await agentSession.observe({ kind: 'replied', text: 'Done.', calls: [], usage })
    await claim({ text: 'Done.' })
    const replies = events.flatMap((event) => (event.type === 'model-replied' ? [event] : []))
    expect(replies.map(({ toolCalls }) => toolCalls.map(({ callId }) => callId))).toEqual([
      ['c-2', 'c-1'],
      [],
    ])
    expect(agentSession.state?.consumption).toMatchObject({
      inputTokens: 20,
      outputTokens: 2,
      modelCalls: 3,
    })
  })

  it('cuts what no record should hold', async () => {
    const { agentSession, events } = await startSession()
    await agentSession.observe(prompted)
    const call: HostCall = {
      callId: 'c-1',
      tool: 'Read',
      args: { text: 'y'.repeat(1e6) },
      act: { kind: 'read' },
    }
    await agentSession.observe({
      kind: 'tool-finished',
      call,
      result: { status: 'ok', output: 'x'.repeat(1e7) },
    })
    expect(JSON.stringify(events).length).toBeLessThan(200_000)
  })
})
