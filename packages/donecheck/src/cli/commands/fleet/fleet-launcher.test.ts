import { describe, expect, it } from 'vitest'
import type { FleetClient, FleetRequest, FleetRun } from '@donecheck/fleet/internal/coordinator'
import { fleetLauncher, placeOf } from './submit.ts'

const repository = { url: 'https://git.example/shop.git', revision: 'main' }

/** A fleet in which a run ends with its first submission. */
function fleetOf() {
  const submitted: FleetRequest[] = []
  const cancelled: string[] = []
  const rest = { attempt: 1, isWoken: false, isOrphan: false, breaks: 0, problem: '', watchers: [] }
  const client: Pick<FleetClient, 'submit' | 'cancel' | 'run'> = {
    submit: async (request) => void submitted.push(request),
    cancel: async (runId, by) => void cancelled.push(`${runId} by ${by}`),
    run: async (runId): Promise<FleetRun | undefined> => {
      const request = submitted.find((one) => one.runId === runId)
      if (request === undefined) return undefined
      return {
        ...rest,
        request,
        phase: { kind: 'over', reason: 'r', outcome: 'failed', message: 'the first end' },
      }
    },
  }
  return { submitted, cancelled, launcher: fleetLauncher({ client, tenant: 'shop', repository }) }
}

describe('given a service over a fleet', () => {
  it('then a run is submitted with its whole configuration, and its end is told', async () => {
    const { launcher, submitted } = fleetOf()
    const { ended } = await launcher.start('R1', {
      task: 'do it',
      until: ['npm test'],
      maxTurns: 5,
      timeoutMs: 9000,
    })
    expect(submitted).toMatchObject([
      {
        ...{ runId: 'R1', tenant: 'shop', task: 'do it', repository },
        settings: { until: [{ command: 'npm test' }], maxTurns: 5, maxSeconds: 9 },
      },
    ])
    expect(await ended).toBe('the first end')
  })

  it('then one that is resumed is not taken for ended because it had ended before', async () => {
    const { launcher, submitted } = fleetOf()
    await launcher.start('R1', { task: 'do it' })
    const { ended } = await launcher.resume('R1', { turns: 3 })
    expect(submitted.at(-1)).toMatchObject({ runId: 'R1', task: 'do it', resume: { topUp: { turns: 3 } } })
    expect(await Promise.race([ended, Promise.resolve('still open')])).toBe('still open')
    await expect(launcher.resume('R2', {})).rejects.toThrow('was not given to this fleet')
  })

  it('then it is cancelled wherever it is', async () => {
    const { launcher, cancelled } = fleetOf()
    await launcher.cancel?.('R1', 'ada')
    expect(cancelled).toEqual(['R1 by ada'])
  })

  it.each([
    [undefined, undefined],
    ['/srv/shop', { folder: '/srv/shop' }],
    [
      'https://git.example/a.git#v1.2',
      { repository: { url: 'https://git.example/a.git', revision: 'v1.2' } },
    ],
    ['sub/folder', undefined],
  ])('then the work folder %s is %o', (named, place) => {
    expect(placeOf(named)).toEqual(place)
  })
})
