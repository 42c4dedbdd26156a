import { afterEach, describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { memoryStore } from '@donecheck/engine/store'
import { serviceClient } from '../client/index.ts'
import { storeWithRun } from './fixtures/asked-service.ts'
import { startService, type RunningService } from './start-service.ts'

let service: RunningService | undefined

afterEach(async () => {
  await service?.close()
  service = undefined
})

const here = { host: '127.0.0.1', port: 0 }

describe('given a service on a free port of the loopback', () => {
  it('answers a client with the token that it made, and tells it what is wrong', async () => {
    service = await startService({ store: await storeWithRun(), ...here, ownerRoles: ['read'] })
    const { url, token } = service
    const client = serviceClient({ url, token: token ?? '' })
    expect(await client.ask('GET /api/session', {})).toMatchObject({ user: 'owner', roles: ['read'] })
    const { runs } = await client.ask('GET /api/runs', { query: { outcome: 'verified', limit: 5 } })
    expect(runs.map(({ runId }) => runId)).toEqual(['run-1'])
    const { explanation } = await client.ask('GET /api/runs/{id}', { path: { id: 'run-1' } })
    expect(explanation.end?.outcome).toBe('verified')
    await expect(client.ask('GET /api/runs/{id}', { path: { id: 'a/../b' } })).rejects.toMatchObject({
      status: 404,
      code: 'not-found',
    })
    const cancelling = client.ask('POST /api/runs/{id}/cancel', { path: { id: 'run-1' }, body: {} })
    await expect(cancelling).rejects.toThrow('needs the role run')
  })
})

it('a service that others could reach is not started without users', async () => {
  for (const host of ['0.0.0.0', '::', '192.168.1.2'])
    await expect(startService({ store: memoryStore(), host, port: 0 })).rejects.toThrow(UsageError)
})
