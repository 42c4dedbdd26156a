import { describe, expect, it } from 'vitest'
import { falsifyAll, javascriptComparisons, pythonComparisons } from './own-statements.ts'

const seven = () => 7

describe('comparisons of a test file, with another value', () => {
  it.each([
    ['assert.equal(total([{ price: 2 }]), 6)', 'assert.equal(total([{ price: 2 }]), 13)'],
    ['expect(total([1, 2])).toBe(3);', 'expect(total([1, 2])).toBe(10)'],
    ["await expect(name()).resolves.toEqual('ann')", "await expect(name()).resolves.toEqual('ann7')"],
    ['expect(half(3)).to.equal(1.5)', 'expect(half(3)).to.equal(8.5)'],
    ['same(discount(100), 90)', 'same(discount(100), 97)'],
    ['t.is(f("a, (b"), 0)', 't.is(f("a, (b"), 7)'],
  ])('changes %s', (stated, falsified) => {
    expect(javascriptComparisons(`test('x', () => {\n  ${stated}\n})\n`, seven)).toEqual([
      { stated, falsified },
    ])
  })

  it.each([
    'assert.equal(f(), 5, "five")',
    'assert.notEqual(f(), 5)',
    'expect(f()).not.toBe(5)',
    'expect(f()).toBeGreaterThan(5)',
    'setTimeout(done, 5)',
    'expect(f()).toBe(g(5))',
    'expect(f(), 5)',
    'assert.equal(f(`a`), 5)',
    'assert.equal(f(), [5)',
  ])('leaves %s alone, which may hold with another value, or is not on one line', (line) => {
    expect(javascriptComparisons(line, seven)).toEqual([])
  })

  it.each([
    ['assert discount(100) == 90', 'assert discount(100) == 97'],
    ['self.assertEqual(total([1, 2]), 3)', 'self.assertEqual(total([1, 2]), 10)'],
    ['assert name() == "ann"', 'assert name() == "ann7"'],
  ])('changes %s in Python', (stated, falsified) => {
    expect(pythonComparisons(`def test():\n    ${stated}\n`, seven)).toEqual([{ stated, falsified }])
  })

  it.each([
    'assert a or b == 2',
    'assert not f() == 2',
    'assert f() != 2',
    'assert f() == g(2)',
    'self.assertEqual(f(), 2, "two")',
  ])('leaves %s alone in Python', (line) => {
    expect(pythonComparisons(line, seven)).toEqual([])
  })

  it('changes all of them where they stand, and says if there is none', () => {
    const text = 'it("a", () => {\n  expect(f(1)).toBe(1)\n  expect(f(2)).toBe(2)\n})\n'
    expect(falsifyAll('a.test.ts', text, seven)).toBe(
      'it("a", () => {\n  expect(f(1)).toBe(8)\n  expect(f(2)).toBe(9)\n})\n',
    )
    expect(falsifyAll('a.test.ts', 'it("a", () => f())\n', seven)).toBeUndefined()
  })
})
