import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { applyCandidate, candidatesIn, parses } from './index.ts'

/** Every source that one change of the given one can make. */
function repairs(text: string): readonly string[] {
  return candidatesIn('a.ts', text).map((candidate) => applyCandidate(text, candidate))
}

describe('given a source with a slip of one place', () => {
  it.each([
    ['a boundary', 'if (sum > 100) pay()', 'if (sum >= 100) pay()'],
    ['a direction', 'while (a < b) go()', 'while (a > b) go()'],
    ['an equality', 'ok = a === b', 'ok = a !== b'],
    ['a logical operator', 'ok = a && b', 'ok = a || b'],
    ['a sum', 'x = a + b', 'x = a - b'],
    ['a remainder', 'x = a % b', 'x = a / b'],
    ['operands', 'x = a - b', 'x = b - a'],
    ['a compound assignment', 'x += 1', 'x -= 1'],
    ['a step', 'i++', 'i--'],
    ['a number too small', 'x = 6', 'x = 7'],
    ['a number too large', 'x = [8]', 'x = [7]'],
    ['a length', 'f(list.length)', 'f(list.length - 1)'],
    ['a length among operators', 'x = list.length * 2', 'x = (list.length - 1) * 2'],
    ['an index', 'x = list[i]', 'x = list[i + 1]'],
    ['a condition', 'if (isOpen) go()', 'if (!isOpen) go()'],
    ['a negation too many', 'if (!isOpen) go()', 'if (isOpen) go()'],
    ['a truth value', 'f({ force: true })', 'f({ force: false })'],
    ['branches', 'x = a ? b : c', 'x = a ? c : b'],
    ['arguments', 'f(a, b)', 'f(b, a)'],
    ['a smallest for a largest', 'x = Math.min(a, b)', 'x = Math.max(a, b)'],
    ['a rounding', 'x = Math.floor(a)', 'x = Math.round(a)'],
    ['an end for a start', 'name.startsWith(a)', 'name.endsWith(a)'],
    ['a default', 'x = a || b', 'x = a ?? b'],
    ['an operator close to a sign', 'x = a+-b', 'x = a- -b'],
    [
      'an operator in TypeScript',
      'const f = (a: number): boolean => a < 1',
      'const f = (a: number): boolean => a <= 1',
    ],
  ])('mends %s', (_, broken, sound) => {
    expect(repairs(broken)).toContain(sound)
  })
})

describe('given what no edit should touch', () => {
  it.each([
    ['a type', 'type Port = 80 | true'],
    ['an import', "import { a } from './b1.ts'"],
    ['a key', 'f({ 1: a })'],
    ['joined text', "x = 'a' + b + c"],
    ['a length that is written to', 'list.length = size'],
    ['what is not in a syntax at all', 'if (a < b {'],
  ])('leaves %s alone', (_, text) => {
    expect(repairs(text)).toEqual([])
  })
})

describe('given a candidate', () => {
  const text = 'const isFree = (sum: number) =>\n  sum > 100\n'
  const [first] = candidatesIn('src/cart.ts', text)

  it('says where it is and what it does', () => {
    expect(first).toEqual({
      file: 'src/cart.ts',
      kind: 'boundary',
      offset: text.indexOf('>', text.indexOf('\n')),
      line: 2,
      before: '>',
      after: '>=',
      functionName: 'isFree',
      description: '">" becomes ">="',
    })
  })

  it('refuses a text that it was not made from', () => {
    if (first === undefined) throw new TypeError('no candidate')
    expect(() => applyCandidate('something else', first)).toThrow(RangeError)
  })
})

/** Small programs, with blanks between the operators or without. */
const { program } = fc.letrec<{ program: string; expression: string; value: string }>((tie) => ({
  value: fc.oneof(
    fc.constantFrom('a', 'b', '0', '1', '10', 'true', '"s"', 'a.length', '`t${b}`', '[1,a]', '{}', '(a)'),
    fc
      .tuple(fc.constantFrom('f', 'Math.max', 'a.startsWith'), tie('expression'), tie('expression'))
      .map(([name, one, other]) => `${name}(${one},${other})`),
    tie('expression').map((inner) => `a[${inner}]`),
    tie('expression').map((inner) => `(${inner})`),
  ),
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('value'),
    fc
      .tuple(
        tie('value'),
        fc.constantFrom('', ' ', '/**/'),
        fc.constantFrom(...['<', '>=', '===', '!=', '&&', '||', '??', '+', '-', '*', '/', '%', '**', '=']),
        fc.constantFrom('', ' ', '\n'),
        tie('expression'),
      )
      .map((parts) => parts.join('')),
    fc
      .tuple(fc.constantFrom('!', '-', '+', '++', 'typeof ', '(b)=>'), tie('value'))
      .map((parts) => parts.join('')),
    fc.tuple(tie('value'), tie('expression'), tie('expression')).map(([a, b, c]) => `${a}?${b}:${c}`),
    fc.constantFrom('a++', 'b--', 'a-b++', '-a-b', '!a-b'),
  ),
  program: fc
    .array(
      fc
        .tuple(fc.constantFrom('x=', 'x+=', 'return(b)-', 'return!', 'if(a)b;x=', ''), tie('expression'))
        .map((parts) => parts.join('')),
      { minLength: 1, maxLength: 3 },
    )
    .map((lines) => `function g(){\n${lines.join('\n')}\n}`),
}))

/** The engine refuses more than the parser does: `a ?? b || c`, for one. */
function compiles(text: string): boolean {
  try {
    return parses('a.js', text) && new Script(text) instanceof Script
  } catch {
    return false
  }
}

describe('given operators that may not stand together', () => {
  it.each(['x = a || b && c', 'x = a || b || c', 'x = a ?? b ?? c', 'x = (a || b) ?? c'])(
    'mixes none in %s',
    (text) => {
      expect(repairs(text).filter((result) => !compiles(result))).toEqual([])
    },
  )
})

describe('given any program', () => {
  const anyProgram = program.filter(compiles)

  it('changes exactly one place, and the result is a program again', () => {
    fc.assert(
      fc.property(anyProgram, (text) => {
        for (const candidate of candidatesIn('a.js', text)) {
          const { offset, before, after } = candidate
          const result = applyCandidate(text, candidate)
          expect(result).not.toBe(text)
          expect(result.slice(0, offset)).toBe(text.slice(0, offset))
          expect(result.slice(offset + after.length)).toBe(text.slice(offset + before.length))
          expect(compiles(result), `${text}\n->\n${result}`).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('tries nothing twice, and always in the same order', () => {
    fc.assert(
      fc.property(anyProgram, (text) => {
        const candidates = candidatesIn('a.js', text)
        const results = candidates.map((candidate) => applyCandidate(text, candidate))
        expect(new Set(results).size).toBe(results.length)
        expect(candidatesIn('a.js', text)).toEqual(candidates)
      }),
      { numRuns: 60 },
    )
  })
})

describe('given real sources', () => {
  it.each(['candidates.ts', 'operators.ts', 'values.ts', '../search-agent.ts'])(
    'keeps %s a program',
    (name) => {
      const file = new URL(name, import.meta.url)
      const text = readFileSync(file, 'utf8')
      const candidates = candidatesIn(name, text)
      expect(candidates.length).toBeGreaterThan(20)
      expect(candidates.filter((candidate) => !parses(name, applyCandidate(text, candidate)))).toEqual([])
    },
  )
})
