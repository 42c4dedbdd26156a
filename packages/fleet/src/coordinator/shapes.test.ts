import { describe, expect, it } from 'vitest'
import { fleetRequest } from './shapes.ts'

const request = { tenant: 'shop', task: 'do it', labels: [], priority: 0, settings: {} }

describe('given the id of a run', () => {
  it.each(['01J00000000000000000000000', 'run-1', 'a.b_c-d'])('then %s is one', (runId) => {
    expect(fleetRequest.parse({ ...request, runId })).toMatchObject({ runId })
  })

  it.each(['.', '..', '...', '../a', 'a/b', 'a..b', 'a.', '.git', '-rf', '', 'a\nb', 'x'.repeat(121)])(
    'then %j, which would lead out of its folder or be no branch, is none',
    (runId) => {
      expect(fleetRequest.safeParse({ ...request, runId }).success).toBe(false)
    },
  )
})
