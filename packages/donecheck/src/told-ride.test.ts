import { describe, expect, it } from 'vitest'
import type { HostCall } from './agents/index.ts'
import { createRide, type RideOptions } from './ride/index.ts'
import { firstSignal, ToldRide, verifiedClaim } from './told-ride.ts'
import { verifierOf } from './verify/index.ts'

const polite = verifierOf('polite', ({ finalText }) => finalText.includes('please'), { reads: 'answer' })
const call = (callId: string): HostCall => ({ callId, tool: 'look', args: {}, act: { kind: 'read' } })
const ok = { status: 'ok' as const, output: 'seen' }

async function told(options: Partial<RideOptions> = {}): Promise<ToldRide> {
  const ride = await createRide({ agent: 'x', workFolder: null, hardVerifiers: [polite], ...options })
  const session = new ToldRide(ride)
  await session.prompted('be polite')
  return session
}

describe('given a run that is told reply by reply', () => {
  it('counts what was sent back, and is over with the claim that the checks confirm', async () => {
    const session = await told()
    await session.heard({ text: 'Done.', usage: null })
    expect(await session.claimed('Done.')).toMatchObject({ kind: 'send-back' })
    await session.heard({ text: 'Done, please.', usage: null })
    expect(session.ended).toBeUndefined()
    await session.claimed('Done, please.')
    expect(session).toMatchObject({ sendBacks: 1, ride: { end: { outcome: 'verified' } } })
    expect(session.ended).toBeDefined()
    expect(await session.proposed(call('late'))).toMatchObject({ kind: 'end' })
  })

  it('tells a reply with its calls when they are over, or when the next one begins', async () => {
    const session = await told()
    await session.heard({ text: 'I look.', usage: null })
    session.finished(call('a'), ok)
    await session.heard({ text: 'I look again.', usage: null })
    session.finished(call('b'), ok)
    await session.stepEnded()
    await session.stepEnded()
    expect(session.ride.state).toMatchObject({ replies: 2, consumption: { toolCalls: 2 } })
  })

  it('asks for a call once, and knows afterwards whether it was refused', async () => {
    const session = await told({ gate: { check: async () => ({ kind: 'forbidden', reason: 'not that' }) } })
    const runs: HostCall = { ...call('a'), act: { kind: 'command', script: 'true' } }
    const first = session.proposed(runs)
    expect(session.proposed(runs)).toBe(first)
    expect(await first).toMatchObject({ kind: 'refuse', reason: 'not that' })
    expect(await session.wasRefused(runs)).toBe(true)
    expect(await session.wasRefused(call('never proposed'))).toBe(false)
  })
})

describe('given a provider that names the calls of every step alike', () => {
  it('asks for each of them', async () => {
    const session = await told({
      gate: {
        check: async ({ action }) =>
          action?.kind === 'command' && action.script === 'ls'
            ? { kind: 'allow', reason: 'only looks' }
            : { kind: 'forbidden', reason: 'not that' },
      },
    })
    const runs = (script: string): HostCall => ({
      ...call('call_0'),
      args: { script },
      act: { kind: 'command', script },
    })
    expect(await session.proposed(runs('ls'))).toMatchObject({ kind: 'pass' })
    expect(await session.proposed(runs('rm -rf ~'))).toMatchObject({ kind: 'refuse', reason: 'not that' })
    expect(await session.wasRefused(runs('rm -rf ~'))).toBe(true)
  })
})

describe('given a bound of the host that cuts it short', () => {
  it('asks the checks for what there is, and not twice for the same', async () => {
    const session = await told()
    await session.heard({ text: 'please', usage: null })
    await session.cutShort()
    expect(session.ride.end).toBeDefined()
    const sentBack = await told()
    await sentBack.claimed('Done.')
    await sentBack.cutShort()
    expect(sentBack).toMatchObject({ sendBacks: 1 })
  })
})

describe('given work that is done already', () => {
  it('is one claim: verified, or not', async () => {
    const options: RideOptions = { agent: 'x', workFolder: null, hardVerifiers: [polite] }
    const ask = (text: string) => verifiedClaim(options, { task: 'be polite', text })
    expect(await ask('please')).toMatchObject({ isVerified: true, sendBacks: 0 })
    expect(await ask('Done.')).toMatchObject({ isVerified: false, verdicts: [{ status: 'failed' }] })
  })
})

describe('given several signals, or none', () => {
  it('aborts with any of them', () => {
    expect(firstSignal(undefined, 'no signal')).toBeUndefined()
    const abort = new AbortController()
    const signal = firstSignal(new AbortController().signal, undefined, abort.signal)
    expect(signal?.aborted).toBe(false)
    abort.abort()
    expect(signal?.aborted).toBe(true)
  })
})
