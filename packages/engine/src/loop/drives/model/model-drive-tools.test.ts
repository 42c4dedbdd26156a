import { describe, expect, it } from 'vitest'
import { givenFakeModels, givenServer } from './fixtures/drives.ts'
import { streamAll } from './fixtures/servers.ts'
import { aRequest, neverAborted } from './fixtures/requests.ts'

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
})
