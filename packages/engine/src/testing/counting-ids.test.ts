import { expect, it } from 'vitest'
import { countingIds } from './counting-ids.ts'

it('counts, so that a test can foretell every name', () => {
  const ids = countingIds('run')
  expect([ids.next(), ids.next()]).toEqual(['run-000001', 'run-000002'])
})

it('gives later names that sort after earlier ones', () => {
  const ids = countingIds()
  const names = Array.from({ length: 120 }, () => ids.next())
  expect(names.toSorted()).toEqual(names)
})

it('counts for each on its own', () => {
  countingIds().next()
  expect(countingIds().next()).toBe('event-000001')
})
