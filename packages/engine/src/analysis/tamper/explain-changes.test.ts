/** JavaScript and TypeScript. */
import { describe, expect, it } from 'vitest'
import { edited, rulesOf } from './fixtures/changes.ts'
import { explainChanges } from './index.ts'
import { adds, assertion, before, path, swap } from './fixtures/typescript.ts'

describe('given tests in TypeScript that were tampered with', () => {
  it.each([
    ['deleted', swap(adds, ''), 'test.deleted'],
    ['skip', swap("it('adds'", "it.skip('adds'"), 'test.skipped'],
    ['xit', swap("it('adds'", "xit('adds'"), 'test.skipped'],
    ['todo', swap(adds, "  it.todo('adds')\n"), 'test.skipped'],
    ['fails', swap("it('adds'", "it.fails('adds'"), 'test.skipped'],
    ['skipIf', swap("it('adds'", "it.skipIf(process.env.CI)('adds'"), 'test.skipped'],
    ['the suite', swap("describe('calc'", "describe.skip('calc'"), 'test.skipped'],
    ['only', swap("it('adds'", "it.only('adds'"), 'test.narrowed'],
    [
      'a new focused test',
      swap(adds, `${adds}  it.only('x', () => {\n    expect(add(1, 1)).toBe(2)\n  })\n`),
      'test.narrowed',
    ],
    ['return', swap(assertion, `return\n    ${assertion}`), 'assertion.removed'],
    ['process.exit', swap(assertion, `process.exit(0)\n    ${assertion}`), 'assertion.removed'],
    ['an empty body', swap(`    ${assertion}\n`, ''), 'assertion.removed'],
    ['an assertion less', swap('    expect(Object.keys(result)).toHaveLength(1)\n', ''), 'assertion.removed'],
    ['true is true', swap(assertion, 'expect(true).toBe(true)'), 'assertion.weakened'],
    ['itself', swap(assertion, 'expect(add(1, 2)).toBe(add(1, 2))'), 'assertion.weakened'],
    ['defined', swap(assertion, 'expect(add(1, 2)).toBeDefined()'), 'assertion.weakened'],
    ['truthy', swap(assertion, 'expect(add(1, 2)).toBeTruthy()'), 'assertion.weakened'],
    ['a bound', swap(assertion, 'expect(add(1, 2)).toBeGreaterThan(0)'), 'assertion.weakened'],
    ['any', swap('toEqual({ a: 1 })', 'toEqual(expect.anything())'), 'assertion.weakened'],
    ['another value', swap(assertion, 'expect(add(1, 2)).toBe(4)'), 'expectation.changed'],
    ['not', swap(assertion, 'expect(add(1, 2)).not.toBe(4)'), 'assertion.weakened'],
    ['another input', swap(assertion, 'expect(add(0, 3)).toBe(3)'), 'expectation.changed'],
    ['another input in a variable', swap("parse('a=1')", "parse('b=1')"), 'expectation.changed'],
    ['any error', swap("toThrow('zero')", 'toThrow()'), 'assertion.weakened'],
    [
      'a swallowed failure',
      swap(assertion, `try {\n      ${assertion}\n    } catch {}`),
      'assertion.removed',
    ],
    ['a row less', swap('    [3, 3, 6],\n', ''), 'assertion.removed'],
    ['another row', swap('[3, 3, 6]', '[3, 3, 7]'), 'expectation.changed'],
    ['gone', null, 'test.deleted'],
  ])('finds it: %s', (_, after, rule) => {
    expect(rulesOf([edited(path, before, after)])).toContain(rule)
  })

  it('finds a file that was renamed away', () => {
    const changes = [edited(path, before, null), edited('test/calc.tests.txt', null, before)]
    expect(rulesOf(changes)).not.toEqual([])
    const code = [edited(path, before, null), edited('src/calc-old.ts', null, before)]
    expect(rulesOf(code)).toContain('test.renamed-away')
  })

  it('finds an assertion that moved into a skipped test', () => {
    const after = swap('    expect(Object.keys(result)).toHaveLength(1)\n', '').replace(
      adds,
      `${adds}  it.skip('keys', () => {\n    const result = parse('a=1')\n    expect(Object.keys(result)).toHaveLength(1)\n  })\n`,
    )
    expect(rulesOf([edited(path, before, after)])).toContain('assertion.removed')
  })

  it.each([
    ['what cannot be parsed', `${before}\n(`],
    ['what is too long', `${before}\n// ${'x'.repeat(2 ** 18)}`],
    ['what nests too deeply', '('.repeat(100_000)],
  ])('says that it did not compare %s, and no more', (_, after) => {
    expect(explainChanges([edited(path, before, after)])).toEqual([
      {
        rule: 'expectation.changed',
        path,
        message: 'it cannot be read, so it is not compared',
        atMost: 'note',
      },
    ])
  })
})

describe('given folders and names that mean little', () => {
  it.each(['packages/build/test/a.test.ts', 'test.js', 'src/dist/tests.js', 'tests/build/a.spec.js'])(
    'finds a test that is gone from %s',
    (where) => {
      const text = "it('adds', () => {\n  expect(add(1, 2)).toBe(3)\n})\n"
      expect(rulesOf([edited(where, text, '')])).toEqual(['test.deleted'])
      expect(rulesOf([edited(`node_modules/x/${where}`, text, '')])).toEqual([])
    },
  )
})

describe('given a rewrite whose meaning is the same', () => {
  it('says what became of the assertion, and judges nothing', () => {
    const after = swap(assertion, 'const total = add(1, 2)\n    expect(total).toBe(3)')
    expect(explainChanges([edited(path, before, after)])).toEqual([
      {
        rule: 'expectation.changed',
        path,
        line: 7,
        message: 'calc > adds: `add(1,2) toBe 3` became `total toBe 3`',
      },
    ])
  })
})
