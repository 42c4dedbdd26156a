import { describe, expect, it } from 'vitest'
import { edited, version } from '../fixtures/changes.ts'
import { excusedPaths } from './excused-paths.ts'

const head = `import { expect, it } from 'vitest'
import { add } from '../src/calc.ts'
import { parse } from '../src/parse.ts'

beforeEach(() => reset())
`
const adds = `it('adds', () => {
  expect(add(1, 2)).toBe(3)
})
`
const addsMore = `it('adds more', () => {
  expect(add(2, 2)).toBe(4)
})
`
const parses = `it('parses', () => {
  const result = parse('a=1')
  expect(result).toEqual({ a: 1 })
})
`
const text = head + adds + addsMore + parses
const path = 'test/calc.test.ts'
const excused = (...changes: Parameters<typeof excusedPaths>[0]) => [...excusedPaths(changes)]
const isExcused = (after: string, before = text, where = path) =>
  excused(edited(where, before, after)).includes(where)

describe('given a file of tests that says the same or more', () => {
  const table =
    "it.each([\n  [1, 2, 3],\n  [2, 2, 4],\n])('adds %i and %i', (a, b, sum) => {\n  expect(add(a, b)).toBe(sum)\n})\n"

  it.each([
    ['another layout', text.replaceAll("'", '"').replaceAll('\n', '\n\n').replaceAll(')\n', ');\n')],
    ['a comment', text.replace(adds, `// It adds.\n${adds}`)],
    ['windows line ends', text.replaceAll('\n', '\r\n')],
    ['a new title', text.replace("'adds'", "'adds two numbers'")],
    ['another order', head + parses + adds + addsMore],
    ['a table', head + table + parses],
    ['a stricter matcher', text.replace('toEqual(', 'toStrictEqual(')],
  ])('excuses %s', (_, after) => {
    expect(isExcused(after)).toBe(true)
  })

  it.each([
    ['toBeTruthy()', 'toBe(3)'],
    ['toBeDefined()', 'toEqual([1])'],
    ['toBeFalsy()', 'toBe(0)'],
    ['toMatchObject({ a: 1 })', 'toStrictEqual({ a: 1 })'],
  ])('excuses %s that became %s, and not the way back', (weak, strict) => {
    const with_ = (matcher: string) => text.replace('toBe(3)', matcher)
    expect(isExcused(with_(strict), with_(weak))).toBe(true)
    expect(isExcused(with_(weak), with_(strict))).toBe(false)
  })

  it('excuses a file with another name in its folder, and its parts', () => {
    expect(excused(edited(path, text, null), edited('test/sums.test.ts', null, text)).toSorted()).toEqual([
      path,
      'test/sums.test.ts',
    ])
    const first = head.replace(/import \{ parse.*\n/u, '') + adds + addsMore
    const second = head.replace(/import \{ add.*\n/u, '') + parses
    const split = [edited(path, text, first), edited('test/parse.test.ts', null, second)]
    expect(excused(...split).toSorted()).toEqual([path, 'test/parse.test.ts'])
  })
})

describe('given a file of tests of which it cannot be told', () => {
  it.each([
    ['another expectation', text.replace('toBe(3)', 'toBe(4)')],
    ['another input', text.replace('add(1, 2)', 'add(0, 3)')],
    ['a weaker matcher', text.replace('toBe(3)', 'toBeTruthy()')],
    ['a matcher that only looks stricter', text.replace('toBe(3)', 'not.toBe(4)')],
    ['a test less', head + adds + parses],
    ['a test twice and another gone', head + adds + adds + parses],
    ['a skipped test', text.replace("it('adds'", "it.skip('adds'")],
    ['a test more, which may patch', `${text}it('x', () => { Math.add = () => 3 })\n`],
    [
      'a row less',
      `${head}it.each([[1, 2, 3]])('adds', (a, b, c) => {\n  expect(add(a, b)).toBe(c)\n})\n${parses}`,
    ],
    [
      'a row that is computed',
      `${head}it.each([[1, 2, add(1, 2)], [2, 2, 4]])('adds', (a, b, c) => {\n  expect(add(a, b)).toBe(c)\n})\n${parses}`,
    ],
    [
      'a parameter within a string',
      `${head}it.each([['a=1']])('parses', (a) => {\n  const result = parse('a')\n  expect(result).toEqual({ a: 1 })\n})\n${adds}${addsMore}`,
    ],
    ['another import', text.replace('../src/calc.ts', '../src/fake.ts')],
    ['expect from elsewhere', text.replace("from 'vitest'", "from './expect.ts'")],
    ['expect that is global now', text.replace('import { expect, it }', 'import { it }')],
    ['a parameter that shadows', text.replace("'adds', () =>", "'adds', (add = () => 3) =>")],
    ['a hook less', text.replace('beforeEach(() => reset())\n', '')],
    ['a hook more', `${text}afterEach(() => { throw 1 })\n`],
    ['a comment that a tool reads', `// @ts-nocheck\n${text}`],
    ['a lone carriage return', text.replace(adds, `// \rexpect = f\n${adds}`)],
    ['a text that does not parse', `${text}(`],
  ])('does not excuse %s', (_, after) => {
    expect(isExcused(after)).toBe(false)
  })

  it('does not excuse an import less: that its module loads was a part of the question', () => {
    expect(isExcused(head.replace(/import \{ parse.*\n/u, '') + adds, head + adds)).toBe(false)
  })

  it('does not excuse what went where no runner may look, or lost something on the way', () => {
    for (const [where, after] of [
      ['test/unit/calc.test.ts', text.replaceAll('../src', '../../src')],
      ['test/calc.ts', text],
      ['test/_calc.test.ts', text],
      ['test/sums.test.ts', text.replace('toBe(3)', 'toBe(4)')],
      ['test/sums.test.ts', head + adds],
    ] as const)
      expect(excused(edited(path, text, null), edited(where, null, after)), where).toEqual([])
  })

  it('does not excuse a deleted file, a new one, or other permissions', () => {
    expect(excused(edited(path, text, null))).toEqual([])
    expect(excused(edited(path, null, text))).toEqual([])
    expect(excused({ path, before: version(text), after: version(`${text}\n`, 0o755) })).toEqual([])
  })
})

describe('given Python', () => {
  const where = 'tests/test_calc.py'
  const start = 'from calc import add\n\n\n'
  const one = 'def test_add():\n    assert add(1, 2) == 3\n\n\n'
  const two = 'def test_more():\n    assert add(2, 2) == 4\n\n\n'
  const file = start + one + two
  const rows = (body: string, list = '[(1, 2, 3), (2, 2, 4)]') =>
    `import pytest\n${start}@pytest.mark.parametrize("a, b, total", ${list})\ndef test_add(a, b, total):\n${body}`

  it.each([
    ['another layout', file.replaceAll('add(1, 2)', 'add(\n        1,\n        2,\n    )')],
    ['another order', start + two + one],
    ['a new name', file.replace('test_more', 'test_add_more')],
    ['a table', rows('    assert add(a, b) == total\n')],
  ])('excuses %s', (_, after) => {
    expect(isExcused(after, file, where)).toBe(true)
  })

  it.each([
    ['another value', file.replace('== 3', '== 4')],
    ['a row less', rows('    assert add(a, b) == total\n', '[(1, 2, 3)]')],
    ['another body', rows('    assert add(a, b) <= total\n')],
    ['a skip', file.replace('def test_add', '@pytest.mark.skip\ndef test_add')],
    ['a name that is bound twice', start + one + two.replace('test_more', 'test_add')],
    ['a name that is taken back', `${start}${one}${two}del test_more\n`],
    ['another coding', `# -*- coding: utf-7 -*-\n${file}`],
    ['tabs', file.replaceAll('    assert', '\tassert')],
    ['a default that shadows', file.replace('test_add()', 'test_add(add=lambda a, b: 3)')],
    [
      'a docstring that is a test',
      file.replace('    assert add(1', '    """>>> add(1, 1)"""\n    assert add(1'),
    ],
  ])('does not excuse %s', (_, after) => {
    expect(isExcused(after, file, where)).toBe(false)
  })
})

describe('given other languages', () => {
  it.each([
    ['a_test.go', 'package a\n\nfunc TestA(t *testing.T) {\n\tif A() != 1 {\n\t\tt.Fatal("no")\n\t}\n}\n'],
    ['tests/a.rs', '#[test]\nfn a() {\n    assert_eq!(a(), r#"x "y" z"#);\n}\n'],
  ])('excuses nothing but another layout of %s', (where, source) => {
    expect(isExcused(source.replaceAll('    ', '  ').replaceAll('\t', '    '), source, where)).toBe(true)
    expect(isExcused(source.replace(/1|"y"/u, '2'), source, where)).toBe(false)
    expect(isExcused(`//go:build ignore\n${source}`, source, where)).toBe(false)
  })

  it('excuses nothing of what it cannot read', () => {
    expect(isExcused('a: 1\n', 'a:  1\n', 'test/data.yml')).toBe(false)
  })
})
