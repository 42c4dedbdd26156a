import { describe, expect, it } from 'vitest'
import { haveSameWords } from './excused-paths.ts'

const same = (path: string) => (before: string, after: string) =>
  haveSameWords(path, before, after) && haveSameWords(path, after, before)

const test = `import { expect, it } from 'vitest'
import { add } from '../src/calc.ts'

// It adds.
it('adds', async () => {
  const [a, b] = [1, 2]
  await expect(add(a, b)).resolves.toBe(3)
  expect(sums.map(x => x / 2)).toEqual([1])
  expect(\`\${a} // \${b}\`).toMatch(/^\\d "\\/\\/"/u)
})
`

describe('given JavaScript', () => {
  const isSame = same('test/calc.test.ts')

  it.each([
    ['semicolons and other quotes', test.replaceAll("'", '"').replaceAll(/(['\d)])\n/gu, '$1;\n')],
    ['white space', test.replaceAll('  ', '\t').replaceAll('\n', '\n\n').replaceAll('(a, b)', '( a,b )')],
    ['Windows line ends', test.replaceAll('\n', '\r\n')],
    ['a comma at the end and more lines', test.replace('(a, b)', '(\n    a,\n    b,\n  )')],
    ['brackets around a parameter', test.replace('x =>', '(x) =>')],
  ])('%s change nothing', (_, after) => {
    expect(isSame(test, after)).toBe(true)
  })

  it.each([
    ['another value', test, test.replace('toBe(3)', 'toBe(4)')],
    ['an expectation less', test, test.replace(/ {2}await.*\n/u, '')],
    ['a line break that ends a return', 'return expect(a)', 'return\nexpect(a)'],
    ['a line break behind a throw', 'throw new Error(a)', 'throw\nnew Error(a)'],
    ['an operator that goes to another line', 'a\n++b', 'a++\nb'],
    ['a semicolon that empties a condition', 'if (a) throw b', 'if (a); throw b'],
    ['a semicolon that empties a loop', 'for (const a of b)\ncheck(a)', 'for (const a of b);\ncheck(a)'],
    ['a semicolon that parts a call', 'a\n(b)', 'a;\n(b)'],
    ['a semicolon that makes an accessor a field', 'class A { get\nb() {} }', 'class A { get;\nb() {} }'],
    ['an empty place of a list', 'expect([,])', 'expect([])'],
    ['one more empty place', 'expect([1,,])', 'expect([1,])'],
    ['white space in a string', "expect('a  b')", "expect('a b')"],
    ['white space in a template', 'expect(`a  b`)', 'expect(`a b`)'],
    ['white space in a pattern', 'expect(a).toMatch(/a  b/)', 'expect(a).toMatch(/a b/)'],
    ['a comment', test, test.replace('// It adds.', '// @ts-nocheck')],
    ['code that became a comment', 'a()\nb()', 'a() // b()'],
    ['an operator that became two', 'a - -b', 'a-- b'],
  ])('%s is a change', (_, before, after) => {
    expect(isSame(before, before)).toBe(true)
    expect(isSame(before, after)).toBe(false)
  })

  it.each([
    ['a template that nests', 'a(`${b ? `c` : ""}`)'],
    ['a slash behind a brace', 'if (a) {}\n/b  c/.test(d)'],
    ['a slash behind a condition', 'if (a) /b  c/.test(d)'],
    ['a quote that is not closed', "a('b)"],
    ['a comment of scripts', 'a <!-- b'],
    ['a lone carriage return', '// a\rb()'],
  ])('nothing is said of %s', (_, text) => {
    expect(isSame(text, text)).toBe(false)
  })

  it('nothing is said of elements, in whose text white space counts', () => {
    expect(same('a.test.tsx')('render(<p>a</p>)', 'render(<p>a</p>)')).toBe(false)
    expect(same('a.test.js')('render(<br />)', 'render(<br />)')).toBe(false)
  })
})

describe('given Python', () => {
  const isSame = same('tests/test_calc.py')
  const file = `from calc import add


class TestAdd:
    def test_add(self):
        for a in [1, 2]:
            assert add(a, 0) == a, 'no'
        assert add(1, 2) == 3  # yes
`

  it('a coding that is UTF-8 is no hindrance', () => {
    expect(isSame(`# -*- coding: utf-8 -*-\n${file}`, `# -*- coding: utf-8 -*-\n\n${file}`)).toBe(true)
  })

  it.each([
    ['other quotes and empty lines', file.replaceAll("'", '"').replaceAll('\n\n\n', '\n\n')],
    ['a call on more lines', file.replace('add(1, 2)', 'add(\n            1,\n            2,\n        )')],
    ['less indentation', file.replaceAll('    ', '  ')],
  ])('%s change nothing', (_, after) => {
    expect(isSame(file, after)).toBe(true)
  })

  it.each([
    ['another value', file, file.replace('== 3', '== 4')],
    ['a line that goes into a loop', file, file.replace(/ {8}(assert add\(1.*)/u, '            $1')],
    ['a line that joins a condition', 'if a: b()\nassert c\n', 'if a: b(); assert c\n'],
    ['a comma that makes a tuple', 'assert a() == (3)\n', 'assert a() == (3,)\n'],
    ['a comma that makes an index', 'assert a[3] == 1\n', 'assert a[3,] == 1\n'],
    ['a prefix', "assert a == 'b'\n", "assert a == b'b'\n"],
    ['a docstring', 'def test():\n    """>>> a"""\n', 'def test():\n    """>>>  a"""\n'],
    ['a comment', file, file.replace('# yes', '# noqa')],
  ])('%s is a change', (_, before, after) => {
    expect(isSame(before, before)).toBe(true)
    expect(isSame(before, after)).toBe(false)
  })

  it.each([
    ['tabs', 'if a:\n\tb()\n'],
    ['a line that only continues', 'if a:\n    b()\n\\\n    c()\n'],
    ['another coding', '# -*- coding: utf-7 -*-\na()\n'],
    ['brackets that do not match', 'a(b\n'],
    ['a line between two depths', 'if a:\n    b()\n  c()\n'],
  ])('nothing is said of %s', (_, text) => {
    expect(isSame(text, text)).toBe(false)
  })
})

describe('given other languages', () => {
  it.each([
    ['a_test.go', 'package a\n\nfunc TestA(t *testing.T) {\n\tif A() != "1" {\n\t\tt.Fatal("no")\n\t}\n}\n'],
    ['tests/a.rs', '#[test]\nfn a<\'b>() {\n    assert_eq!(a(), r#"x "1" z"#);\n}\n'],
    ['ATest.java', 'class ATest {\n    void a() {\n        assertEquals("1", a());\n    }\n}\n'],
  ])('%s may be laid out anew, and nothing else', (path, text) => {
    const isSame = same(path)
    expect(isSame(text, text.replaceAll('    ', '  ').replaceAll('\t', '    '))).toBe(true)
    expect(isSame(text, text.replace('"1"', '"2"'))).toBe(false)
    expect(isSame(text, text.replace('"1"', "'1'"))).toBe(false)
    expect(isSame(text, `//go:build ignore\n${text}`)).toBe(false)
  })

  it('a line of Go does not join another', () => {
    expect(same('a_test.go')('b()\nreturn\na()\n', 'b()\nreturn a()\n')).toBe(false)
    expect(same('a_test.go')('b()\n\na()\n', 'b()\n\n\n\na()\n')).toBe(true)
  })

  it('nothing is said of a language that is not known', () => {
    expect(same('test/data.yml')('a: 1\n', 'a: 1\n')).toBe(false)
  })
})
