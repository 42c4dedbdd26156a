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
    const { api } = serviceClient({ url, token: token ?? '' })
    const session = await api.session.$get()
    expect(await session.json()).toMatchObject({ user: 'owner', roles: ['read'] })
    const page = await api.runs.$get({ query: { outcome: 'verified', limit: 5 } })
    const { runs } = await page.json()
    expect(runs.map(({ runId }) => runId)).toEqual(['run-1'])
    const run = await api.runs[':id'].$get({ param: { id: 'run-1' } })
    expect((await run.json()).explanation.end?.outcome).toBe('verified')
    await expect(api.runs[':id'].$get({ param: { id: 'a/../b' } })).rejects.toMatchObject({
      status: 404,
      code: 'not-found',
    })
    const cancelling = api.runs[':id'].cancel.$post({ param: { id: 'run-1' }, json: {} })
    await expect(cancelling).rejects.toThrow('needs the role "run"')
  })
})

it('a service that others could reach is not started without users', async () => {
  for (const host of ['0.0.0.0', '::', '192.168.1.2'])
    await expect(startService({ store: memoryStore(), host, port: 0 })).rejects.toThrow(UsageError)
})
