import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { cycle } from './cycle.ts'
import { firstAt, repeats, levelOf, times, viewOf, type Made } from './stories/made-calls.test.ts'

const warm = times(6, () => ({}))
const row = (count: number): readonly Made[] => [...warm, ...times(count, () => ['a'] as const)]

describe('given one call in a row', () => {
  it('refuses after cycleRepeats', () => {
    expect(firstAt(cycle, row(6)).critical).toBe(6 + 4)
    expect(firstAt(cycle, row(6), { cycleRepeats: 3 }).critical).toBe(6 + 3)
  })

  it('tells one time before it refuses, where the call fails', () => {
    const failing = times(6, () => ({ call: 'a', outcome: 'no', failure: 'no' }))
    expect(firstAt(cycle, [...warm, ...failing])).toEqual({ warning: 6 + 3, critical: 6 + 4 })
  })

  it('takes equal calls of one batch for one time', () => {
    const batch = times(10, () => ({ call: 'a', outcome: 'x', turn: 7 }))
    expect(firstAt(cycle, [...warm, ...batch]).critical).toBeUndefined()
  })
})

describe('given a stretch without anything new', () => {
  it.each<[string, readonly string[], string | undefined]>([
    ['two calls', ['a', 'b', 'a', 'b', 'a'].slice(0, 4), undefined],
    ['three, one of them for the third time', ['a', 'b', 'a', 'b', 'a'], 'critical'],
    ['three, none of them for the third time', ['a', 'b', 'c', 'a', 'b', 'c'], undefined],
  ])('of %s', (_, calls, level) => {
    expect(levelOf(cycle, [...warm, ...calls.map((call) => [call] as const)])).toBe(level)
  })
})

describe('given a round of calls', () => {
  it.each(times(30, (at) => ({ sequence: at + 1 })).map((_, at) => at + 1))(
    'of period %i: it is refused within three repetitions, and not in its first round',
    (period) => {
      const { critical } = firstAt(cycle, [...warm, ...repeats(5, period)])
      expect(critical).toBeGreaterThan(6 + period)
      expect(critical).toBeLessThanOrEqual(6 + 4 * period)
    },
  )

  it.each([4, 10, 16, 31])('of period %i: names each of its calls as what goes on with it', (period) => {
    const detection = cycle(viewOf([...warm, ...repeats(4, period)]))
    expect(detection?.level).toBe('critical')
    expect(detection?.continuedBy).toHaveLength(period)
    const round = Array.from({ length: period }, (_, at) => `call ${at}`)
    expect(detection?.continuedBy).toEqual(expect.arrayContaining(round))
  })

  test.prop([fc.integer({ min: 2, max: 20 }), fc.array(fc.nat(), { minLength: 60, maxLength: 60 })])(
    'the order of its calls does not matter',
    (period, draws) => {
      const shuffled = times(4, () => ({})).flatMap((_, repeat) =>
        times(period, (at) => [`call ${at}`] as const).toSorted(
          (one, other) => weightOf(one, draws, repeat) - weightOf(other, draws, repeat),
        ),
      )
      expect(firstAt(cycle, [...warm, ...shuffled]).critical).toBeDefined()
    },
  )

  it.each([2, 3, 5, 8, 12])(
    'of period %i with a new call in every round is refused all the same',
    (period) => {
      const withNews = times(6, () => ({})).flatMap(() => [...repeats(1, period), {}])
      expect(firstAt(cycle, [...warm, ...withNews]).critical).toBeDefined()
    },
  )
})

function weightOf(made: Made, draws: readonly number[], repeat: number): number {
  const at = Number(/\d+/.exec(JSON.stringify(made))?.[0] ?? 0)
  return draws[(repeat * 17 + at) % draws.length] ?? 0
}

describe('given no loop', () => {
  it('says nothing of one look between reads of new files, also in a short history', () => {
    for (const before of [0, 2, 6, 12]) {
      const looks = times(10, () => ({})).flatMap(() => [['status', ' M a.txt'] as const, {}])
      expect(firstAt(cycle, [...times(before, () => ({})), ...looks])).toEqual({})
    }
  })

  it('says nothing where every round makes progress', () => {
    const repeat: readonly Made[] = [['edit'], 'progress', ['test'], ['lint']]
    expect(
      firstAt(
        cycle,
        times(30, () => ({})).flatMap(() => repeat),
      ),
    ).toEqual({})
  })

  it('lets files be read once more, as after a compaction', () => {
    const reads = repeats(1, 8)
    const work = times(12, () => ({}))
    expect(firstAt(cycle, [...reads, ...work, ...reads, ...work]).critical).toBeUndefined()
  })
})
