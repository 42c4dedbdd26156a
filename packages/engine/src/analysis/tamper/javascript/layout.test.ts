/** Layout says nothing; a mark on a test says something. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FileFacts } from '../facts.ts'
import { readFacts } from '../read-facts.ts'
import { readJavaScriptFacts } from './read-facts.ts'

function factsOf(text: string): FileFacts {
  return readJavaScriptFacts('a.test.ts', text)
}

function withoutLines(facts: unknown): unknown {
  return JSON.parse(JSON.stringify(facts, (key, value: unknown) => (key === 'line' ? undefined : value)))
}

const statements = [
  ['expect', '(', 'add', '(', '1', ',', '2', ')', ')', '.', 'toBe', '(', '3', ')', ';'],
  ['await', 'expect', '(', 'run', '(', ')', ')', '.', 'rejects', '.', 'toThrow', '(', "'no'", ')', ';'],
  ['assert', '.', 'deepEqual', '(', 'a', ',', '{', 'b', ':', '[', '1', ',', '2', ']', '}', ')', ';'],
  ['if', '(', 'a', '!==', '5', ')', 'throw new', 'Error', '(', "'no'", ')', ';'],
  ['try', '{', 'expect', '(', 'a', ')', '.', 'toBe', '(', '`x ${ b } y`', ')', ';', '}', 'catch', '{', '}'],
  ['if', '(', 'process.env.CI', ')', '{', 'return;', '}'],
  ['expect', '(', 'a', '||', 'true', ')', '.', 'toBe', '(', 'true', ')', ';'],
  ['vi', '.', 'mock', '(', "'./add'", ')', ';'],
  ['process', '.', 'exit', '(', '0', ')', ';'],
] as const

const callees = [
  'it',
  'test',
  'it.skip',
  'it.only',
  'it.each([[1, 2]])',
  'xit',
  '(x ? it : it.skip)',
] as const

/** The tokens of one test each. */
const oneTest = fc
  .record({
    callee: fc.constantFrom(...callees),
    body: fc.array(fc.constantFrom(...statements), { maxLength: 5 }),
  })
  .map(({ callee, body }) => ({ callee, body: body.flat() }))

const file = fc.array(oneTest, { minLength: 1, maxLength: 5 })

type Test = { readonly callee: string; readonly body: readonly string[] }

function tokensOf(tests: readonly Test[]): string[] {
  return tests.flatMap(({ callee, body }, index) => {
    const tokens = [callee, '(', `'test ${index}'`, ',', 'async', '(', ')', '=>', '{', ...body, '}', ')', ';']
    return index === 0 ? ['describe', '(', "'s'", ',', '(', ')', '=>', '{', ...tokens, '}', ')', ';'] : tokens
  })
}

const gap = fc.constantFrom(' ', '  ', '\t', ' /* a note */ ', ' /* it.skip */ ')
/** Where a new line may not stand: `async (`, `throw new`, before `=>`. */
const noLineBreak = /^(async|=>|\(|\)|throw new|return)$/

function laidOut(
  tokens: readonly string[],
  gaps: readonly string[],
  breaks: readonly boolean[],
  eol: string,
): string {
  return tokens
    .map((token, index) => {
      const next = tokens[index + 1] ?? ''
      const mayBreak =
        breaks[index % breaks.length] === true && !noLineBreak.test(token) && !noLineBreak.test(next)
      return token + (gaps[index % gaps.length] ?? ' ') + (mayBreak ? ` // it.only${eol}` : '')
    })
    .join('')
}

describe('given a file of tests in another layout', () => {
  it('reads the same facts, whatever white space and comments stand in it', () => {
    const gaps = fc.array(gap, { minLength: 1, maxLength: 20 })
    const breaks = fc.array(fc.boolean(), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(file, gaps, breaks, fc.constantFrom('\n', '\r\n'), (tests, spaces, newLines, eol) => {
        const tokens = tokensOf(tests)
        const plain = withoutLines(factsOf(tokens.join(' ')))
        expect(withoutLines(factsOf(laidOut(tokens, spaces, newLines, eol)))).toEqual(plain)
      }),
    )
  })

  it.each([
    [`it('a', () => { f("x") })`, `it("a", () => {\n  f('x')\n})`],
    [`it('a', () => { f(1); g(2) })`, `it('a', () => {\n  f(1)\n  g(2)\n})`],
    [`it('a', () => { f([1, 2], { b: 1 }) })`, `it('a', () => { f([1, 2,], { 'b': 1, },) },)`],
    [
      `it('a', () => { f(x => x) })`,
      `it('a', () => { f((x) => { return x }) })`.replace('{ return x }', 'x'),
    ],
    [`it('a', () => { f('it\\'s') })`, `it('a', () => { f("it's") })`],
    [`it('a', () => { f(<b>  c </b>) })`, `it('a', () => { f(<b>\n c\n</b>) })`],
  ])('takes %s for the same as %s', (one, other) => {
    const read = (text: string): unknown => withoutLines(readJavaScriptFacts('a.test.jsx', text))
    expect(read(other)).toEqual(read(one))
  })

  it.each([
    [`f('a b')`, `f('a  b')`],
    ['f(`a b`)', 'f(`a  b`)'],
    [`f(a + +b)`, `f(a++ + b)`],
    [`f((a + b) * c)`, `f(a + b * c)`],
    [`f(1, 2)`, `f(12)`],
    [`f('1')`, `f(1)`],
    [`f(typeof a)`, `f(typeofa)`],
  ])('tells %s from %s', (one, other) => {
    const bodyOf = (text: string): unknown => factsOf(`it('a', () => { ${text} })`).tests[0]?.body
    expect(bodyOf(one)).not.toBe(bodyOf(other))
  })
})

describe('given a mark that is put on any one test', () => {
  it('reads other facts', () => {
    const marks = fc.constantFrom('it.skip', "it['skip']", 'it.todo', 'xit', 'it.only', 'it.fails')
    fc.assert(
      fc.property(file, fc.nat(), marks, (tests, pick, mark) => {
        const plain = tests.map((test) => ({ ...test, callee: 'it' }))
        const marked = plain.map((test, index) =>
          index === pick % plain.length ? { ...test, callee: mark } : test,
        )
        expect(factsOf(tokensOf(marked).join(' ')).tests).not.toEqual(
          factsOf(tokensOf(plain).join(' ')).tests,
        )
      }),
    )
  })

  it('reads no text at all without an answer', () => {
    const words = fc.constantFrom(
      ...statements.flat(),
      ...callees,
      '{',
      '}',
      '(',
      ')',
      '`',
      "'",
      'return',
      'class',
      '=>',
      '...',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words).map((parts) => parts.join(' ')),
        ),
        (text) => {
          expect(readFacts('a.test.ts', text)).not.toBeUndefined()
        },
      ),
    )
  })
})
