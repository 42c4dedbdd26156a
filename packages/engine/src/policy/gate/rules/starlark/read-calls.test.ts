import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCalls } from './read-calls.ts'
import { SourceFault } from './source-fault.ts'
import type { Value } from './value.ts'

const read = (text: string) => readCalls(text, ['rule', 'host'])

/** What `rule(…)` is given in its only argument. */
const valueOf = (expression: string, above = ''): Value | undefined =>
  read(`${above}rule(${expression})\n`)[0]?.values[0]

function faultOf(text: string): string {
  try {
    read(text)
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error
    return `${error.position.line}:${error.position.column} ${error.message}`
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

  it.each(['', '\n\n', '# only a note', '  \n\t\n', '"only words"\n', 'x = 1'])('%j has none', (text) => {
    expect(read(text)).toEqual([])
  })
})

describe('given values', () => {
  it.each<[string, Value]>([
    ['"a"', 'a'],
    ["'a\"'", 'a"'],
    ['"""a\n"b" """', 'a\n"b" '],
    ["'''a'b'''", "a'b"],
    ['r"\\n\\"" + "\\n\\\\"', '\\n"\n\\'],
    ['"\\x41\\u00e9\\U0001F600\\101\\q"', 'Aé😀A\\q'],
    ['"a\\\nb"', 'ab'],
    ['"a\r"', 'a'],
    ['0x1F', 31],
    ['0o17', 15],
    ['0b11', 3],
    ['[True, False, None, 7]', [true, false, null, 7]],
    ['[["a", "b"], "c",]', [['a', 'b'], 'c']],
    ['("a" + "b") + "c"', 'abc'],
    ['["a"] + ["b"] + []', ['a', 'b']],
  ])('%j is %j', (expression, value) => {
    expect(valueOf(expression)).toEqual(value)
  })

  it('a name is what the line above it has bound, and may be bound again', () => {
    expect(valueOf('a + [b]', 'a = ["x"]; b = "y"\na = a + ["z"]\n')).toEqual(['x', 'z', 'y'])
  })
})

describe('given more of the language than rule files need', () => {
  it.each([
    ['def f(): pass\n', "1:1 'def' is not understood here: write out each rule as a call of its own"],
    ['for x in []: rule(x)\n', "1:1 'for' is not understood here: write out each rule"],
    ['if True: rule()\n', "1:1 'if' is not understood here: write out each rule"],
    ['\nload("x", "y")\n', "2:1 'load' is not understood here: copy what is needed into this file"],
    ['import os\n', "1:1 'import' is not understood here"],
    ['x = ["y" for y in []]\n', "1:10 'for' is not understood here: write out each rule"],
    ['x = lambda: 1\n', "1:5 'lambda' is not understood here"],
    ['x = 1 if True else 2\n', "1:7 'if' is not understood here"],
    ['x = not True\n', "1:5 'not' is not understood here: write the value itself"],
    ['x = f"a"\n', '1:5 an f-string is not understood here: join its parts with +'],
    ['x = b"a"\n', '1:5 a string of bytes is not understood here: leave out the b'],
    ['x = 1.5\n', '1:5 a number with a point is not understood here'],
    ['x = .5\n', '1:5 a number with a point is not understood here'],
    ['x = 1e3\n', '1:5 a number with a point is not understood here'],
    ['x = 9007199254740993\n', '1:5 a number beyond 2^53 is not understood here'],
    ['x = -1\n', "1:5 '-' is not understood here"],
    ['x = (+1)\n', '1:6 a sign is not understood here'],
    ['x = 1 + 1\n', "1:7 '+' between int and int is not understood here: it joins two strings or two lists"],
    ['x = "a" + ["b"]\n', "1:9 '+' between string and list is not understood here"],
    ['x = "%s" % "a"\n', "1:10 '%' is not understood here: write the value itself"],
    ['x = "a" == "b"\n', "1:9 '==' is not understood here"],
    ['x = "a".upper()\n', "1:8 '.' is not understood here: write the value itself"],
    ['x = "a"\nx += "b"\n', "2:3 '+=' is not understood here"],
    ['x = "ab"[0]\n', '1:9 an index is not understood here'],
    ['x = {"a": 1}\n', '1:5 a dict is not understood here: no rule takes one'],
    ['x = ("a", "b")\n', '1:5 a tuple is not understood here: write a list'],
    ['x = ()\n', '1:5 a tuple is not understood here'],
    ['x = "a", "b"\n', '1:8 a tuple is not understood here'],
    ['rule,(["rm"], "forbidden")\n', "1:1 'rule' is not understood here"],
    ['rule(["rm"]), 1\n', '1:13 a tuple is not understood here'],
    ['x = [[["a"]]]\n', '1:5 a list in a list in a list is not understood here'],
    ['x = y\ny = 1\n', "1:5 'y' is not understood here: write the value itself, or name it in a line above"],
    ['x = rule()\n', "1:5 'rule' is not understood here"],
    ['print("a")\n', "1:1 'print(…)' is not understood here: only rule, host can be called"],
    ['rule = 1\n', "1:1 another meaning of 'rule' is not understood here: take another name"],
    ['True = False\n', "1:1 another meaning of 'True' is not understood here"],
    ['["rm"]\n', '1:1 a value on its own is not understood here'],
    [`x = ${'('.repeat(10_000)}`, '1:65 more than 60 brackets in one another is not understood here'],
    ['rule(*[1])\n', "1:6 '*' is not understood here"],
  ])('%j is refused, with its place and what to write', (text, problem) => {
    expect(faultOf(text)).toContain(problem)
  })
})

describe('given what is wrong', () => {
  it.each([
    ['x = (1\n', "2:1 the end of the line where ')' is expected"],
    ['rule(\n', '2:1 the end of the line where a value is expected'],
    ['x = "a\n', '1:5 a string is not closed'],
    ['x = """a\n', '1:5 a string is not closed'],
    ['x = "\\x4"\n', "1:6 '\\x4\"' is no character"],
    ['x = "\\ud800"\n', "1:6 '\\ud800' is no character"],
    ['x = "a" "b"\n', '1:9 a string where the end of the line is expected'],
    ['x = 017\n', '1:5 a number must not begin with 0: 017'],
    ['\tx = 1\n', '1:2 a line begins with blanks'],
    ['x = 1\n  y = 2\n', '2:3 a line begins with blanks: begin it at its start'],
    ['x =\t1\n', '1:4 tabs are not allowed'],
    ['x = é\n', '1:5 "é" means nothing here'],
    ['x = 1;; y = 2\n', "1:7 ';' where a value is expected"],
    ['x = 1 y = 2\n', "1:7 'y' where the end of the line is expected"],
    ['rule(a = 1, 2)\n', '1:13 an argument without a name behind one with a name'],
    ['rule(a = 1, a = 2)\n', "1:13 'a' is given twice"],
    [`x = "${'a'.repeat(100_000)}"\n${'x = x + x\n'.repeat(60)}`, '5:7 values of more than 2000000'],
    [`x = [${'1,'.repeat(2000)}]\ny = [${'x,'.repeat(2000)}]\n`, '2:5 values of more than 2000000'],
  ])('%j is refused, with its place', (text, problem) => {
    expect(faultOf(text)).toContain(problem)
  })
})

describe('given anything at all', () => {
  const piece = fc.constantFrom('rule', '(', ')', '[', ']', '{', '"a"', "'", '"""', 'r"', 'f"', '=', '+', ',', '\n', '  ', 'for', 'x', '1', '.', '%', '\\', '#', 'é', '\0', '\r', ';') // prettier-ignore
  const anyText = fc.oneof(
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'binary' }),
  )

  it('it is read, or a fault names a place in it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const fault = faultOf(text)
        const line = Number(/^(\d+):\d+ ./.exec(fault)?.[1])
        expect(fault === 'none' || (line >= 1 && line <= text.split('\n').length)).toBe(true)
      }),
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

  it('a text may be cut anywhere and joined again', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (parts) => {
        const written = parts.map((part) => JSON.stringify(part))
        expect(valueOf(['""', ...written].join(' + '))).toBe(parts.join(''))
        expect(valueOf(['[]', ...written.map((part) => `[${part}]`)].join(' + '))).toEqual(parts)
      }),
    )
  })
})
