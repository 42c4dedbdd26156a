/** Turns, calls and consumption. Checks, claims and sleep have their own files. */
import { describe, expect, it } from 'vitest'
import {
  agentDrive,
  begun,
  claimed,
  edited,
  given,
  runStarted,
  stamp,
  timePassed,
} from '../../testing/index.ts'
import {
  findingNoted,
  goalSet,
  modelCalled,
  modelClaimed,
  modelFailed,
  modelProposed,
  modelReplied,
  tokens,
  toolCalled,
  toolRefused,
  toolReturned,
  turnEnded,
} from '../../testing/facts.ts'
import { evolve, fold } from '../evolve.ts'

describe('given a run that begins', () => {
  it('knows what it was started with, and nothing else', () => {
    const { state } = given(runStarted({ verifiers: ['npm test'], caps: { maxIterations: 8 } }))
    expect(state).toMatchObject({
      turn: 0,
      turnOpen: false,
      task: '',
      phase: { kind: 'starting', baselineDone: false },
    })
    expect(state.settings.caps.maxIterations).toBe(8)
    expect(state.checks).toEqual({
      'npm test': { baseline: undefined, latest: undefined, failureStreak: 0, errorStreak: 0 },
    })
  })

  it('takes the task, and estimates what it costs in the prompt', () => {
    const before = given(runStarted()).state
    const after = given(runStarted(), goalSet('a'.repeat(35))).state
    expect(after.task).toBe('a'.repeat(35))
    expect(after.promptTokens - before.promptTokens).toBe(10)
  })

  it('is nothing before its first fact, and cannot begin with another one', () => {
    expect(fold([])).toBeUndefined()
    const [, second] = stamp([runStarted(), goalSet()])
    if (second === undefined) throw new Error('two events were stamped')
    expect(() => evolve(undefined, second)).toThrow('a run begins with run-started, not goal-set')
  })
})

describe('given calls of the model', () => {
  it('counts a turn once and each of its tries', () => {
    const { state } = given(
      begun(),
      modelCalled(1),
      modelFailed({ kind: 'cut-off' }),
      modelCalled(1, 2),
      modelClaimed(),
    )
    expect(state.consumption).toMatchObject({ iterations: 1, modelCalls: 2 })
    expect(state).toMatchObject({ turn: 1, turnOpen: true, replies: 1 })
  })

  it('counts an announced call although it never came back', () => {
    given(begun(), modelCalled(1)).thenState(({ consumption, phase }) => {
      expect(consumption).toMatchObject({ iterations: 1, modelCalls: 1 })
      expect(phase).toEqual({ kind: 'calling', attempt: 1 })
    })
  })

  it('judges a reply that asks for nothing', () => {
    given(begun(), claimed(1, 'All done.')).thenState((state) => {
      expect(state.phase).toEqual({ kind: 'judging', observed: false, verifiedBy: undefined })
      expect(state.tally.claimed).toBe(true)
      expect(state.lastText).toBe('All done.')
    })
  })

  it('takes silence for a claim and keeps the text before it', () => {
    given(begun(), claimed(1, 'first'), turnEnded(1), claimed(2, ' \n')).thenState((state) => {
      expect(state.tally.claimed).toBe(true)
      expect(state.lastText).toBe('first')
    })
  })

  it('does not take a reply that was cut off for a claim', () => {
    given(begun(), modelCalled(1), modelReplied({ text: 'And so', finish: 'length' })).thenState((state) => {
      expect(state.tally.claimed).toBe(false)
      expect(state.lastReplyFinish).toBe('length')
      expect(state.phase.kind).toBe('judging')
    })
  })

  it('adds usage and cost, and estimates the next prompt from the last real one', () => {
    const { state } = given(
      begun(),
      modelCalled(1),
      modelReplied({ usage: tokens(3000, 500), costUsd: 0.25 }),
      turnEnded(1),
      modelCalled(2),
      modelReplied({ usage: tokens(4000, 100), costUsd: 0.5 }),
    )
    expect(state.consumption).toMatchObject({ inputTokens: 7000, outputTokens: 600, costUsd: 0.75 })
    expect(state.promptTokens).toBe(4100)
  })

  it('estimates the next prompt from texts where usage is unknown', () => {
    const before = given(begun(), modelCalled(1)).state.promptTokens
    const { state } = given(
      begun(),
      modelCalled(1),
      modelReplied({ text: 'a'.repeat(70), usage: null, costUsd: null }),
    )
    expect(state.promptTokens - before).toBe(20)
    expect(state.consumption).toMatchObject({ callsWithoutUsage: 1, costUsd: null })
  })
})

describe('given calls that fail', () => {
  it('waits for another try where the failure may pass', () => {
    given(begun(), modelCalled(1), modelFailed(), modelCalled(1, 2), modelFailed()).thenState(({ phase }) => {
      expect(phase).toMatchObject({ kind: 'retrying', attempt: 2 })
    })
  })

  it('does not count a call that we broke off ourselves as a failure of the provider', () => {
    given(begun(), modelCalled(1), modelFailed({ kind: 'interrupted' })).thenState(
      ({ phase, consumption }) => {
        expect(phase).toMatchObject({ kind: 'retrying', attempt: 0 })
        expect(consumption.modelCalls).toBe(1)
      },
    )
  })

  it('gives up where it cannot pass', () => {
    given(begun(), modelCalled(1), modelFailed({ kind: 'configuration', retryable: false })).thenState(
      ({ phase }) => {
        expect(phase).toMatchObject({ kind: 'drive-failed', failure: { kind: 'configuration' } })
      },
    )
  })

  it('books what a failed call has used, and nothing where it used nothing', () => {
    const usage = tokens(1000, 100)
    const failed = given(begun(), modelCalled(1), modelFailed({ kind: 'cut-off' }, { usage, costUsd: 0.5 }))
    failed.thenState(({ consumption }) =>
      expect(consumption).toMatchObject({ inputTokens: 1000, outputTokens: 100, costUsd: 0.5 }),
    )
    failed
      .and(modelCalled(1, 2), modelFailed())
      .thenState(({ consumption }) =>
        expect(consumption).toMatchObject({ inputTokens: 1000, costUsd: 0.5, callsWithoutUsage: 0 }),
      )
  })
})

describe('given tools', () => {
  const proposed = given(begun(), modelCalled(1), modelProposed('a', 'b'))

  it('waits for every answer before the turn is judged', () => {
    proposed.thenState(({ phase }) => expect(phase.kind).toBe('acting'))
    const one = proposed.and(toolCalled('a'), toolReturned('a'))
    one.thenState(({ phase }) =>
      expect(phase).toMatchObject({ kind: 'acting', pending: [{ call: { callId: 'b' } }] }),
    )
    one.and(toolCalled('b'), toolReturned('b')).thenState(({ phase }) => expect(phase.kind).toBe('judging'))
  })

  it('counts announced calls, not refused ones', () => {
    const { state } = proposed.and(toolCalled('a'), toolReturned('a'), toolRefused('b'))
    expect(state.consumption.toolCalls).toBe(1)
    expect(state.tally).toMatchObject({ called: 1, refused: 1 })
    expect(state.phase.kind).toBe('judging')
  })

  it('remembers what was announced, for a resume', () => {
    proposed.and(toolCalled('b', 'execute')).thenState(({ phase }) =>
      expect(phase).toMatchObject({
        pending: [
          { call: { callId: 'a' }, announcedAs: undefined },
          { call: { callId: 'b' }, announcedAs: 'execute' },
        ],
      }),
    )
  })

  it.each([
    ['read', false],
    ['write', true],
    ['execute', true],
  ] as const)('knows that a call that may %s may have changed the world: %s', (effect, mayHaveChanged) => {
    proposed
      .and(toolCalled('a', effect))
      .thenState(({ tally }) => expect(tally.mayHaveChanged).toBe(mayHaveChanged))
  })

  it('counts a veto of the gate or of a person only', () => {
    for (const by of ['cap', 'schema', 'record'] as const)
      proposed.and(toolRefused('a', by)).thenState(({ tally }) => expect(tally.refused).toBe(0))
    for (const by of ['gate', 'approver'] as const)
      proposed.and(toolRefused('a', by)).thenState(({ tally }) => expect(tally.refused).toBe(1))
  })

  it('counts turns in a row in which every call was vetoed, and forgets them after another turn', () => {
    const vetoed = (turn: number) => [
      modelCalled(turn),
      modelProposed('x'),
      toolRefused('x'),
      turnEnded(turn),
    ]
    const twice = given(begun(), vetoed(1), vetoed(2))
    twice.thenState(({ refusedTurns }) => expect(refusedTurns).toBe(2))
    const half = [
      modelCalled(3),
      modelProposed('a', 'b'),
      toolRefused('a'),
      toolCalled('b'),
      toolReturned('b'),
      turnEnded(3),
    ]
    twice.and(half).thenState(({ refusedTurns }) => expect(refusedTurns).toBe(0))
  })
})

describe('given an agent that changes the tree by itself', () => {
  it('takes every turn for one that may have changed it', () => {
    given(begun({ drive: agentDrive }), modelCalled(1)).thenState(({ tally, unverifiedWork }) => {
      expect(tally.mayHaveChanged).toBe(true)
      expect(unverifiedWork).toBe(true)
    })
  })
})

describe('given the end of a turn', () => {
  it('rests between turns, then counts anew', () => {
    const ended = given(begun(), edited(1, 'tree-1'), turnEnded(1, 'go on'))
    ended.thenState(({ phase, turnOpen }) => expect([phase.kind, turnOpen]).toEqual(['idle', false]))
    ended.and(modelCalled(2)).thenState(({ tally, turn, turnOpen, consumption }) => {
      expect(tally).toEqual({ replies: 0, called: 0, refused: 0, mayHaveChanged: false, claimed: false })
      expect([turn, turnOpen, consumption.iterations]).toEqual([2, true, 2])
    })
  })

  it('adds the feedback to the estimate of the next prompt', () => {
    const judged = given(begun(), claimed(1))
    const after = judged.and(turnEnded(1, 'a'.repeat(35)))
    expect(after.state.promptTokens - judged.state.promptTokens).toBe(10)
  })
})

describe('given findings and time', () => {
  it('remembers what was told, by rule and level', () => {
    const finding = { rule: 'cap:tokens', level: 'warn', message: '', numbers: {}, restsOn: [] } as const
    given(begun(), findingNoted(finding)).thenState(({ noted }) => expect(noted).toEqual(['cap:tokens:warn']))
  })

  it('counts time between events', () => {
    const { state } = given(runStarted(), timePassed(990), goalSet())
    expect(state.consumption.activeMs).toBe(1000)
    expect(state.nowMs).toBe(1_001_000)
    expect(state.sequence).toBe(2)
  })
})
