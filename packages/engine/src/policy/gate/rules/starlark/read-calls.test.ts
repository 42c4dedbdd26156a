import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCalls } from './read-calls.ts'
import { RuleFault } from '../rule.ts'

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

  it.each([
    '',
    '\n\n',
    '# only a note',
    '  \n\t\n',
    '"only words"\n',
    'x = 1',
    'pass',
    'def f(): pass',
    '[1]',
  ])('%j has none', (text) => {
    expect(read(text)).toEqual([])
  })

  it('a list that changes later is kept as it was', () => {
    expect(firstOf('x = ["a"]\nrule(x)\nx.append("b")\nrule(x)')).toEqual([['a'], ['a', 'b']])
  })
})

describe('given the language of rule files', () => {
  it.each<[string, string, unknown]>([
    ['a loop', 'for c in ["a", "b"]:\n    rule(["git", c])', [['git', 'a'], ['git', 'b']]],
    ['a loop over pairs', 'for k, v in [("a", 1), ("b", 2)]:\n  rule([k, v])', [['a', 1], ['b', 2]]],
    ['loops in one line', 'for c in range(5):\n  if c == 1: continue\n  elif c == 3: break\n  else: rule(c)', [0, 2]],
    ['a comprehension', '[rule(c) for c in ["a", "b"] if c != "b"]', ['a']],
    ['a function', 'def f(a, *words, end = "!"):\n  rule([a] + list(words) + [end])\nf("a", "b")\nf(*["c"], end = "?")', [['a', 'b', '!'], ['c', '?']]],
    ['a function in a function', 'def f(x):\n  def g(y):\n    return x + y\n  return g\nrule(f("a")("b"))', ['ab']],
    ['a function with types', 'def f(x: str, y: str = "b") -> None:\n  rule(x + y)\nf("a")', ['ab']],
    ['f-strings', 'c = "ab"\nrule(f"{c} {{}} x")', ['ab {} x']],
    ['methods', 'rule("a, b".split(", ")); rule(" A b ".lower().split()); rule("/".join(["a", "b"]))', [['a', 'b'], ['a', 'b'], 'a/b']],
    ['tests of texts', 'rule([t for t in ["ab", "b"] if t.startswith("a") or not t.endswith("b")])', [['ab']]],
    ['lists', 'x = ["c", "a"]\nx.append("b")\nx += ["d"]\nrule(x); rule(len(x))', [['c', 'a', 'b', 'd'], 4]],
    ['conditions', 'x = 3\nrule("big" if x != 2 and not x == 9 else "small"); rule("a" not in ["b"])', ['big', true]],
    ['tuples', 'a, b = 1, (2, 3)\nfor x in (a, b): rule(x == (2, 3))', [false, true]],
    ['names of blocks', 'x = "g"\ndef f():\n  x = "l"\n  rule(x)\nf()\nrule(x)', ['l', 'g']],
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
    ['\nload("x", "y")\n', "2:1 'load' is not understood here: Codex loads no other files"],
    ['while True: rule()\n', "1:1 'while' where a value is expected"],
    ['import os\n', "1:1 'import' where a value is expected"],
    ['print("a")\n', "1:1 'print' has no value here"],
    ['x = b"a"\n', '1:5 a string of bytes is not understood here: leave out the b'],
    ['x = 1.5\n', '1:5 the number 1.5 is not understood here'],
    ['x = "a" + ["b"]\n', "1:9 '+' is not understood between string and list"],
    ['x = "a".swapcase()\n', "1:5 a string has no 'swapcase' that is understood here"],
    ['x = y\ny = 1\n', "1:5 'y' has no value here"],
    ['def f(): f()\nf()\n', '1:10 more than 50 calls in one another'],
    ['def f(a): pass\nf()\n', "2:1 f wants 'a'"],
    ['def f(a): pass\nf(1, 2)\n', '2:1 f is given 1 arguments too many'],
    ['def f(a): pass\nf(b = 1, a = 1)\n', "2:1 no parameter is named 'b'"],
    ['for a in range(999):\n  for b in range(999): pass\n', '2:12 more than 500000 steps'],
    ['x = "a" * 9\n', "1:9 '*' is not understood here"],
    ['x = range(9000000)\n', "1:5 'range' is not understood with these arguments"],
    ['return 1\n', "1:1 'return' outside of a function"],
    ['break\n', "1:1 'break' outside of a loop"],
    ['x = f"{y"\n', '1:5 only names are understood in the braces of an f-string here'],
    ['x = {"a": 1}\n', "1:5 '{' where a value is expected"],
    ['x = [1][0]\n', "1:8 '[' is not understood here"],
    ['for x in ["a"]:\nrule(x)\n', "2:1 'rule' where an indented block is expected"],
    ['if True:\n    rule()\n  rule()\n', '3:3 a line begins where none above it begins'],
    ['for x in []:\n\trule()\n', '2:2 tabs are not allowed'],
    ['x = (1\n', "2:1 the end of the line where ')' is expected"],
    ['rule(\n', '2:1 the end of the line where a value is expected'],
    ['x = "a\n', '1:5 a string is not closed'],
    ['x = "\\x4"\n', 'is no character'],
    ['x = "a" "b"\n', '1:9 a literal where the end of the line is expected'],
    ['x = 017\n', '1:5 the number 017 is not understood here'],
    ['x = 1\n  y = 2\n', '2:3 a line begins with blanks'],
    ['x = é\n', '1:5 "é" means nothing here'],
    ['x = 1 y = 2\n', "1:7 'y' where the end of the line is expected"],
    ['rule(a = 1, 2)\n', '1:13 an argument without a name behind one with a name'],
    ['rule(a = 1, a = 2)\n', "1:13 'a' is given twice"],
    [`x = ${'('.repeat(10_000)}`, 'more than 60 levels in one another is not understood here'],
    [`x = "${'a'.repeat(100_000)}"\n${'x = x + x\n'.repeat(60)}`, '3:7 more than 500000 steps'],
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
