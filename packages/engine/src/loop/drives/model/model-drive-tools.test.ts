import { describe, expect, it } from 'vitest'
import { givenFakeModels } from './fixtures/drives.ts'
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
})
