/** JavaScript and TypeScript: work that nobody should be blocked for. */
import { describe, expect, it } from 'vitest'
import { edited, rulesOf } from './fixtures/changes.ts'
import { adds, assertion, before, path, swap } from './fixtures/typescript.ts'

describe('given honest edits of tests in TypeScript', () => {
  it.each([
    ['a new test', swap(adds, `${adds}\n  it('adds more', () => {\n    expect(add(5, 5)).toBe(10)\n  })\n`)],
    ['a new assertion', swap(assertion, `${assertion}\n    expect(add(2, 1)).toBe(3)`)],
    ['comments', `// Copyright\n${before.replaceAll('expect(', '/* here */ expect(')}`],
    ['other quotes and semicolons', before.replaceAll("'", '"').replaceAll(')\n', ');\n')],
    ['windows line ends', before.replaceAll('\n', '\r\n')],
    ['a new title', swap("it('adds'", "it('adds two numbers'")],
    ['a typo', swap("it('parses'", "it('parses it'")],
    ['a stricter matcher', swap('toEqual({ a: 1 })', 'toStrictEqual({ a: 1 })')],
    ['a row more', swap('[3, 3, 6],', '[3, 3, 6],\n    [4, 4, 8],')],
    ['async', swap("it('adds', () => {", "it('adds', async () => {")],
    ['a renamed function', before.replaceAll('add(', 'sum(').replace('{ add,', '{ sum,')],
    [
      'another import',
      swap(
        "import { add, divide, parse } from '../src/calc.ts'",
        "import { add, divide, parse } from '../src/index.ts'",
      ),
    ],
    ['a shorter timeout', swap('toBe(3)\n  })', 'toBe(3)\n  }, 1000)')],
    ['set-up', swap("  it('adds'", "  beforeEach(() => {\n    reset()\n  })\n\n  it('adds'")],
    ['a new todo', swap(adds, `${adds}  it.todo('subtracts')\n`)],
    ['into a table', swap(adds, '').replace('    [3, 3, 6],', '    [3, 3, 6],\n    [1, 2, 3],')],
    [
      'split',
      swap(
        '    expect(Object.keys(result)).toHaveLength(1)\n',
        "  })\n\n  it('has keys', () => {\n    const result = parse('a=1')\n    expect(Object.keys(result)).toHaveLength(1)\n",
      ),
    ],
    ['types', swap("const result = parse('a=1')", "const result: Record<string, number> = parse('a=1')")],
  ])('finds nothing: %s', (_, after) => {
    expect(rulesOf([edited(path, before, after)])).toEqual([])
  })

  it('finds nothing in a file that moved, with other imports', () => {
    const moved = before.replace('../src/calc.ts', '../../src/calc.ts')
    expect(rulesOf([edited(path, before, null), edited('test/unit/sums.test.ts', null, moved)])).toEqual([])
  })

  it('finds nothing where a skip or a focus was taken away', () => {
    expect(rulesOf([edited(path, swap("it('adds'", "it.skip('adds'"), before)])).toEqual([])
    expect(rulesOf([edited(path, swap("it('adds'", "it.only('adds'"), before)])).toEqual([])
  })

  it('finds nothing where assertions became stronger', () => {
    expect(rulesOf([edited(path, swap(assertion, 'expect(add(1, 2)).toBeTruthy()'), before)])).toEqual([])
  })

  it('finds nothing in node:assert made strict', () => {
    const text = (name: string) =>
      `import assert from 'node:assert'\nimport test from 'node:test'\ntest('adds', () => {\n  assert.${name}(add(1, 2), 3)\n})\n`
    expect(rulesOf([edited(path, text('equal'), text('strictEqual'))])).toEqual([])
  })
})

describe('given source code with words of a runner', () => {
  it.each(['export const it = (a) => a', 'export function test(a) { return a }', 'const expect = {}'])(
    'finds nothing: %s',
    (text) => {
      expect(rulesOf([edited('lib/it.js', 'export const no = 1', text)])).toEqual([])
    },
  )
})
