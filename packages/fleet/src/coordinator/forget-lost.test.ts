import { describe, expect, it } from 'vitest'
import type { SavedSchedule } from '../schedule/index.ts'
import { lookForLost } from './forget-lost.ts'

const minuteMs = 60_000

/** Two workers, one of them killed, and other services. */
function given() {
  const deployments = new Map([
    ['dp_1', ['donecheck-worker-here']],
    ['dp_2', ['donecheck-worker-gone']],
    ['dp_3', ['donecheck-run', 'donecheck-dispatcher']],
    ['dp_4', ['shop']],
    ['dp_5', ['donecheck-worker-gone', 'shop']],
  ])
  const here = new Set(['here'])
  const killed: string[] = []
  const status = async (): Promise<SavedSchedule> => ({
    runs: [],
    workers: [...here].map((workerId) => ({
      ...{ workerId, version: '1', labels: [], slots: 1, draining: false, seenMs: 0 },
    })),
    ...{ usedMs: {}, virtualMs: 0, providers: {}, limits: {} },
  })
  const look = lookForLost({
    client: { status },
    admin: {
      deployments: async () => [...deployments].map(([id, services]) => ({ id, services })),
      pendingOf: async (serviceName) => [`call of ${serviceName}`],
      killInvocation: async (id) => void killed.push(id),
      remove: async (id) => void deployments.delete(id),
    },
    log: () => undefined,
  })
  return { deployments, here, killed, look }
}

describe('given a worker that is gone', () => {
  it('then its deployment goes after ten minutes, with the calls that it left, and no other does', async () => {
    const { deployments, killed, look } = given()
    await look(0)
    await look(9 * minuteMs)
    expect(deployments.size).toBe(5)
    await look(10 * minuteMs)
    expect([...deployments.keys()]).toEqual(['dp_1', 'dp_3', 'dp_4', 'dp_5'])
    expect(killed).toEqual(['call of donecheck-worker-gone'])
  })
})
