import { describe, expect, it } from 'vitest'
import { thoughtLoop } from './thought-loop.ts'
import {
  keyOf,
  levelsAfter,
  repeated,
  detectionAfter,
  type SdkCall,
  type ReportedTurn,
} from './stories/reported-turns.test.ts'

const words = repeated(
  60,
  (index) => `word${String.fromCharCode(97 + (index % 26))}${'x'.repeat(1 + (index % 7))}`,
)
/** The same thought with one other word: 3 of 58 pieces of three words differ. */
const thought = (index: number) => words.with(30, `other${'y'.repeat(index + 1)}`).join(' ')
const stale: SdkCall = { call: 'look', outcome: 'nothing' }
const first: ReportedTurn = { text: 'First I look.', calls: [stale] }
const calling = (index: number): ReportedTurn => ({ text: thought(index), calls: [stale] })
const thinking = (index: number): ReportedTurn => ({ text: thought(index) })

describe('given the same thought in other words, and calls that bring nothing new', () => {
  it('the third is told, at the fifth what it calls is refused', () => {
    expect(levelsAfter(thoughtLoop, [first, ...repeated(6, calling)])).toEqual([
      undefined,
      undefined,
      undefined,
      'warning',
      'warning',
      'critical',
      'critical',
    ])
    expect(detectionAfter(thoughtLoop, [first, ...repeated(5, calling)])?.continuedBy).toEqual([
      keyOf('look'),
    ])
  })

  it('it stays refused while the next call waits for its answer, and only if the thought is the same', () => {
    const turns = [first, ...repeated(5, calling)]
    expect(detectionAfter(thoughtLoop, [...turns, { ...calling(6), answered: false }])?.level).toBe(
      'critical',
    )
    const other = { text: 'Now something else.', calls: [stale], answered: false }
    expect(detectionAfter(thoughtLoop, [...turns, other])).toBeUndefined()
  })

  it('a call that is still to be answered does not count', () => {
    const turns = [first, ...repeated(4, calling), { ...calling(5), answered: false }]
    expect(detectionAfter(thoughtLoop, turns)?.level).toBe('warning')
  })

  it('it is one loop from its first reply on, however long', () => {
    const keys = [3, 4, 5, 6].map(
      (count) => detectionAfter(thoughtLoop, [first, ...repeated(count, calling)])?.key,
    )
    expect(new Set(keys)).toEqual(new Set(['since turn 2']))
  })
})

describe('given the same thought and no calls', () => {
  it('the fifth ends the run', () => {
    expect(levelsAfter(thoughtLoop, repeated(5, thinking))).toEqual([
      undefined,
      undefined,
      'warning',
      'warning',
      'hopeless',
    ])
  })
})

describe('given thoughts that lead somewhere', () => {
  it.each([
    ['calls bring something new', (index: number) => ({ text: thought(index), calls: [{}] })],
    [
      'a result is unknown',
      (index: number) => ({ text: thought(index), calls: [{ ...stale, outcome: null }] }),
    ],
    ['the drive waits', (index: number) => ({ text: thought(index), calls: [{ ...stale, tool: 'sleep' }] })],
    ['the work becomes new', (index: number) => ({ ...calling(index), tree: `tree-${index + 1}` })],
    [
      'the thoughts differ',
      (index: number) => ({ text: `${index}-${words.slice(index * 7).join(' ')}`, calls: [stale] }),
    ],
  ] as readonly (readonly [string, (index: number) => ReportedTurn])[])(
    'nothing is said where %s',
    (_, turn) => {
      expect(detectionAfter(thoughtLoop, [first, ...repeated(7, turn)])).toBeUndefined()
    },
  )

  it('one new result in between begins anew', () => {
    const turns = [first, ...repeated(2, calling), { text: thought(3), calls: [{}] }, calling(4), calling(5)]
    expect(detectionAfter(thoughtLoop, turns)).toBeUndefined()
  })

  it.each([29, 30])('thoughts of %i words are long enough from 30 on', (count) => {
    const turn = { text: words.slice(0, count).join(' '), calls: [stale] }
    expect(detectionAfter(thoughtLoop, [first, turn, turn, turn])?.level).toBe(
      count < 30 ? undefined : 'warning',
    )
  })
})
