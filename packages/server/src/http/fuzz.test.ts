import { fc } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { askedService, storeWithRun } from './fixtures/asked-service.ts'
import { fuzzedRequests } from './fixtures/fuzzed-requests.ts'
import { allRoutes } from './fixtures/all-routes.ts'
import type { RunLauncher } from '../api/index.ts'

const requestsPerRoute = Number(process.env['DONECHECK_FUZZ_REQUESTS'] ?? 100)

describe.each(allRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  'given %s',
  (_, route) => {
    it('however it is asked, it is answered below 500, starts nothing and leaks nothing', async () => {
      const started: string[] = []
      const launcher: RunLauncher = {
        start: async (runId) =>
          Promise.resolve(started.push(runId)).then(() => ({ ended: Promise.resolve('no') })),
        resume: async (runId) =>
          Promise.resolve(started.push(runId)).then(() => ({ ended: Promise.resolve('no') })),
      }
      const store = await storeWithRun()
      let { ask, logged, close } = askedService({ store, launcher })
      for (const [index, { request, asking }] of fc
        .sample(fuzzedRequests(route), requestsPerRoute)
        .entries()) {
        // Before there are too many for one caller.
        if (index % 500 === 499) {
          close()
          ;({ ask, logged, close } = askedService({ store, launcher }))
        }
        const answer = await ask(request, asking)
        expect(answer.status, `${request} ${JSON.stringify(asking)}`).toBeLessThan(429)
        expect(logged).toEqual([])
        expect(answer.headers.get('set-cookie')).toBeNull()
        if (answer.headers.get('content-type') === 'text/event-stream') await answer.body?.cancel()
        else if (answer.status >= 400) expect(await answer.text()).not.toMatch(/\n\s+at |node:internal/)
      }
      expect(started).toEqual([])
      close()
    })
  },
)
