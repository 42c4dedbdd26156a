import fc from 'fast-check'
import { fold } from '@donecheck/core/state'
import {
  begun,
  checked,
  claimed,
  edited,
  failedVerdict,
  passedVerdict,
  sampleRun,
  sampleTurns,
  stamp,
} from '@donecheck/core/testing'
import { findingNoted, runStopped, toolCall, turnEnded } from '@donecheck/core/testing/facts'
import { describe, expect, it } from 'vitest'
import { RunView } from './run-view.ts'
import { checkRows } from './verifications.ts'

const loop = {
  rule: 'loop:same_call',
  level: 'warn',
  message: 'the same call again',
  numbers: {},
  restsOn: [],
} as const

const events = stamp([
  begun({ verifiers: ['npm test', 'npm run lint'], caps: { maxIterations: 4 } }, failedVerdict('npm test')),
  edited(1, 'tree-1'),
  checked('change', failedVerdict('npm test'), passedVerdict('npm run lint')),
  findingNoted(loop),
  turnEnded(1, 'npm test fails', 'verifier_feedback'),
  claimed(2, 'All done.'),
  checked('claim', passedVerdict('npm test'), passedVerdict('npm run lint')),
  runStopped('task_complete', { outcome: 'verified' }),
])

function viewOf(all: typeof events): RunView {
  const view = new RunView()
  view.take(all)
  view.fold()
  return view
}

describe('given a run with two turns', () => {
  const view = viewOf(events)

  it('tells turn by turn what the drive said and did, and why it went on', () => {
    const [first, second] = view.turns
    expect(view.turns.map(({ number }) => number)).toEqual([1, 2])
    expect(first?.calls).toMatchObject([{ tool: toolCall('x').tool, status: 'ok' }])
    expect(first?.transition).toMatchObject({ kind: 'continue', reason: 'verifier_feedback' })
    expect(first?.rules).toEqual(['loop:same_call'])
    expect(second).toMatchObject({ text: 'All done.', tokens: 120, last: events.length })
  })

  it('has a column for each verification and a row for each check', () => {
    expect(view.verifications.map(({ trigger, turn }) => [trigger, turn])).toEqual([
      ['baseline', 0],
      ['change', 1],
      ['claim', 2],
    ])
    expect(checkRows(view.state, view.verifications).map(({ name }) => name)).toEqual([
      'npm test',
      'npm run lint',
    ])
    expect(view.verifications[1]?.verdicts.get('npm test')?.verdict.status).toBe('failed')
  })

  it('marks where rules spoke up, and reads off what is left of the caps', () => {
    expect(view.marks).toMatchObject([{ rule: 'loop:same_call', level: 'warn', turn: 1 }])
    expect(view.readings.map(({ left }) => left.iterations)).toEqual([1, 0.75, 0.5])
  })

  it('has the state that the engine has', () => {
    expect(view.state).toEqual(fold(events))
    expect(view.state?.phase).toMatchObject({ kind: 'stopped' })
  })
})

describe('given the same events in pieces', () => {
  it('shows the same, wherever they are cut, and whatever comes twice', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(events.length), { maxLength: 5 }), fc.boolean(), (cuts, isSlow) => {
        const view = new RunView()
        for (const cut of [...cuts.toSorted((one, other) => one - other), events.length]) {
          view.take(events.slice(0, cut))
          view.fold(() => !isSlow)
        }
        while (!view.isFolded) view.fold(() => false)
        expect(view).toEqual(viewOf(events))
      }),
    )
  })

  it('leaves out what does not follow on what it has', () => {
    const view = new RunView()
    view.take(events.slice(3))
    expect(view.events).toEqual([])
  })
})

describe('given any run', () => {
  it('takes up every kind of event', () => {
    expect(viewOf(sampleRun()).isFolded).toBe(true)
  })

  it('keeps its readings bounded', () => {
    const turns = stamp([
      begun({ caps: { maxIterations: 10_000 } }),
      Array.from({ length: 4_500 }, (_, index) => [claimed(index + 1), turnEnded(index + 1)]),
    ])
    const { readings } = viewOf(turns)
    expect(readings.length).toBeLessThanOrEqual(4_000)
    expect(readings.at(-1)?.turn).toBe(4_500)
  })

  it('has a turn for every call of the drive', () => {
    expect(viewOf(sampleTurns(30)).turns).toHaveLength(30)
  })
})
