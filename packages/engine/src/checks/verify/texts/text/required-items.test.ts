import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../../base/index.ts'
import { verifierContract } from '../../../../testing/contracts/verifier-contract.ts'
import { ask, brokenSource, waitingSource, wordsOf } from './fixtures/ask.ts'
import { requiredItems, type RequiredItem } from './required-items.ts'

verifierContract('requiredItems', {
  passing: () => requiredItems(['It', /done/]),
  failing: () => requiredItems(['It', 'undone']),
  makeUndecided: () => requiredItems(['It'], { source: brokenSource }),
  hanging: (onStart) => requiredItems(['It'], { source: waitingSource(onStart) }),
})

describe('given items that must all be there', () => {
  it('names each one that is missing', async () => {
    const report = await ask(requiredItems(['alpha', 'beta', /gam+a/]), 'only beta here')
    expect(report).toMatchObject({ status: 'failed' })
    expect(report.reason).toContain('2 of 3')
    expect(wordsOf(report)).toContain('missing: "alpha"')
    expect(wordsOf(report)).toContain('missing: /gam+a/')
  })

  const inList = (items: readonly RequiredItem[], members: unknown) =>
    ask(requiredItems(items, { source: { value: () => members } }), '')

  it.each<[readonly RequiredItem[], unknown, string]>([
    [[1], [true], 'failed'],
    [[1], ['1'], 'failed'],
    [[0], [false, null, ''], 'failed'],
    [[1], [1], 'passed'],
    [['a'], ['abc'], 'failed'],
    [[/a/], ['abc'], 'passed'],
    [[/1/], [1], 'failed'],
    [[{ a: [1] }], [{ a: [1] }], 'passed'],
    [[{ a: [1] }], [{ a: [1], b: 2 }], 'failed'],
    [['a'], [], 'failed'],
    [['a', 'b'], ['b', 'a'], 'passed'],
  ])('asks for %j in the list %j: %s', async (items, members, status) => {
    expect(await inList(items, members)).toMatchObject({ status })
  })

  it.each([[{ a: 1 }], [42], [undefined]])('cannot decide over %j', async (value) => {
    expect(await inList(['a'], value)).toMatchObject({ status: 'error' })
  })
})

describe('given misuse', () => {
  it.each<[readonly RequiredItem[]]>([[[]], [['a', '']], [[1]], [[{ a: 1 }]]])(
    'refuses the items %j',
    (items) => {
      expect(() => requiredItems(items)).toThrow(UsageError)
    },
  )
})
