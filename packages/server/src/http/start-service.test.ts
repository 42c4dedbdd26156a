import { memoryStore } from '@donecheck/engine/store'
import { afterEach, describe, expect, it } from 'vitest'
import { startService, type RunningService } from './start-service.ts'

let service: RunningService | undefined

afterEach(async () => {
  await service?.close()
})

describe('given a service on a free port of the loopback', () => {
  it('says that it lives, and lets no other page show it', async () => {
    service = await startService({ store: memoryStore(), host: '127.0.0.1', port: 0 })
    const answer = await fetch(`${service.url}/healthz`)
    expect(await answer.json()).toEqual({ status: 'ok' })
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })
})
