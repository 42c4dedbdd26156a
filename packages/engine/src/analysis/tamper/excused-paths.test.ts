import { describe, expect, it } from 'vitest'
import { excusedPaths } from './excused-paths.ts'
import { edited, version } from './fixtures/changes.ts'

const text = "it('adds', () => {\n  expect(add(1, 2)).toBe(3)\n})\n"
const path = 'test/calc.test.ts'
const excused = (...changes: Parameters<typeof excusedPaths>[0]) => [...excusedPaths(changes)].toSorted()

describe('given a changed file of tests', () => {
  it.each([
    ['semicolons', text.replaceAll(')\n', ');\n')],
    ['quotes', text.replaceAll("'", '"')],
    ['indentation and empty lines', text.replaceAll('  ', '\n\t')],
    ['line ends', text.replaceAll('\n', ' \r\n')],
  ])('excuses other %s', (_, after) => {
    expect(excused(edited(path, text, after))).toEqual([path])
    expect(excused(edited(path, after, text))).toEqual([path])
  })

  it.each([
    ['a line break that ends a return', 'return expect(a)', 'return\nexpect(a)'],
    ['a semicolon that empties a loop', 'for (const a of b)\ncheck(a)', 'for (const a of b);\ncheck(a)'],
    ['a semicolon that parts a call', 'a\n(b)', 'a;\n(b)'],
    ['a semicolon that makes an accessor a field', 'get\nb() {}', 'get;\nb() {}'],
    ['white space in a string', "expect('a  b')", "expect('a b')"],
    ['white space in a template', 'expect(`a\n  b`)', 'expect(`a\nb`)'],
    ['a quote inside of a string', `expect("it's 'a'")`, `expect("it's "a"")`],
    ['a comment', '// It adds.', '// @ts-nocheck'],
  ])('does not excuse %s', (_, before, after) => {
    expect(excused(edited(path, before, after))).toEqual([])
  })

  it('does not excuse another depth of Python', () => {
    const [before, after] = ['for a in b:\n    c()\nassert d\n', 'for a in b:\n    c()\n    assert d\n']
    expect(excused(edited('test_a.py', before, after))).toEqual([])
    expect(excused(edited('test_a.py', before, before.replaceAll('\n', '\r\n')))).toEqual(['test_a.py'])
  })

  it.each([
    ['another expectation', text.replace('toBe(3)', 'toBe(4)')],
    ['a test more, which may patch', `${text}it('x', () => { Math.add = () => 3 })\n`],
    ['a line more, which may end the test', text.replace('  expect', '  return\n  expect')],
    ['a skipped test', text.replace('it(', 'it.skip(')],
    ['a focused test', `${text}it.only('x', () => {})\n`],
  ])('does not excuse %s', (_, after) => {
    expect(excused(edited(path, text, after))).toEqual([])
  })

  it('does not excuse a deleted file, a new one, or other permissions', () => {
    expect(excused(edited(path, text, null))).toEqual([])
    expect(excused(edited(path, null, text))).toEqual([])
    expect(excused({ path, before: version(text), after: version(text, 0o755) })).toEqual([])
  })
})

describe('given a file of tests under another name', () => {
  const moved = (to: string, after = text) => excused(edited(path, text, null), edited(to, null, after))

  it('excuses both paths in the same folder', () => {
    expect(moved('test/sums.test.ts')).toEqual([path, 'test/sums.test.ts'])
  })

  it.each([
    ['another folder', 'test/unit/calc.test.ts'],
    ['a name that is no test', 'test/calc.ts'],
    ['a name that is left out', 'test/_calc.test.ts'],
    ['another language', 'test/calc.test.js'],
  ])('does not excuse %s', (_, to) => {
    expect(moved(to)).toEqual([])
  })

  it('does not excuse another text', () => {
    expect(moved('test/sums.test.ts', `${text}\n`)).toEqual([])
  })

  it('takes one new file for one earlier file', () => {
    const twice = [edited(path, text, null), edited('test/again.test.ts', text, null)]
    expect(excused(...twice, edited('test/sums.test.ts', null, text))).toEqual([path, 'test/sums.test.ts'])
  })
})
