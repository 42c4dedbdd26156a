import { describe, expect, it } from 'vitest'
import type { HostCall } from '../../protocol/host/index.ts'
import { createAgentSession, type AgentSessionOptions } from '../index.ts'
import { SdkSession } from '../sdk-session.ts'
import { verifierOf } from '@donecheck/engine/verify'

const polite = verifierOf('polite', ({ finalText }) => finalText.includes('please'), { reads: 'answer' })
const call = (callId: string): HostCall => ({ callId, tool: 'look', args: {}, act: { kind: 'read' } })
const ok = { status: 'ok' as const, output: 'seen' }

async function reported(options: Partial<AgentSessionOptions> = {}): Promise<SdkSession> {
  const agentSession = await createAgentSession({
    agent: 'x',
    workFolder: null,
    hardVerifiers: [polite],
    ...options,
  })
  const session = new SdkSession({ agentSession })
  await session.recordPrompt('be polite')
  return session
}

describe('given a run that is told reply by reply', () => {
  it('counts what was kept from stopping, and is over with the claim that the checks confirm', async () => {
    const session = await reported()
    await session.recordReply({ text: 'Done.', usage: null })
    expect(await session.verifyTurnEnd('Done.')).toBeTypeOf('string')
    await session.recordReply({ text: 'Done, please.', usage: null })
    expect(session.ended).toBeUndefined()
    expect(await session.verifyTurnEnd('Done, please.')).toBeUndefined()
    expect(session).toMatchObject({ blockedStops: 1, agentSession: { end: { outcome: 'verified' } } })
    expect(session.ended).toBeDefined()
    expect(await session.proposeCall(call('late'))).toMatchObject({ kind: 'end' })
  })

  it('asks for a call once, and knows afterwards whether it was refused', async () => {
    const session = await reported({
      gate: { check: async () => ({ kind: 'forbidden', reason: 'not that' }) },
    })
    const runs: HostCall = { ...call('a'), act: { kind: 'command', script: 'true' } }
    const first = session.proposeCall(runs)
    expect(session.proposeCall(runs)).toBe(first)
    expect(await first).toMatchObject({ kind: 'refuse', reason: 'not that' })
    expect(await session.wasRefused(runs)).toBe(true)
    expect(await session.wasRefused(call('never proposed'))).toBe(false)
  })

  it('takes what we said ourselves for no result of a call', async () => {
    const results: string[] = []
    const session = await reported({
      onEvent: (event) => {
        if (event.type === 'tool-returned') results.push(event.callId)
      },
      gate: {
        check: async ({ action }) =>
          action?.kind === 'command'
            ? { kind: 'forbidden', reason: 'not that' }
            : { kind: 'allow', reason: 'only looks' },
      },
    })
    const runs: HostCall = { ...call('a'), act: { kind: 'command', script: 'true' } }
    await session.proposeCall(runs)
    await session.proposeCall(call('b'))
    const refused = { call: runs, result: { status: 'ok' as const, output: 'not that' } }
    await session.recordStep({ text: '', usage: null }, [refused, { call: call('b'), result: ok }])
    expect(results).toEqual(['b'])
  })
})

describe('given a provider that names the calls of every step alike', () => {
  it('asks for each of them', async () => {
    const session = await reported({
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
    expect(await session.proposeCall(runs('ls'))).toMatchObject({ kind: 'pass' })
    expect(await session.proposeCall(runs('rm -rf ~'))).toMatchObject({ kind: 'refuse', reason: 'not that' })
    expect(await session.wasRefused(runs('rm -rf ~'))).toBe(true)
  })
})

describe('given a bound of the host that cuts it short', () => {
  it('asks the checks for what there is, and not twice for the same', async () => {
    const session = await reported()
    await session.recordReply({ text: 'please', usage: null })
    await session.cutShort()
    expect(session.agentSession.end).toBeDefined()
    const blocked = await reported()
    await blocked.verifyTurnEnd('Done.')
    await blocked.cutShort()
    expect(blocked).toMatchObject({ blockedStops: 1 })
  })
})
