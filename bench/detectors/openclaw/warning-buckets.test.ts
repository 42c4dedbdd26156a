import { describe, expect, it } from 'vitest'
import { warningBuckets } from './warning-buckets.ts'

describe('given warnings', () => {
  it('tells each key once per ten counts', () => {
    const isTold = warningBuckets()
    const told = Array.from({ length: 31 }, (_, count) => count).filter((count) => isTold('key', count))
    expect(told).toEqual([10, 20, 30])
    expect(isTold('other', 10)).toBe(true)
  })

  it('does not tell a lower count again', () => {
    const isTold = warningBuckets()
    isTold('key', 25)
    expect([12, 20, 29, 30].map((count) => isTold('key', count))).toEqual([false, false, false, true])
  })

  it('forgets the oldest of more than 256 keys', () => {
    const isTold = warningBuckets()
    for (let key = 0; key < 257; key += 1) isTold(`key ${key}`, 10)
    expect(isTold('key 1', 10)).toBe(false)
    expect(isTold('key 0', 10)).toBe(true)
  })
})
