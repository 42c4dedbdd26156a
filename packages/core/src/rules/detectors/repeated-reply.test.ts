import { describe, expect, it } from 'vitest'
import { given } from '../../testing/index.ts'
import { modelCalled, modelClaimed, turnEnded } from '../../testing/facts.ts'
import { viewOf } from './loop-detections.ts'
import { repeatedReply } from './repeated-reply.ts'
import {
  levelsAfter,
  repeated,
  detectionAfter,
  softRun,
  type SdkCall,
  type ReportedTurn,
} from './stories/reported-turns.test.ts'

const text = 'Everything is fixed, and all of the tests pass.'
const answer: ReportedTurn = { text }
const stale: SdkCall = { call: 'look', outcome: 'nothing' }

describe('given answers without calls', () => {
  it('the second equal one is told, the fourth ends the run', () => {
    expect(
      levelsAfter(
        repeatedReply,
        repeated(5, () => answer),
      ),
    ).toEqual([undefined, 'warning', 'warning', 'hopeless', 'hopeless'])
  })

  it('case, spaces, times and a count around them make no difference', () => {
    const turns = [
      { text: 'Everything is  fixed and tested, as of 12:01:02.' },
      { text: 'everything IS fixed and\ntested, as of 12:07:44.' },
      { text: '3. Everything is fixed and tested, as of 13:00:00. (4)' },
    ]
    expect(detectionAfter(repeatedReply, turns)?.numbers).toEqual({ replies: 3 })
  })

  it('numbers do: another result is another answer', () => {
    const turns = repeated(6, (index) => ({
      text: `The final answer to the question that was asked is ${index}.`,
    }))
    expect(detectionAfter(repeatedReply, turns)).toBeUndefined()
  })

  it.each([39, 40])('a text of %i characters is long enough from 40 on', (length) => {
    const turns = repeated(4, () => ({ text: 'x'.repeat(length) }))
    expect(detectionAfter(repeatedReply, turns)?.level).toBe(length < 40 ? undefined : 'hopeless')
  })

  it('a turn with calls between them begins anew', () => {
    const turns = [answer, answer, answer, { text: 'I look once more.', calls: [{}] }, answer]
    expect(detectionAfter(repeatedReply, turns)).toBeUndefined()
  })

  it('an agent that says the same while the work becomes new is none', () => {
    const turns = repeated(5, (index) => ({ text, tree: `tree-${index + 1}` }))
    expect(detectionAfter(repeatedReply, turns)).toBeUndefined()
  })

  it('another task is another beginning', () => {
    const said = repeated(3, (index) => [modelCalled(index + 1), modelClaimed(text), turnEnded(index + 1)])
    const { state } = given(
      softRun(),
      said,
      { type: 'goal-set', task: 'another' },
      modelCalled(4),
      modelClaimed(text),
    )
    const view = viewOf(state)
    expect(view === undefined ? 'no view' : repeatedReply(view)).toBeUndefined()
  })
})

describe('given the same words before calls', () => {
  const turn: ReportedTurn = { text, calls: [stale] }

  it('that bring nothing new: the third repetition is told, the fifth ends the run', () => {
    const turns = [{ text: 'First I look.', calls: [stale] }, ...repeated(6, () => turn)]
    expect(levelsAfter(repeatedReply, turns)).toEqual([
      undefined,
      undefined,
      undefined,
      'warning',
      'warning',
      'hopeless',
      'hopeless',
    ])
  })

  it('that fail are no news either', () => {
    const turns = repeated(5, () => ({ text, calls: [{ fails: true }] }))
    expect(detectionAfter(repeatedReply, turns)?.level).toBe('hopeless')
  })

  it('nothing is said as long as calls bring something new', () => {
    expect(
      levelsAfter(
        repeatedReply,
        repeated(20, () => ({ text, calls: [{}] })),
      ),
    ).not.toContain('warning')
    const nowAndThen = repeated(20, (index) => (index % 3 === 2 ? { text, calls: [{}, stale] } : turn))
    expect(levelsAfter(repeatedReply, nowAndThen)).not.toContain('warning')
  })

  it('nor before the calls are answered', () => {
    const asked: ReportedTurn = { ...turn, answered: false }
    expect(detectionAfter(repeatedReply, [...repeated(3, () => turn), asked])).toBeUndefined()
    expect(detectionAfter(repeatedReply, [...repeated(3, () => turn), turn])?.level).toBe('warning')
  })

  it('looks at 16 replies, with other words between', () => {
    const spread = (gap: number) =>
      repeated(4 * gap + 1, (index) => ({
        text: index % gap === 0 ? text : `Other words, number ${index}, of some length.`,
        calls: [stale],
      }))
    const first = { text: 'First I look.', calls: [stale] }
    expect(detectionAfter(repeatedReply, [first, ...spread(3)])?.numbers).toEqual({ replies: 5 })
    expect(detectionAfter(repeatedReply, [first, ...spread(4)])?.numbers).toEqual({ replies: 4 })
  })
})

describe('given replies that say nothing', () => {
  const silent: ReportedTurn = { text: ' \n' }

  it('the third in a row is told, the fifth ends the run', () => {
    expect(
      levelsAfter(
        repeatedReply,
        repeated(5, () => silent),
      ),
    ).toEqual([undefined, undefined, 'warning', 'warning', 'hopeless'])
  })
})

describe('given replies that chant', () => {
  const passage = 'I need to check the file again before I go on. '
  const chant = passage.repeat(9)

  it('the first is told, the third in a row ends the run, with or without calls', () => {
    expect(chant.length).toBeGreaterThanOrEqual(400)
    for (const calls of [[], [{}]]) {
      const turns = repeated(3, (index) => ({ text: `${index}: ${chant}`, calls }))
      expect(levelsAfter(repeatedReply, turns)).toEqual(['warning', 'warning', 'hopeless'])
    }
  })

  it('a short one is not judged', () => {
    const short = 'w go on, no'.repeat(40).slice(0, 399)
    expect(detectionAfter(repeatedReply, [{ text: short, calls: [{}] }])).toBeUndefined()
    expect(detectionAfter(repeatedReply, [{ text: `${short}o`, calls: [{}] }])?.level).toBe('warning')
  })
})
