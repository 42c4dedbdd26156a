import { describe, expect, it } from 'vitest'
import { sampleRun, stamp } from '@donecheck/core/testing'
import type { FleetRequest } from '@donecheck/fleet/internal/coordinator'
import { beginningOf, optionsOfPart } from '../fleet.ts'
import { createAgentLoop } from '@donecheck/engine/internal/loop/compose'
import { scriptedAgent } from '@donecheck/engine/testing'
import { command } from '@donecheck/engine/verify'

const request: FleetRequest = {
  runId: 'run-1',
  tenant: 't',
  task: 'do it',
  labels: [],
  priority: 0,
  settings: {},
}
const resume = { id: 'once', topUp: { turns: 3 } }
const stopped = sampleRun()
const atWork = stopped.slice(0, -1)
const end = stopped.slice(-1)

describe('given a request of a fleet', () => {
  it('then a run that nobody has begun begins, and one at work goes on where it stands', () => {
    expect(beginningOf(request, [], undefined)).toMatchObject({ kind: 'new', task: 'do it' })
    expect(beginningOf(request, atWork, undefined)).toEqual({ kind: 'continue', runId: 'run-1' })
    expect(beginningOf(request, atWork, 'lost')).toEqual({ kind: 'continue', runId: 'run-1', notice: 'lost' })
  })

  it('then one that has stopped stays so, also where its worker was lost before it had handed the work on', () => {
    expect(beginningOf(request, stopped, 'lost')).toMatchObject({ kind: 'continue', runId: 'run-1' })
  })

  it('then one that is to go on after its end is given more once, however often it is asked for', () => {
    const asked = { ...request, resume }
    const goesOn = { kind: 'resume', requestId: 'once', topUp: { by: 'the service' }, notice: 'lost' }
    expect(beginningOf(asked, stopped, 'lost')).toMatchObject(goesOn)
    const resumed = [...stopped, ...stamp([{ type: 'run-resumed', holder: 'worker 2', requestId: 'once' }])]
    expect(beginningOf(asked, resumed, undefined)).toEqual({ kind: 'continue', runId: 'run-1' })
    const again = [...resumed, ...end]
    expect(beginningOf(asked, again, undefined)).toEqual({ kind: 'continue', runId: 'run-1' })
    expect(beginningOf({ ...request, resume: { ...resume, id: 'two' } }, again, undefined)).toMatchObject({
      requestId: 'two',
    })
  })
})

const waiver = { check: 'npm test', by: 'mia', until: '2999-12-31', reason: 'it is broken' }
const whole = {
  agent: scriptedAgent(['Done.']),
  hardVerifiers: [command('npm test'), command('npm run lint')],
  ...{ waive: [waiver], quarantine: [{ ...waiver, check: 'npm run lint' }], guard: false as const },
}

describe('given a run whose checks decide, and of which some are waived', () => {
  it('then a part without a name has none of them, and can be opened', async () => {
    const options = optionsOfPart(whole, { checks: [] })
    expect(options).toMatchObject({ hardVerifiers: [], waive: [], quarantine: [] })
    expect((await createAgentLoop(options).run('a part')).transition.outcome).toBe('unverified')
  })

  it('then one of the goal has its own, with what was waived of them', () => {
    const { hardVerifiers = [], waive, quarantine } = optionsOfPart(whole, { checks: ['npm test'] })
    expect(hardVerifiers).toEqual([whole.hardVerifiers[0]])
    expect([waive, quarantine]).toEqual([[waiver], []])
  })
})
