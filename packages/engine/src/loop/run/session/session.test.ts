import { describe, expect, it } from 'vitest'
import { RunHeldError } from '../../../base/index.ts'
import {
  modelCalled,
  modelClaimed,
  verdictGiven,
  verificationStarted,
} from '@donecheck/core/internal/testing/facts'
import { passedVerdict } from '@donecheck/core/testing'
import { begin, stage, verifier, type Scene } from '../../../testing/index.ts'
import { scriptedAgent } from '../../agents/index.ts'
import { memoryStore } from '../../../system/store/index.ts'
import { LiveRun } from './session.ts'

const scene: Scene = {
  agent: scriptedAgent([]),
  verifiers: [verifier('tests', () => ({ status: 'passed' }), { reads: 'answer' })],
}

describe('given a host that owns the loop', () => {
  it('when it tells what happened, then it is told what to do next, up to the stop', async () => {
    const { session } = stage(scene)
    await begin(session, scene)
    expect(session.decide()).toMatchObject({ kind: 'call-model', turn: 1 })
    await session.tell(modelCalled(1))
    expect(session.decide()).toEqual({ kind: 'wait', on: 'model' })
    await session.tell(modelClaimed('Done.'))
    expect(session.decide()).toMatchObject({ kind: 'verify', trigger: 'claim' })
    await session.tell(verificationStarted('claim', 'tests'), verdictGiven(passedVerdict('tests')))
    expect(session.decide()).toMatchObject({ kind: 'stop', transition: { reason: 'task_complete' } })
  })
})

describe('given two writers of one run', () => {
  it('when the other has written, then this one is over and has lost nothing of the other', async () => {
    const { session, store, parts } = stage(scene)
    await begin(session, scene)
    const other = new LiveRun('run-1', parts, await store.read('run-1'))
    await other.tell(modelCalled(1))
    await expect(session.tell(modelCalled(1))).rejects.toThrow(RunHeldError)
    expect(await store.read('run-1')).toHaveLength(3)
  })
})

describe('given a whole output that is kept beside the stream', () => {
  it('then it is masked, under the digest of the original', async () => {
    const store = memoryStore()
    const { session } = stage({ ...scene, secrets: { PASSWORD: 'hunter2-hunter2' } })
    const { parts } = stage(scene)
    const masking = new LiveRun('run-1', { ...parts, log: store, secrets: { PASSWORD: 'hunter2-hunter2' } })
    await masking.attach({ digest: 'd1', content: 'it is hunter2-hunter2' })
    expect(await store.attachmentsOf('run-1')).toEqual([{ digest: 'd1', content: 'it is [masked:PASSWORD]' }])
    expect(session.runId).toBe('run-1')
  })
})
