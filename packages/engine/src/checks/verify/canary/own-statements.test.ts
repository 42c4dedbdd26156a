import { describe, expect, it } from 'vitest'
import { javascriptComparisons, pythonComparisons } from './own-statements.ts'

const seven = () => 7

describe('comparisons of a test file, with another value', () => {
  it.each([
    ['assert.equal(total([{ price: 2 }]), 6)', 'assert.equal(total([{ price: 2 }]), 3)'],
    ['expect(total([1, 2])).toBe(3);', 'expect(total([1, 2])).toBe(0);'],
    ["await expect(name()).resolves.toEqual('ann')", "await expect(name()).resolves.toEqual('anu')"],
    ['expect(half(3)).to.equal(1.5)', 'expect(half(3)).to.equal(8.5)'],
    ['same(discount(100), 90)', 'same(discount(100), 97)'],
    ['assert.equal(f(), 5, "five")', 'assert.equal(f(), 2, "five")'],
    ['assert.equal(6, f())', 'assert.equal(3, f())'],
    ['t.is(f("a, (b"), 0)', 't.is(f("a, (b"), 7)'],
    ['assert.equal(f(`a, (b`), 5)', 'assert.equal(f(`a, (b`), 2)'],
  ])('changes %s', (stated, falsified) => {
    expect(javascriptComparisons(`test('x', () => {\n  ${stated}\n})\n`, seven)).toEqual([
      { stated, falsified },
    ])
  })

  it.each([
    'assert.notEqual(f(), 5)',
    'expect(f()).not.toBe(5)',
    'expect(f()).toBeGreaterThan(5)',
    'setTimeout(done, 5)',
    'expect(f()).toBe(g(5))',
    'expect(f(), 5)',
    'assert.equal(f(), [5)',
    'assert.ok(f())',
  ])('leaves %s alone, which may hold with another value, or is not on one line', (line) => {
    expect(javascriptComparisons(line, seven)).toEqual([])
  })

  it.each([
    ['assert discount(100) == 90', 'assert discount(100) == 97'],
    ['self.assertEqual(total([1, 2]), 3)', 'self.assertEqual(total([1, 2]), 0)'],
    ['assert name() == "ann"', 'assert name() == "anu"'],
    ['assert 90 == discount(100)', 'assert 97 == discount(100)'],
    ['self.assertEqual(f(), 2, "two")', 'self.assertEqual(f(), 9, "two")'],
  ])('changes %s in Python', (stated, falsified) => {
    expect(pythonComparisons(`def test():\n    ${stated}\n`, seven)).toEqual([{ stated, falsified }])
  })

  it.each(['assert a or b == 2', 'assert not f() == 2', 'assert f() != 2', 'assert f() == g(2)'])(
    'leaves %s alone in Python',
    (line) => {
      expect(pythonComparisons(line, seven)).toEqual([])
    },
  )
})
