import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCalls, SourceFault } from './read-calls.ts'

const read = (text: string) => readCalls(text, ['rule', 'host'])

/** What `rule(…)` is given in its only argument. */
const valueOf = (expression: string, above = ''): unknown =>
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

  it.each<[string, unknown]>([
    ['"a"', 'a'],
    ["'a\"'", 'a"'],
    ['"""a\n"b" """', 'a\n"b" '],
    ["'''a'b'''", "a'b"],
    ['r"\\n\\"" + "\\n\\\\"', '\\n"\n\\'],
    ['"\\x41\\u00e9\\U0001F600\\101\\q"', 'Aé😀A\\q'],
    ['"a\\\nb"', 'ab'],
    ['[True, False, None, 7]', [true, false, null, 7]],
    ['[["a", "b"], "c",]', [['a', 'b'], 'c']],
    ['("a" + "b")', 'ab'],
    ['x + ["b"]', ['a', 'b']],
  ])('%j is %j', (expression, value) => {
    expect(valueOf(expression, 'x = ["a"]\n')).toEqual(value)
  })
})

describe('given what is wrong, or not understood', () => {
  it.each([
    ['\nload("x", "y")\n', "2:1 'load' is not understood here"],
    ['for x in ["a"]: rule(x)\n', "1:1 'for' is not understood here"],
    ['x = f"a"\n', "1:5 'f' is not understood here"],
    ['x = "a" + ["b"]\n', "1:9 '+' between string and list is not understood here"],
    ['x = "a" % 1\n', "1:9 '%' is not understood here: the end of the line is expected"],
    ['x = {"a": 1}\n', "1:5 '{' is not understood here"],
    ['rule([x for x in y])\n', "1:7 'x' is not understood here"],
    ['x = y\ny = 1\n', "1:5 'y' is not understood here"],
    ['x = (1\n', "2:1 the end of the line is not understood here: ')' is expected"],
    ['  rule()\n', "1:3 'blanks before a line' is not understood here"],
    ['x = "a\n', '1:5 a string is not closed'],
    ['x = "\\x4"\n', "1:5 '\\x' is no character"],
    ['x = é\n', "1:5 'é' is not understood here"],
    ['rule(a = 1, 2)\n', '1:13 an argument without a name behind one with a name'],
    ['rule(a = 1, a = 2)\n', "1:13 'a' given twice"],
    [`x = ${'('.repeat(10_000)}`, 'so many brackets in one another is not understood here: 60 at most'],
    [`x = "${'a'.repeat(100_000)}"\n${'x = x + x\n'.repeat(60)}`, 'a value of more than 2000000 parts'],
  ])('%j is refused, with its place', (text, problem) => {
    expect(faultOf(text)).toContain(problem)
  })
})

describe('given anything at all', () => {
  const piece = fc.constantFrom('rule', '(', ')', '[', ']', '{', '}', '"a"', "'", '"""', 'r"', '=', '+=', '+', ',', '\n', '  ', ':', 'for x in y', 'def f', 'x', '1', '.', '%', '\\', '#', 'é', '\0', '\r', ';', '*') // prettier-ignore
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
