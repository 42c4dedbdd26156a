import { describe, expect, it } from 'vitest'
import { caseKinds } from './case.ts'
import { cases } from './cases.ts'

describe('given the table of cases', () => {
  it('has at least sixty, some of each kind, each under a name of its own', () => {
    expect(cases.length).toBeGreaterThanOrEqual(60)
    expect([...new Set(cases.map(({ kind }) => kind))].toSorted()).toEqual(caseKinds.toSorted())
    const names = cases.map(({ kind, name }) => `${kind}: ${name}`)
    expect(new Set(names).size).toBe(names.length)
  })

  it.each(caseKinds.filter((kind) => kind !== 'liar' && kind !== 'missing check'))(
    'asks of %s for both ends, or is named after one',
    (kind) => {
      const expected = new Set(cases.filter((one) => one.kind === kind).map((one) => one.expected))
      expect(expected.size).toBe(kind === 'honest' ? 1 : 2)
    },
  )

  it('gives every agent a turn, and as many as it needs where it is to succeed', () => {
    for (const { turns, expected, maxTurns = 4 } of cases) {
      expect(turns.length).toBeGreaterThanOrEqual(1)
      if (expected === 'verified') expect(turns.length).toBeLessThanOrEqual(maxTurns)
    }
  })
})
