import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCalls } from './read-calls.ts'
import { RuleFault } from './rule.ts'

const read = (text: string) => readCalls(text, ['rule', 'host'])

const valueOf = (expression: string, above = ''): unknown =>
  read(`${above}rule(${expression})\n`)[0]?.values[0]

const firstOf = (text: string): unknown => read(text).map(({ values }) => values[0])

function faultOf(text: string): string {
  try {
    read(text)
  } catch (error) {
    if (!(error instanceof RuleFault)) throw error
    return `${error.position?.line}:${error.position?.column} ${error.message}`
  }
  return 'none'
}

describe('given calls', () => {
  it('each comes with its place and what it is given', () => {
    expect(
      read('"""What this is."""\n\nrule(["a"], b = 1); host()\n  # a note\nrule(\n  x = None,\n)'),
    ).toEqual([
      { name: 'rule', line: 3, column: 1, values: [['a']], named: new Map([['b', 1]]) },
      { name: 'host', line: 3, column: 21, values: [], named: new Map() },
      { name: 'rule', line: 5, column: 1, values: [], named: new Map([['x', null]]) },
    ])
  })

  it.each(['', '\n\n', '# only a note', '  \n\t\n', '"only words"\n', 'x = 1', '[1]'])(
    '%j has none',
    (text) => {
      expect(read(text)).toEqual([])
    },
  )
})

describe('given the language of rule files', () => {
  it.each<[string, string, unknown]>([
    ['names', 'x = ["g"]; y = x\nrule(y)\nx = "h"\nrule(x)', [['g'], 'h']],
    ['sums of lists and of strings', 'x = ["c"] + ["a" + "b"]\nrule(x + x)', [['c', 'ab', 'c', 'ab']]],
    ['brackets', 'rule(("a" +\n  ("b")))', ['ab']],
  ])('%s', (_, text, values) => {
    expect(firstOf(text)).toEqual(values)
  }) // prettier-ignore

  it.each<[string, unknown]>([
    ['"a"', 'a'],
    ["'a\"'", 'a"'],
    ['"""a\n"b" """', 'a\n"b" '],
    ["'''a'b'''", "a'b"],
    ['r"\\n\\"" + "\\n\\\\"', '\\n"\n\\'],
    ['"\\x41\\u00e9\\U0001F600\\101\\q"', 'Aé😀A\\q'],
    ['"a\\\nb"', 'ab'],
    ['"a\r"', 'a'],
    ['[True, False, None, 7]', [true, false, null, 7]],
    ['[["a", "b"], "c",]', [['a', 'b'], 'c']],
  ])('%j is %j', (expression, value) => {
    expect(valueOf(expression)).toEqual(value)
  })
})

describe('given what is wrong, or not understood', () => {
  it.each([
    ['\nload("x", "y")\n', "2:1 'load' is not understood here"],
    ['for x in ["a"]:\n  rule(x)\n', "1:1 'for' is not understood here"],
    ['def f(): rule()\n', "1:1 'def' is not understood here"],
    ['x = "a" if True else "b"\n', "1:9 'if' is not understood here"],
    ['x = lambda: 1\n', "1:5 'lambda' is not understood here"],
    ['print("a")\n', "1:1 'print' is not understood here, where a value is expected"],
    ['x = rule("a")\n', "1:5 'rule' is not understood here, where a value is expected"],
    ['rule = 1\n', "1:1 'rule' is not understood here as a name"],
    ['x = b"a"\n', "1:5 a string with 'b' before it is not understood here"],
    ['x = f"a"\n', "1:5 a string with 'f' before it is not understood here"],
    ['x = 1.5\n', '1:5 the number 1.5 is not understood here'],
    ['x = "a" + ["b"]\n', "1:9 '+' is only understood between two strings or two lists"],
    ['x = "a".upper()\n', "1:8 '.' is not understood here, where the end of the line is expected"],
    ['x = y\ny = 1\n', "1:5 'y' is not understood here, where a value is expected"],
    ['x = "a" * 9\n', "1:9 '*' is not understood here"],
    ['x = {"a": 1}\n', "1:5 '{' is not understood here"],
    ['x = [1][0]\n', "1:8 '[' is not understood here"],
    ['x, y = 1, 2\n', "1:1 'x' is not understood here"],
    ['x = ("a", "b")\n', "1:9 ',' is not understood here, where ')' is expected"],
    ['x = (1\n', "2:1 the end of the line is not understood here, where ')' is expected"],
    ['rule(\n', '2:1 the end of the line is not understood here, where a value is expected'],
    ['x = [\t1]\n', '1:6 "\\t" means nothing here'],
    ['x = "a\n', '1:5 a string is not closed'],
    ['x = "\\x4"\n', 'is no character'],
    ['x = "a" "b"\n', '1:9 a literal is not understood here, where the end of the line is expected'],
    ['x = 017\n', '1:5 the number 017 is not understood here'],
    ['x = 1\n  y = 2\n', '2:1 a line that begins with blanks is not understood here'],
    ['x = é\n', '1:5 "é" means nothing here'],
    ['x = 1 y = 2\n', "1:7 'y' is not understood here, where the end of the line is expected"],
    ['rule(a = 1, 2)\n', '1:13 an argument without a name behind one with a name'],
    ['rule(a = 1, a = 2)\n', "1:13 'a' is given twice"],
    [`x = ${'('.repeat(10_000)}`, 'more than 60 levels in one another is not understood here'],
    [`x = "${'a'.repeat(100_000)}"\n${'x = x + x\n'.repeat(60)}`, '3:7 more than 500000 characters'],
    [`x = ["a"]\n${'x = [x, x]\n'.repeat(60)}`, 'more than 500000 characters and items'],
  ])('%j is refused, with its place', (text, problem) => {
    expect(faultOf(text)).toContain(problem)
  })
})

describe('given anything at all', () => {
  const piece = fc.constantFrom('rule', '(', ')', '[', ']', '{', '}', '"a"', "'", '"""', 'r"', 'f"{x}"', '=', '+=', '+', ',', '\n', '  ', ':', 'for x in y', 'def f', 'lambda', 'if', 'else', 'not', 'in', 'x', '1', '.', '%', '\\', '#', 'é', '\0', '\r', ';', '*') // prettier-ignore
  const anyText = fc.oneof(
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(' ')),
    fc.string({ unit: 'binary' }),
  )

  it('it is read, or a fault names a place in it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const fault = faultOf(text)
        const line = Number(/^(\d+):\d+ ./.exec(fault)?.[1])
        expect(fault === 'none' || (line >= 1 && line <= text.split('\n').length)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('values come back as they were written', () => {
    const text = fc.string({ unit: 'binary' }).filter((word) => word.isWellFormed())
    const scalar = fc.oneof(text, fc.nat())
    const value = fc.oneof(scalar, fc.array(fc.oneof(scalar, fc.array(scalar))))
    fc.assert(
      fc.property(value, (written) => {
        expect(valueOf(JSON.stringify(written))).toEqual(written)
        expect(valueOf('x', `x = ${JSON.stringify(written)}\n`)).toEqual(written)
      }),
    )
  })
})
