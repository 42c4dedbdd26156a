import { describe, expect, it } from 'vitest'
import { givenFakeModels, givenServer } from './fixtures/drives.ts'
import { streamAll } from './fixtures/servers.ts'
import { aCall, aConversation, aRequest, neverAborted } from './fixtures/requests.ts'

describe('given a model that calls tools', () => {
  it('proposes one call with its arguments', async () => {
    const { models, drive } = await givenFakeModels()
    models.onMessage('look', { toolCalls: [{ name: 'read', arguments: { path: 'a' }, id: 'c1' }] })
    expect(await drive.next(aRequest('look'), neverAborted)).toMatchObject({
      kind: 'replied',
      toolCalls: [{ callId: 'c1', tool: 'read', args: { path: 'a' } }],
      finish: 'tool-calls',
    })
  })

  it('gives unreadable arguments back as text, with the reason', async () => {
    const drive = await givenServer((response) =>
      streamAll(
        response,
        { tool_calls: [{ index: 0, id: 'c1', function: { name: 'read', arguments: '{"path":' } }] },
        { finish_reason: 'tool_calls' },
      ),
    )
    const answer = await drive.next(aRequest('look'), neverAborted)
    expect(answer).toMatchObject({
      kind: 'replied',
      toolCalls: [{ callId: 'c1', tool: 'read', args: '{"path":' }],
    })
    expect(answer.kind === 'replied' && answer.toolCalls[0]?.malformed).toContain('no valid JSON')
  })

  it('proposes a tool that does not exist as it was asked for', async () => {
    const { models, drive } = await givenFakeModels()
    models.onMessage('look', { toolCalls: [{ name: 'rm -rf /', arguments: { path: 'a' }, id: 'c1' }] })
    const answer = await drive.next(aRequest('look'), neverAborted)
    expect(answer.kind === 'replied' && answer.toolCalls).toEqual([
      { callId: 'c1', tool: 'rm -rf /', args: { path: 'a' } },
    ])
  })

  it('gives calls without an id, or with one that is taken, a new one', async () => {
    const call = (index: number, id: string) => ({ index, id, function: { name: 'read', arguments: '{}' } })
    const drive = await givenServer((response) =>
      streamAll(
        response,
        { tool_calls: [call(0, 'old'), call(1, ''), call(2, 'same'), call(3, 'same')] },
        { finish_reason: 'stop' },
      ),
    )
    const rounds = [{ text: '', toolCalls: [aCall('old')], answers: [], feedback: undefined }]
    const answer = await drive.next(aRequest('', { conversation: aConversation({ rounds }) }), neverAborted)
    const ids = answer.kind === 'replied' ? answer.toolCalls.map(({ callId }) => callId) : []
    expect(new Set([...ids, 'old', '']).size).toBe(6)
    expect(ids[2]).toBe('same')
    expect(answer).toMatchObject({ finish: 'tool-calls' })
  })
})
