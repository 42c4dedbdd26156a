import { afterEach, describe, expect, it } from 'vitest'
import type { HostCall } from '../agents/index.ts'
import { memoryStore, verifier } from '../testing/index.ts'
import { fileExists } from '../verify/index.ts'
import { bash, prompted, removeFolders, riding } from './fixtures/riding.ts'

afterEach(removeFolders)

describe('given an agent that says done while the check is red', () => {
  it('is sent back with the evidence, and let go when it is green', async () => {
    const { ride, put, claim, events } = await riding()
    expect(await ride.observe(prompted)).toEqual({ kind: 'pass' })
    const answer = await claim()
    expect(answer.kind === 'send-back' && answer.feedback).toContain('done.txt')
    const call = bash('c-1', 'touch done.txt')
    expect(await ride.observe({ kind: 'tool-proposed', call })).toEqual({ kind: 'pass' })
    put('done.txt', 'x')
    await ride.observe({ kind: 'tool-finished', call, result: { status: 'ok', output: '' } })
    const end = await claim()
    expect(end.kind === 'pass' && end.notice).toContain('donecheck: verified')
    expect(ride.end).toMatchObject({ outcome: 'verified', reason: 'task_complete' })
    expect(events.filter(({ type }) => type === 'tool-called')).toHaveLength(1)
  })

  it('is let go after its bound, as not verified', async () => {
    const { ride, put, claim } = await riding()
    await ride.observe(prompted)
    const answers: string[] = []
    for (let count = 0; count < 8; count += 1) {
      put('other.txt', String(count))
      answers.push((await claim()).kind)
    }
    expect(answers).toEqual([...Array<string>(5).fill('send-back'), 'pass', 'pass', 'pass'])
    expect(ride.end).toMatchObject({ reason: 'hard_cap', cap: 'send_backs', outcome: 'exhausted' })
  })

  it('is let go as not verified when it only talks', async () => {
    const { ride, claim } = await riding()
    await ride.observe(prompted)
    const answers: string[] = []
    for (let count = 0; count < 6; count += 1) answers.push((await claim()).kind)
    expect(answers.slice(-2)).toEqual(['pass', 'pass'])
    expect(ride.end).toMatchObject({ reason: 'loop_detected', outcome: 'exhausted' })
  })
})

describe('given a check that cannot decide', () => {
  const broken = verifier('broken', () => ({ status: 'error' }))

  it('holds the agent, and ends as blocked, never as verified', async () => {
    const { ride, put, claim } = await riding({ hardVerifiers: [broken] })
    await ride.observe(prompted)
    put('other.txt', 'x')
    expect(await claim()).toMatchObject({ kind: 'send-back' })
    for (let count = 0; count < 8; count += 1) await claim()
    expect(ride.end?.outcome).toBe('blocked')
  })

  it('lets it go where its user wants it so, as blocked', async () => {
    const { ride, put, claim } = await riding({ hardVerifiers: [broken], onBrokenCheck: 'let-go' })
    await ride.observe(prompted)
    put('other.txt', 'x')
    const answer = await claim()
    expect(answer.kind === 'pass' && answer.notice).toContain('NOT verified (blocked')
    expect(ride.end).toMatchObject({ outcome: 'blocked', reason: 'blocked' })
  })

  it('does not let go where another check is red', async () => {
    const hardVerifiers = [fileExists('done.txt'), broken]
    const { ride, claim } = await riding({ hardVerifiers, onBrokenCheck: 'let-go', maxParallelChecks: 1 })
    await ride.observe(prompted)
    expect(await claim()).toMatchObject({ kind: 'send-back' })
  })

  it('asks those behind a broken one before it lets go', async () => {
    const hardVerifiers = [broken, fileExists('done.txt')]
    const inTurn = { maxParallelChecks: 1, baseline: 'tree' } as const
    const { ride, put, claim } = await riding({ hardVerifiers, onBrokenCheck: 'let-go', ...inTurn })
    await ride.observe(prompted)
    expect(await claim()).toMatchObject({ kind: 'send-back' })
    put('done.txt', 'x')
    await claim()
    expect(ride.end).toMatchObject({ outcome: 'blocked' })
  })

  it('counts checks that are broken off as such', async () => {
    const slow = {
      ...broken,
      verify: (_: unknown, signal: AbortSignal) =>
        new Promise<never>((__, reject) =>
          signal.addEventListener('abort', () => reject(new Error('broken off')), { once: true }),
        ),
    }
    const { ride, events } = await riding({ hardVerifiers: [slow], baseline: 'tree' })
    await ride.observe(prompted)
    const end = new AbortController()
    const claim = ride.observe({ kind: 'stopping', text: '', wasSentBack: false, waitingFor: [] }, end.signal)
    queueMicrotask(() => end.abort())
    expect(await claim).toMatchObject({ kind: 'send-back' })
    const verdict = events.findLast(
      (event) => event.type === 'verdict-given' && event.verdict.verifier === 'broken',
    )
    expect(verdict).toMatchObject({ verdict: { status: 'error' } })
  })
})

describe('given a verified end', () => {
  it('checks again when the tree is another one at the next stop of the same prompt', async () => {
    const { ride, put, claim } = await riding()
    await ride.observe(prompted)
    put('done.txt', 'x')
    expect(await claim()).toMatchObject({ kind: 'pass' })
    const verified = ride.state?.runId
    expect(await claim()).toMatchObject({ kind: 'pass' })
    expect(ride.state?.runId).toBe(verified)
    put('other.txt', 'x')
    expect(await claim()).toMatchObject({ kind: 'pass' })
    expect(ride.state?.runId).not.toBe(verified)
    expect(ride.end?.outcome).toBe('verified')
  })
})

describe('given tests that the agent has weakened', () => {
  it('does not take them for the untouched ones because it is asked again', async () => {
    const { ride, put, claim } = await riding()
    put('sum.test.js', "test('adds', () => { expect(1).toBe(2) })\n")
    await ride.observe(prompted)
    put('sum.test.js', "test.skip('adds', () => { expect(1).toBe(2) })\n")
    await ride.observe({ kind: 'turn-failed', message: 'the network' })
    expect(ride.end?.outcome).toBe('error')
    await ride.observe({ kind: 'prompted', prompt: 'go on' })
    put('done.txt', 'x')
    await claim()
    expect(ride.state?.checks['tamper guard']?.latest?.reason).toContain('1 file of the check side changed')
  })
})

describe('given calls', () => {
  it('keeps a cap on tools for calls that are under way at the same time', async () => {
    const { ride } = await riding({ hardCap: { toolCalls: 2 } })
    await ride.observe(prompted)
    const kinds: string[] = []
    for (const name of ['a', 'b', 'c', 'd'])
      kinds.push((await ride.observe({ kind: 'tool-proposed', call: bash(name, `cat ${name}`) })).kind)
    expect(kinds).toEqual(['pass', 'pass', 'refuse', 'refuse'])
  })

  it('refuses what the floor forbids, and records it', async () => {
    const { ride, events } = await riding()
    await ride.observe(prompted)
    const answer = await ride.observe({ kind: 'tool-proposed', call: bash('c-1', 'rm -rf ~') })
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
    const { ride } = await riding({ keepUntouched: ['.agent/settings.json'] })
    await ride.observe(prompted)
    const call: HostCall = { callId: 'c-1', tool: 'Tool', args: {}, act }
    expect(await ride.observe({ kind: 'tool-proposed', call })).toMatchObject({ kind: 'refuse' })
  })

  it('tells the host to ask where it should, and asks itself where somebody is there', async () => {
    const call: HostCall = { callId: 'c-1', tool: 'Tool', args: {}, act: { kind: 'unknown' } }
    const asking = await riding({ onGatePrompt: 'ask' })
    await asking.ride.observe(prompted)
    expect(await asking.ride.observe({ kind: 'tool-proposed', call })).toMatchObject({ kind: 'ask' })
    const no = { ask: async () => ({ approved: false, by: 'ann', reason: 'not today' }) }
    const asked = await riding({ approver: no })
    await asked.ride.observe(prompted)
    expect(await asked.ride.observe({ kind: 'tool-proposed', call })).toEqual({
      kind: 'refuse',
      reason: 'not today',
    })
  })

  it('takes those of which a silent host never tells for failed', async () => {
    const { ride, events, claim } = await riding({ silentFailures: true })
    await ride.observe(prompted)
    await ride.observe({ kind: 'tool-proposed', call: bash('c-1', 'false') })
    await claim()
    const fates = events.filter(({ type }) => type === 'tool-returned')
    expect(fates).toMatchObject([{ callId: 'c-1', status: 'error', output: '' }])
  })

  it('gives those names that have none, and knows them again', async () => {
    const { ride, events } = await riding({ hardCap: { toolCalls: 9 } })
    await ride.observe(prompted)
    for (const script of ['cat a', 'cat b'])
      await ride.observe({ kind: 'tool-proposed', call: bash('', script) })
    for (const script of ['cat b', 'cat a']) {
      const call = bash('', script)
      await ride.observe({ kind: 'tool-finished', call, result: { status: 'ok', output: script } })
    }
    const names = events.flatMap((event) => (event.type === 'tool-called' ? [event.callId] : []))
    expect(new Set(names).size).toBe(2)
    expect(names.every((name) => name.startsWith('call-'))).toBe(true)
  })

  it('holds one reply with its usage where the host tells replies', async () => {
    const { ride, events, claim } = await riding({ reportsUsage: true })
    await ride.observe(prompted)
    const usage = { inputTokens: 10, outputTokens: 1, estimated: false }
    const call = bash('c-1', 'cat a')
    await ride.observe({ kind: 'tool-proposed', call })
    await ride.observe({ kind: 'tool-proposed', call: bash('c-2', 'rm -rf ~') })
    await ride.observe({ kind: 'replied', text: 'I look.', calls: [call], usage })
    await ride.observe({ kind: 'tool-finished', call, result: { status: 'ok', output: 'a' } })
    await ride.observe({ kind: 'replied', text: 'Done.', calls: [], usage })
    await claim({ text: 'Done.' })
    const replies = events.flatMap((event) => (event.type === 'model-replied' ? [event] : []))
    expect(replies.map(({ toolCalls }) => toolCalls.map(({ callId }) => callId))).toEqual([
      ['c-2', 'c-1'],
      [],
    ])
    expect(ride.state?.consumption).toMatchObject({ inputTokens: 20, outputTokens: 2, modelCalls: 3 })
  })

  it('cuts what no record should hold', async () => {
    const { ride, events } = await riding()
    await ride.observe(prompted)
    const call: HostCall = {
      callId: 'c-1',
      tool: 'Read',
      args: { text: 'y'.repeat(1e6) },
      act: { kind: 'read' },
    }
    await ride.observe({ kind: 'tool-finished', call, result: { status: 'ok', output: 'x'.repeat(1e7) } })
    expect(JSON.stringify(events).length).toBeLessThan(200_000)
  })
})

describe('given a session that goes on in another process', () => {
  it('stands where it stood', async () => {
    const store = memoryStore()
    const one = await riding({ store })
    await one.ride.observe(prompted)
    await one.claim()
    const { workFolder } = one
    const other = await riding({ store, workFolder })
    expect(await other.ride.observe({ kind: 'session-started', how: 'resumed' })).toMatchObject({
      kind: 'pass',
      context: expect.stringContaining('make done.txt') as string,
    })
    other.put('done.txt', 'x')
    await other.claim()
    expect(other.ride.end?.outcome).toBe('verified')
    expect(other.ride.state?.runId).toBe(one.ride.state?.runId)
  })
})
