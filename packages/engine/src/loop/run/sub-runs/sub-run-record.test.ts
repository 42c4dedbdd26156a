import { describe, expect, it } from 'vitest'
import type { RunEvent } from '@donecheck/core/internal/events'
import { externalAgent, begun, stamp, type Step } from '@donecheck/core/testing'
import {
  modelCalled,
  modelReplied,
  subRunEnded,
  subRunStarted,
  tokens,
  toolCall,
  toolCalled,
} from '@donecheck/core/internal/testing/facts'
import { readSubRunOutcome } from '../sub-runs.ts'

type Records = Readonly<Record<string, readonly RunEvent[]>>

const runsOf = (records: Records) => ({
  read: (runId: string) => {
    if (runId === 'damaged') return Promise.reject(new Error('an event cannot be read'))
    return Promise.resolve(records[runId] ?? [])
  },
})

const record = (...steps: readonly Step[]) => stamp([begun(), ...steps])
const turn = [
  modelCalled(1),
  modelReplied({ usage: tokens(900, 100), toolCalls: [toolCall('a', 'delegate')] }),
]
const delegating = (childRunId: string) => [
  turn,
  toolCalled('a', 'execute', 'delegate'),
  subRunStarted(childRunId, 'a', { maxIterations: 5 }),
]
const spentOf = async (records: Records, runId = 'child') =>
  (await readSubRunOutcome(runsOf(records), runId)).spent

describe('given the record of a run', () => {
  it('has spent the prompt of a call in flight too', async () => {
    const spent = await spentOf({ child: record(turn, modelCalled(2)) })
    expect(spent).toMatchObject({
      iterations: 2,
      modelCalls: 2,
      inputTokens: 900 + 1000,
      tokensEstimated: true,
    })
  })

  it('has spent something that nobody knows where the agent never counts', async () => {
    const child = stamp([begun({ agent: externalAgent }), modelCalled(1)])
    expect(await spentOf({ child })).toMatchObject({ callsWithoutUsage: 1, costUsd: null })
  })

  it('has spent what its own sub-runs have', async () => {
    const records = { child: record(delegating('grandchild')), grandchild: record(turn) }
    expect(await spentOf(records)).toMatchObject({ iterations: 2, inputTokens: 1800, toolCalls: 1 })
  })
})

describe('given what nobody knows', () => {
  it.each<[string, Records]>([
    ['there is no record', {}],
    ['it cannot be read', { child: record(delegating('damaged')) }],
    ['there is none of its own sub-run', { child: record(delegating('grandchild')) }],
    ['it had lost one itself', { child: record(delegating('grandchild'), subRunEnded('grandchild', null)) }],
    ['it names itself as its part', { child: record(delegating('child')) }],
    [
      'it names its parent as its part',
      { child: record(delegating('other')), other: record(delegating('child')) },
    ],
  ])('nothing is given back: %s', async (_, records) => {
    expect(await spentOf(records)).toBeNull()
  })
})
