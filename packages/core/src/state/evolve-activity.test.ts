import { describe, expect, it } from 'vitest'
import {
  externalAgent,
  begun,
  checked,
  edited,
  failedVerdict,
  given,
  passedVerdict,
  type Step,
} from '../testing/index.ts'
import {
  goalSet,
  modelCalled,
  modelProposed,
  modelReplied,
  runResumed,
  toolCall,
  toolCalled,
  toolRefused,
  toolReturned,
  turnEnded,
  workspaceObserved,
} from '../testing/facts.ts'
import type { Fact, ToolCall } from '../events/index.ts'
import { callKey } from './evolve-activity.ts'
import { standardLoopDetection, type ToolTraits } from '../events/settings/index.ts'

const call = (callId: string, different: Partial<ToolCall> = {}): ToolCall => ({
  ...toolCall(callId, 'read_file', { path: 'a' }),
  argsDigest: 'digest-a',
  ...different,
})

function returned(callId: string, different: Partial<Extract<Fact, { type: 'tool-returned' }>> = {}): Step {
  return [toolCalled(callId, 'read', 'read_file'), { ...toolReturned(callId), outcome: 'x', ...different }]
}

function activityOf(...steps: readonly Step[]) {
  return given(begun(), ...steps).state.activity
}

const newest = (...steps: readonly Step[]) => activityOf(...steps).calls.at(-1)

describe('given an answered call', () => {
  it('it is remembered with its turn, its key and what came of it', () => {
    expect(newest(modelCalled(2), modelProposed(call('1')), returned('1'))).toMatchObject({
      turn: 2,
      tool: 'read_file',
      call: callKey(call('1')),
      outcome: 'x',
      failure: null,
      callStatus: 'ran',
      waits: false,
      noOp: false,
    })
  })

  it('its identity counts where it has one, so volatile arguments do not', () => {
    const steps = ['1', '2'].map((id) => [
      modelCalled(Number(id)),
      modelProposed(call(id, { argsDigest: `digest-${id}`, identity: 'same' })),
      returned(id),
      turnEnded(Number(id)),
    ])
    expect(activityOf(steps).calls.map(({ repeat }) => repeat)).toEqual([0, 1])
  })

  it('one whose outcome is unknown has no outcome', () => {
    const unknown = { ...toolReturned('1', 'nobody knows', 'unknown') }
    const steps = [
      modelCalled(1),
      modelProposed(call('1')),
      toolCalled('1', 'read', 'read_file'),
      runResumed(),
      unknown,
    ]
    expect(newest(steps)).toMatchObject({ outcome: null, failure: null })
  })
})

describe('given what the user says of a tool', () => {
  const declared = (traits: ToolTraits) => {
    const loopDetection = { ...standardLoopDetection, tools: { read_file: traits } }
    const stagnation = { mode: 'off' as const, patienceVerifications: 6, changesPerClaim: 5, epsilonScore: 0 }
    /** A look, and then an edit that makes something new. */
    const round = (number: number): Step => [
      modelCalled(2 * number),
      modelProposed(call(`look-${number}`)),
      returned(`look-${number}`),
      turnEnded(2 * number),
      edited(2 * number + 1, `tree-${number}`),
      turnEnded(2 * number + 1),
    ]
    const soft = { loopDetection, stagnation, tokenBudget: null }
    const { calls } = given(begun({ soft }), round(1), round(2), round(3)).state.activity
    return calls.filter(({ tool }) => tool === 'read_file')
  }

  it('the same result of one that changes nothing is a repetition, whatever was done in between', () => {
    expect(declared({ readOnly: true }).map(({ repeat }) => repeat)).toEqual([0, 1, 2])
    expect(declared({}).map(({ repeat }) => repeat)).toEqual([0, 0, 0])
  })
})

describe('given a refused call', () => {
  const refusedBy = (...refusal: Parameters<typeof toolRefused>) =>
    newest(modelCalled(1), modelProposed(call('1'), call('2')), returned('1'), toolRefused(...refusal))

  it('one that a detector refused is the same call once more', () => {
    expect(refusedBy('2', 'detector')).toMatchObject({ callStatus: 'vetoed', outcome: 'x', failure: null })
  })

  it('one whose arguments its tool could not take failed', () => {
    const record = refusedBy('2', 'schema', 'a.ts: old_text was not found')
    expect(record?.callStatus).toBe('ran')
    expect(record?.failure).not.toBeNull()
    expect(record?.failure).toBe(record?.outcome)
  })

  it.each(['cap', 'record'] as const)('one that %s refused is told to the agent, and failed', (by) => {
    const record = refusedBy('2', by, 'no more of them')
    expect(record?.callStatus).toBe('ran')
    expect(record?.failure).not.toBeNull()
  })

  it.each(['gate', 'approver'] as const)('one that %s refused says nothing of the agent', (by) => {
    expect(refusedBy('2', by)?.sequence).toBe(
      newest(modelCalled(1), modelProposed(call('1'), call('2')), returned('1'))?.sequence,
    )
  })
})

describe('given verifications', () => {
  it('only a complete one is remembered, with the tree that it was made on', () => {
    const run = given(begun({ verifiers: ['npm test', 'lint'] }), edited(1, 'tree-1'))
    const half = checked('change', failedVerdict('npm test'), passedVerdict('lint')).slice(0, 2)
    expect(run.and(half).state.activity.verifications).toEqual([])
    const [record] = run.and(checked('change', failedVerdict('npm test'), passedVerdict('lint'))).state
      .activity.verifications
    expect(record).toMatchObject({ turn: 1, tree: 'tree-1', checks: ['npm test'], score: 0.5, claims: 0 })
  })
})

describe('given another task, or a resume', () => {
  const steps: readonly Step[] = [modelCalled(1), modelProposed(call('1')), returned('1'), turnEnded(1)]

  it('a task begins anew, a resume goes on', () => {
    expect(activityOf(steps, goalSet('another')).calls).toEqual([])
    expect(activityOf(steps, runResumed())).toEqual(activityOf(steps))
  })
})

describe('given an agent with tools of its own, whose tree is looked at in the middle of its turn', () => {
  const agent = { ...externalAgent, ownsTools: true as const }
  const appends = (id: number, tree: string): readonly Step[] => [
    modelCalled(1),
    modelProposed(call(`c${id}`, { tool: 'run_shell', args: { command: 'echo a >> b' } })),
    toolCalled(`c${id}`, 'execute', 'run_shell'),
    { ...toolReturned(`c${id}`), outcome: 'appended' },
    workspaceObserved(tree),
  ]

  it('then the same write, made again since the last look, is no progress, however long the turn is', () => {
    const turn = given(begun({ agent }), ...appends(1, 'tree-1'), ...appends(2, 'tree-2'))
    turn.and(...appends(3, 'tree-3'), ...appends(4, 'tree-4')).thenState(({ activity }) => {
      expect(activity.generation).toBe(turn.state.activity.generation)
    })
  })
})

describe('given an agent that makes up a tool with a name of a megabyte', () => {
  it('keeps the beginning of it', () => {
    const tool = 'x'.repeat(1024 * 1024)
    const refused = toolRefused('a', 'schema')
    const reply = modelReplied({ toolCalls: [toolCall('a', tool)] })
    const { state } = given(begun(), modelCalled(1), reply, refused)
    expect(state.activity.calls).toHaveLength(1)
    expect(JSON.stringify(state.activity).length).toBeLessThan(2000)
  })
})
