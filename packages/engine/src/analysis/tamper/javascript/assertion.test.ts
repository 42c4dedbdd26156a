/** What an assertion looks at, what it expects, and how much it says. */
import { describe, expect, it } from 'vitest'
import type { FileFacts } from '../facts.ts'
import { readJavaScriptFacts } from './read-facts.ts'

function factsOf(text: string, path = 'a.test.ts'): FileFacts {
  return readJavaScriptFacts(path, text)
}

function assertionsOf(statement: string): FileFacts['tests'][number]['assertions'] {
  return (
    factsOf(`import * as lib from 'chai'; test('a', async (t) => { ${statement} })`).tests[0]?.assertions ??
    []
  )
}

describe('given one assertion', () => {
  it.each([
    // exact
    ['expect(a).toBe(5)', 'exact', 'a', 'toBe', '5'],
    ['expect(a)["toBe"](5)', 'exact', 'a', 'toBe', '5'],
    ['await expect(a).resolves.toEqual({ b: 1 })', 'exact', 'a', 'toEqual', '{b:1}'],
    ['expect.soft(a).toStrictEqual([1, 2])', 'exact', 'a', 'toStrictEqual', '[1,2]'],
    ['await expect.poll(() => a).toBe(5)', 'exact', '()=>a', 'toBe', '5'],
    ['expect(a).toBeNull()', 'exact', 'a', 'toBeNull', null],
    ['expect(a).toMatchSnapshot()', 'exact', 'a', 'toMatchSnapshot', null],
    ['expect(a).toMatchInlineSnapshot(`5`)', 'exact', 'a', 'toMatchInlineSnapshot', '`"5"`'],
    ['expect(a).toHaveProperty("b", 5)', 'exact', 'a', 'toHaveProperty', '"b",5'],
    ['expect(a).toHaveBeenCalledWith(1, 2)', 'exact', 'a', 'toHaveBeenCalledWith', '1,2'],
    ['assert.equal(a, 5, "why")', 'exact', 'a', 'equal', '5'],
    ['assert.deepStrictEqual(a, [5])', 'exact', 'a', 'deepStrictEqual', '[5]'],
    ['assert(a === 5)', 'exact', 'a', 'strictEqual', '5'],
    ['assert.ok(a === 5, "why")', 'exact', 'a', 'strictEqual', '5'],
    ['t.is(a, 5)', 'exact', 'a', 'is', '5'],
    ['t.deepEqual(a, [5])', 'exact', 'a', 'deepEqual', '[5]'],
    ['t.assert.strictEqual(a, 5)', 'exact', 'a', 'strictEqual', '5'],
    ['t.true(a === 5)', 'exact', 'a', 'strictEqual', '5'],
    ['lib.expect(a).to.deep.equal(5)', 'exact', 'a', 'equal', '5'],
    ['lib.assert.equal(a, 5)', 'exact', 'a', 'equal', '5'],
    ['expect(a).to.be.true', 'exact', 'a', 'true', null],
    ['a.should.equal(5)', 'exact', 'a', 'equal', '5'],
    ['a.b().should.be.null', 'exact', 'a.b()', 'null', null],
    ['if (a !== 5) throw new Error("no")', 'exact', 'a', 'strictEqual', '5'],
    ['const same = expect; same(a).toBe(5)', 'exact', 'a', 'toBe', '5'],
    ['const eq = assert.equal; eq(a, 5)', 'exact', 'a', 'equal', '5'],
    ['const expected = 5; expect(a).toBe(expected)', 'exact', 'a', 'toBe', '5'],
    ['await request(app).get("/").expect(200)', 'exact', 'request(app).get("/")', 'expect', '200'],
    // partial
    ['expect(a).not.toBe(5)', 'partial', 'a', 'toBe', '5'],
    ['assert.notEqual(a, 5)', 'partial', 'a', 'equal', '5'],
    ['expect(a).toContain("x")', 'partial', 'a', 'toContain', '"x"'],
    ['expect(a).toMatch(/x/)', 'partial', 'a', 'toMatch', '/x/'],
    ['expect(a).toMatchObject({ b: 1 })', 'partial', 'a', 'toMatchObject', '{b:1}'],
    [
      'expect(a).toEqual(expect.objectContaining({ b: 1 }))',
      'partial',
      'a',
      'toEqual',
      'expect.objectContaining({b:1})',
    ],
    ['expect(a).toEqual({ b: expect.anything() })', 'partial', 'a', 'toEqual', '{b:expect.anything()}'],
    ['expect(a).toBeGreaterThan(3)', 'partial', 'a', 'toBeGreaterThan', '3'],
    ['expect(a).toBeCloseTo(0.3, 5)', 'partial', 'a', 'toBeCloseTo', '0.3,5'],
    ['expect(f).toThrow("no")', 'partial', 'f', 'toThrow', '"no"'],
    ['assert.throws(f, TypeError)', 'partial', 'f', 'throws', 'TypeError'],
    ['assert(a < 5)', 'partial', 'a', '<', '5'],
    ['if (a >= 5) throw new Error("no")', 'partial', 'a', '>=', '5'],
    ['assertValid(a, 5)', 'partial', 'a', 'assertValid', '5'],
    ['cy.get("b").should("have.text", "x")', 'partial', 'cy.get("b")', 'have.text', '"x"'],
    // presence
    ['expect(a).toBeDefined()', 'presence', 'a', 'toBeDefined', null],
    ['expect(a).toBeTruthy()', 'presence', 'a', 'toBeTruthy', null],
    ['expect(f).not.toThrow()', 'presence', 'f', 'toThrow', null],
    ['expect(f).toThrow()', 'presence', 'f', 'toThrow', null],
    ['expect(a).not.toBeNull()', 'presence', 'a', 'toBeNull', null],
    ['expect(a).toHaveProperty("b")', 'presence', 'a', 'toHaveProperty', '"b"'],
    ['expect(a).toMatchInlineSnapshot()', 'presence', 'a', 'toMatchInlineSnapshot', null],
    ['expect(a).to.exist', 'presence', 'a', 'exist', null],
    ['assert(a)', 'presence', 'a', 'ok', null],
    ['assert.ok(a)', 'presence', 'a', 'ok', null],
    ['t.truthy(a)', 'presence', 'a', 'ok', null],
    ['if (!a) throw new Error("no")', 'presence', 'a', 'ok', null],
  ])('reads %s as %s', (statement, strength, subject, matcher, expected) => {
    expect(assertionsOf(statement)).toMatchObject([{ subject, matcher, strength, expected }])
  })

  it.each([
    'expect(true).toBe(true)',
    'expect(1).toEqual(1)',
    'expect(a).toBe(a)',
    'expect(a.b).toEqual(a.b)',
    'expect(null).toBeNull()',
    'expect(a).toEqual(expect.anything())',
    'assert(true)',
    'assert.ok(1)',
    'assert.equal(1, 1)',
    'assert.equal(a, a)',
    't.true(true)',
    'expect(true).to.be.true',
  ])('calls it trivial: %s', (statement) => {
    expect(assertionsOf(statement).map(({ strength }) => strength)).toEqual(['trivial'])
  })

  it.each([
    'expect(a).toBe(true)',
    'expect(a || b).toBe(true)',
    'expect(a.b).toBe(a.c)',
    'expect(a).toMatch(/^$/)',
    'expect(a.length).toBeGreaterThanOrEqual(1)',
    'let five = 5; five = add(2, 3); expect(five).toBe(5)',
    'expect(a ?? true).toBe(1)',
  ])('does not call it trivial: %s', (statement) => {
    expect(assertionsOf(statement).map(({ strength }) => strength)).not.toContain('trivial')
  })

  it('says where a negation stands, whichever word says it', () => {
    for (const statement of [
      'expect(a).not.toBe(5)',
      'assert.notEqual(a, 5)',
      'assert(a !== 5)',
      'expect(a).to.not.equal(5)',
    ])
      expect(assertionsOf(statement), statement).toMatchObject([{ isNegated: true, expected: '5' }])
    expect(assertionsOf('if (a === 5) throw new Error("no")')).toMatchObject([
      { isNegated: true, expected: '5' },
    ])
  })

  it('reads each part of a condition and of a chain', () => {
    expect(assertionsOf('assert(a === 1 && b === 2)').map(({ subject }) => subject)).toEqual(['a', 'b'])
    expect(
      assertionsOf('if (a !== 1 || b !== 2) throw new Error("no")').map(({ expected }) => expected),
    ).toEqual(['1', '2'])
    expect(
      assertionsOf('expect(a).to.be.an("array").that.includes(2)').map(({ matcher }) => matcher),
    ).toEqual(['an', 'includes'])
  })

  it('follows names of assertions to where they come from', () => {
    const text = `import { strictEqual as same, ok } from 'node:assert'; test('a', () => { same(a, 5); ok(b) })`
    expect(factsOf(text).tests[0]?.assertions).toMatchObject([
      { matcher: 'strictEqual', subject: 'a', expected: '5' },
      { matcher: 'ok', subject: 'b' },
    ])
  })

  it('sees a changed expectation behind a name', () => {
    const expected = (value: string): unknown =>
      factsOf(`const sum = ${value}; test('a', () => { expect(add()).toEqual(sum) })`).tests[0]?.assertions[0]
        ?.expected
    expect([expected('[3]'), expected('[4]')]).toEqual(['[3]', '[4]'])
  })

  it('takes no call for an assertion that is none', () => {
    for (const statement of [
      'add(1, 2)',
      'console.assert(a)',
      'a.equal(b)',
      'expect.extend({})',
      'a.test("b")',
      'vi.fn()',
    ])
      expect(assertionsOf(statement), statement).toEqual([])
  })
})
