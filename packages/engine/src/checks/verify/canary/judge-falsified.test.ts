import { describe, expect, it } from 'vitest'
import { judgeFalsified } from './judge-falsified.ts'

const adds = { title: 'adds', path: 'test/a.test.js' }
const report = (name: string, status: string, file: string | undefined = adds.path) => [
  { name, status, file },
]

describe('a run with false comparisons', () => {
  it('is red where each test that runs one is red', () => {
    const before = report('sum > adds', 'passed')
    expect(judgeFalsified([adds], false, before, report('sum > adds', 'failed'))).toEqual({ kind: 'red' })
    expect(judgeFalsified([adds], false, before, [])).toEqual({ kind: 'red' })
    expect(judgeFalsified([adds], false, undefined, undefined)).toEqual({ kind: 'red' })
  })

  it('is green where one of them is, or the whole of it', () => {
    const before = report('sum > adds', 'passed')
    const green = { kind: 'green', reason: expect.stringContaining('"adds" in test/a.test.js') as unknown }
    expect(judgeFalsified([adds], false, before, before)).toEqual(green)
    expect(judgeFalsified([adds], true, before, [])).toEqual(green)
    expect(judgeFalsified([adds], true, undefined, undefined)).toEqual(green)
  })

  it.each([
    ['no comparison is certain to run', [], report('adds', 'passed')],
    ['the test was skipped', [adds], report('adds', 'skipped')],
    ['the test is one of another file', [adds], report('adds', 'passed', 'test/b.test.js')],
  ])('says nothing where %s', (_, certain, before) => {
    expect(judgeFalsified(certain, true, before, before)).toEqual({ kind: 'unknown' })
  })

  it.each([
    ['tests/test_a.py', 'test_b', 'tests.test_a.TestA > test_b[1-2]'],
    ['cart/a_test.go', 'TestB', 'example.com/x/cart > TestB'],
    ['spec/a_spec.rb', 'counts', 'cart counts'],
    ['tests/a.rs', 'adds', 'tests/a.rs > adds'],
  ])('knows a test of %s by its name', (path, title, name) => {
    const file = path.endsWith('.rb') ? path : undefined
    const before = [{ name, status: 'passed', file }]
    expect(judgeFalsified([{ path, title }], true, before, undefined).kind).toBe('green')
  })
})
