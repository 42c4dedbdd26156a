import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { inOrderOfYield, yieldPerSecond } from '../order.ts'

const check = (name: string, deterministic = true) => ({ name, deterministic })

describe('given what earlier runs have taught', () => {
  const history = new Map([
    ['slow and steady', { runs: 10, failures: 0, totalMs: 600_000 }],
    ['slow and telling', { runs: 10, failures: 8, totalMs: 600_000 }],
    ['quick and telling', { runs: 10, failures: 8, totalMs: 10_000 }],
  ])

  it('what fails most for its time goes first', () => {
    const names = ['slow and steady', 'slow and telling', 'quick and telling'].map((name) => check(name))
    expect(inOrderOfYield(names, history).map(({ name }) => name)).toEqual([
      'quick and telling',
      'slow and telling',
      'slow and steady',
    ])
  })

  it('a judge waits for every deterministic check', () => {
    const checks = [check('quick and telling', false), check('slow and steady')]
    expect(inOrderOfYield(checks, history)[0]?.name).toBe('slow and steady')
  })
})

describe('given nothing', () => {
  it('the order stays as it was given', () => {
    const checks = ['c', 'a', 'b'].map((name) => check(name))
    expect(inOrderOfYield(checks, new Map())).toEqual(checks)
  })
})

test.prop([fc.nat(1000), fc.nat(1000), fc.nat(1e9)])(
  'a yield is a positive number',
  (passes, failures, ms) => {
    const found = yieldPerSecond({ runs: passes + failures, failures, totalMs: ms })
    expect(found).toBeGreaterThan(0)
    expect(Number.isFinite(found)).toBe(true)
  },
)
