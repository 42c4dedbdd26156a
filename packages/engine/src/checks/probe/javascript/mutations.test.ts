import { describe, expect, it } from 'vitest'
import { faultsOf } from '../fixtures/faults.ts'

describe('given JavaScript or TypeScript', () => {
  it.each([
    ['comparisons', 'a === b', ['comparison: === became !==']],
    ['orders, and the bound beside', 'a < b', ['comparison: < became >=', 'boundary: < became <=']],
    ['the bound of a loop', 'for (; i <= n;) {}', ['comparison: <= became >', 'boundary: <= became <']],
    ['arithmetic', 'a + b * c', ['arithmetic: + became -', 'arithmetic: * became /']],
    ['sums that are kept', 'a -= b', ['arithmetic: -= became +=']],
    ['logic', 'a && b || c', ['logic: || became &&', 'logic: && became ||']],
    ['conditions', 'if (ready) {}', ['condition: ready became !(ready)']],
    ['choices', 'x = ready ? a : b', ['condition: ready became !(ready)']],
    ['booleans', 'x = true', ['boolean: true became false']],
    ['numbers', 'x = 3', ['number: 3 became 4', 'number: 3 became 2']],
    ['zero', 'x = 0', ['number: 0 became 1']],
    ['texts that are joined', 'x = y + `a`', ['string: a became ']],
    ['branches that do nothing', 'if (a === b) {}', ['comparison: === became !==']],
    ['texts', 'x = "a"', ['string: "a" became \'\'']],
    ['values that are returned', 'return value', ['return: value became undefined']],
    ['numbers that are returned', 'return a * b', ['return: a * b became 0', 'arithmetic: * became /']],
    ['objects that are returned', 'return { a }', ['return: { a } became null']],
    ['values of arrow functions', 'f = () => go()', ['return: go() became undefined']],
    ['calls', 'save(it)', ['call: save(it) is missing']],
    ['calls that are waited for', 'await save(it)', ['call: await save(it) is missing']],
    [
      'branches',
      'if (a === b) { c = d } else { d = c }',
      ['branch: { c = d } is missing', 'branch: { d = c } is missing', 'comparison: === became !=='],
    ],
  ])('it finds %s', (_, text, faults) => {
    expect(faultsOf('a.js', text)).toEqual(faults)
  })

  it.each([
    ['imports', 'import a from "b"'],
    ['names of properties', 'x = { "a": y, 1: z }'],
    ['directives', '"use strict"'],
    ['words of errors', 'throw new Error("no" + 1)'],
    ['logs', 'console.log("here", 1)'],
    ['comments', '// a < b'],
  ])('it plants nothing in %s', (_, text) => {
    expect(faultsOf('a.js', text)).toEqual([])
  })

  it('plants nothing in types', () => {
    const text = `
      type A = 'a' | 1 | true
      interface B { c: 'd' }
      declare function f(x: 1): 'e'
      const g = (h: A<2>): x is 'y' => h as 'z'
      enum E { F = 1 }
    `
    expect(faultsOf('a.ts', text)).toEqual(["return: h as 'z' became undefined"])
  })

  it('reads JSX, and leaves labels alone', () => {
    expect(faultsOf('a.tsx', 'f(<A className="b" c={d > e}>text</A>)')).toEqual([
      expect.stringMatching(/^call/u),
      'comparison: > became <=',
      'boundary: > became >=',
    ])
  })

  it('finds the operator, not a comment that looks like it', () => {
    expect(faultsOf('a.js', '(a /* < */) < b')).toHaveLength(2)
  })

  it('finds nothing in what it cannot read', () => {
    expect(faultsOf('a.js', 'const = (')).toEqual([])
  })
})
