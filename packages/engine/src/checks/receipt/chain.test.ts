import { createHash } from 'node:crypto'
import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { sampleRun, sampleTurns } from '@donecheck/core/testing'
import { chainAlgorithm, chainOf, linksOf } from './chain.ts'

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

describe('given the chain of a run', () => {
  it('is computed as it is written down', () => {
    const [event] = sampleTurns(0)
    if (event === undefined) throw new Error('no event')
    const sorted = JSON.stringify(event, Object.keys(flat(event)).sort())
    expect(chainOf([event]).head).toBe(hash(hash('donecheck-chain-v1') + sorted))
    expect(chainOf([])).toEqual({
      algorithm: chainAlgorithm,
      head: hash('donecheck-chain-v1'),
      length: 0,
      checkpoints: [],
    })
  })

  it('has a checkpoint at every event of a short run, and at most 64 of a long one', () => {
    expect(chainOf(sampleRun()).checkpoints).toHaveLength(sampleRun().length)
    const long = sampleTurns(200)
    const { checkpoints, length } = chainOf(long)
    expect(length).toBe(402)
    expect(checkpoints.length).toBeLessThanOrEqual(64)
    expect(checkpoints.length).toBeGreaterThan(50)
    for (const { sequence, link } of checkpoints) expect(link).toBe(linksOf(long)[sequence])
  })

  test.prop([fc.nat({ max: 21 }), fc.nat({ max: 21 })])(
    'has another head when two events change places, or one is missing or doubled',
    (one, other) => {
      const events = sampleRun()
      const { head } = chainOf(events)
      const [first, second] = [events[one], events[other]]
      if (first === undefined || second === undefined) throw new Error('no such event')
      const swapped = events.with(one, second).with(other, first)
      expect(chainOf(swapped).head === head).toBe(one === other)
      expect(chainOf(events.toSpliced(one, 1)).head).not.toBe(head)
      expect(chainOf(events.toSpliced(one, 0, second)).head).not.toBe(head)
    },
  )
})

/** Every key at any depth: the list that makes JSON.stringify sort. */
function flat(value: object): Record<string, unknown> {
  const entries = Object.entries(value).flatMap(([key, entry]: [string, unknown]) =>
    typeof entry === 'object' && entry !== null
      ? [[key, 1] as const, ...Object.entries(flat(entry))]
      : [[key, 1] as const],
  )
  return Object.fromEntries(entries)
}
