import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import { verifierContract } from '../../../testing/contracts/verifier-contract.ts'
import { ask, brokenSource, waitingSource, wordsOf } from '../texts/fixtures/ask.ts'
import { workFolder } from '../texts/fixtures/work-folder.ts'
import { jsonPath, type JsonExpectation } from './json-path.ts'

verifierContract('jsonPath', {
  passing: () => jsonPath({ value: () => ({ a: 1 }) }, '$.a', { equals: 1 }),
  failing: () => jsonPath('out.json', '$.a', { exists: true }),
  makeUndecided: () => jsonPath(brokenSource, '$.a', { exists: true }),
  hanging: (onStart) => jsonPath(waitingSource(onStart), '$.a', { exists: true }),
})

const folder = workFolder()

const inValue = (value: unknown, query: string, expectation: JsonExpectation) =>
  ask(jsonPath({ value: () => value }, query, expectation), '')

describe('given a value and a query', () => {
  const shop = {
    version: '2.0.1',
    books: [
      { price: 8, name: 'One' },
      { price: 12, name: 'Two' },
    ],
    ok: true,
    none: null,
  }

  it.each<[string, JsonExpectation, string]>([
    ['$.version', { exists: true }, 'passed'],
    ['$.versions', { exists: true }, 'failed'],
    ['$.versions', { exists: false }, 'passed'],
    ['$.version', { exists: false }, 'failed'],
    ['$.none', { exists: true }, 'passed'],
    ['$.none', { equals: null }, 'passed'],
    ['$.missing', { equals: null }, 'failed'],
    ['$.ok', { equals: true }, 'passed'],
    ['$.ok', { equals: 1 }, 'failed'],
    ['$.ok', { equals: 'true' }, 'failed'],
    ['$.books[0].price', { equals: 8 }, 'passed'],
    ['$.books[0].price', { equals: '8' }, 'failed'],
    ['$.books[0]', { equals: { name: 'One', price: 8 } }, 'passed'],
    ['$.books[0]', { equals: { name: 'One' } }, 'failed'],
    ['$.books[*].price', { equals: 8 }, 'failed'],
    ['$.version', { matches: /^2\./ }, 'passed'],
    ['$.version', { matches: '2.1' }, 'failed'],
    ['$..name', { matches: /^[A-Z]/ }, 'passed'],
    ['$..name', { matches: /One/ }, 'failed'],
    ['$..price', { matches: /\d/ }, 'failed'],
    ['$.none.deep', { matches: /./ }, 'failed'],
    ['$.books[?@.price > 10]', { count: 1 }, 'passed'],
    ['$.books[*]', { count: { min: 2 } }, 'passed'],
    ['$.books[*]', { count: { max: 1 } }, 'failed'],
    ['$.nothing[*]', { count: 0 }, 'passed'],
    ['$.toString', { exists: true }, 'failed'],
    ['$.books.length', { exists: true }, 'failed'],
  ])('asks %s for %j: %s', async (query, expectation, status) => {
    expect(await inValue(shop, query, expectation)).toMatchObject({ status })
  })

  it('shows the places that it found', async () => {
    const report = await inValue(shop, '$..price', { count: 3 })
    expect(wordsOf(report)).toContain("$['books'][1]['price']: 12")
    expect(report.reason).toContain('finds 2 places; wanted: finds 3 places')
  })

  it.each([[() => 1], [new Date(0)], [undefined], [{ a: 10n }]])(
    'is an error for %s, which is no JSON',
    async (value) => {
      expect(await inValue(value, '$', { exists: true })).toMatchObject({ status: 'error' })
    },
  )

  it('is an error for a query whose own expression would not end', async () => {
    const query = '$[?match(@, "(a|a)*b")]'
    const slow = jsonPath({ value: () => ['a'.repeat(40)] }, query, { count: 1 }, { matchTimeoutMs: 50 })
    expect(await ask(slow, '')).toMatchObject({ status: 'error' })
  })
})

describe('given a file', () => {
  it('fails for a missing file, whatever is expected of it', async () => {
    for (const expectation of [{ exists: false }, { count: 0 }])
      expect(await ask(jsonPath('a.json', '$.x', expectation), '', folder.path)).toMatchObject({
        status: 'failed',
      })
  })

  it('takes no fenced block of a file for its JSON', async () => {
    await folder.write('a.md', '```json\n{"a": 1}\n```')
    expect(await ask(jsonPath('a.md', '$.a', { exists: true }), '', folder.path)).toMatchObject({
      status: 'failed',
    })
  })
})

describe('given misuse', () => {
  it.each(['', 'a', '$[', '$.a[?nope(@)]'])('refuses the query %j', (query) => {
    expect(() => jsonPath('a.json', query, { exists: true })).toThrow(UsageError)
  })

  it.each([
    {},
    { exists: 1 },
    { exists: true, count: 1 },
    { equal: 1 },
    { equals: undefined },
    { matches: '' },
    { count: -Infinity },
  ])('refuses the expectation %j', (expectation) => {
    expect(() => void Reflect.apply(jsonPath, undefined, ['a.json', '$.a', expectation])).toThrow(UsageError)
  })
})
