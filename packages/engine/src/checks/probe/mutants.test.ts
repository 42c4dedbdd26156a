import { parse } from '@babel/parser'
import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { mutationsOf } from './fixtures/faults.ts'
import { mutantsOf } from './mutants.ts'
import { liesOn, plant, sourceLines } from './mutation.ts'

const all = (text: string) => new Set(text.split('\n').map((_, index) => index + 1))
const source = (path: string, text: string, lines = all(text)) => ({ path, text, changedLines: lines })

/** Small programs of the things that faults are planted in. */
const { statement } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('a', 'b', '0', '7', 'true', "'text'", '`t`', 'f(a)', '-1', '{ ...a }.b', '[a]'),
    fc
      .tuple(
        tie('value'),
        fc.constantFrom('+', '-', '*', '/', '<', '>=', '===', '&&', '||', '??'),
        tie('value'),
      )
      .map(([left, operator, right]) => `(${String(left)}) ${operator} (${String(right)})`),
    tie('value').map((value) => `(() => (${String(value)}))`),
    tie('value').map((value) => `(${String(value)} ? 1 : 2)`),
  ),
  statement: fc.oneof(
    { maxDepth: 3 },
    tie('value').map((value) => `a = ${String(value)}`),
    tie('value').map((value) => `return (${String(value)})`),
    tie('value').map((value) => `f(${String(value)})`),
    fc
      .tuple(tie('value'), tie('statement'), tie('statement'))
      .map(([test, one, other]) => `if (${String(test)}) ${String(one)}\nelse {\n${String(other)}\n}`),
    fc
      .tuple(tie('value'), tie('statement'))
      .map(([test, body]) => `for (let i = 0; ${String(test)}; i++) ${String(body)}`),
    tie('statement').map((body) => `function g(a) {\n${String(body)}\n}`),
  ),
}))
const program = fc.array(statement, { minLength: 1, maxLength: 6 }).map((lines) => `${lines.join('\n')}\n`)

describe('given any program', () => {
  test.prop([program])('every mutant of it parses and differs from it', (text) => {
    for (const mutant of mutantsOf([source('a.js', text)], { maxMutants: 20 })) {
      expect(mutant.text).not.toBe(text)
      expect(() => parse(mutant.text, { allowReturnOutsideFunction: true })).not.toThrow()
    }
  })

  test.prop([program, fc.func(fc.boolean())])('all other lines stay as they are', (text, isChanged) => {
    const changed = new Set([...all(text)].filter((line) => isChanged(line)))
    const lines = text.split('\n')
    for (const mutant of mutantsOf([source('a.js', text, changed)], { maxMutants: 20 })) {
      const mutated = mutant.text.split('\n')
      const first = lines.findIndex((line, index) => line !== mutated[index])
      const rest = lines.toReversed().findIndex((line, index) => line !== mutated.at(-1 - index))
      const touched = lines.map((_, index) => index + 1).slice(first, lines.length - rest)
      expect(touched.every((line) => changed.has(line))).toBe(true)
      expect(changed.has(mutant.line)).toBe(true)
    }
  })

  test.prop([program, fc.constantFrom('a.py', 'a.go', 'a.rs', 'A.java', 'a.c', 'a.cs')])(
    'whatever language it is said to be in, each fault changes something in its place',
    (text, path) => {
      for (const mutation of mutationsOf(path, text)) {
        expect(mutation.end).toBeGreaterThan(mutation.start)
        const isPlanted = liesOn(mutation, text, sourceLines(text), all(text))
        expect(plant(text, mutation) !== text).toBe(isPlanted)
      }
    },
  )

  test.prop([program, fc.nat({ max: 12 })])(
    'there are at most so many, and the same ones again',
    (text, most) => {
      const mutants = mutantsOf([source('a.js', text)], { maxMutants: most })
      expect(mutants.length).toBeLessThanOrEqual(most)
      expect(mutantsOf([source('a.js', text)], { maxMutants: most })).toEqual(mutants)
      expect(new Set(mutants.map((mutant) => mutant.text)).size).toBe(mutants.length)
    },
  )

  test.prop([fc.string({ unit: 'binary' }), fc.constantFrom('a.js', 'a.tsx', 'a.py', 'a.rs', 'a.go')])(
    'nonsense is read without harm',
    (text, path) => {
      expect(() => mutantsOf([source(path, text)])).not.toThrow()
    },
  )
})

describe('given a fault that would be no program', () => {
  it('takes another one', () => {
    expect(mutantsOf([source('a.js', 'x = a+-b\n')])).toEqual([])
    const [only] = mutantsOf([source('a.js', 'x = a+-b; y = true\n')], { maxMutants: 1 })
    expect(only).toMatchObject({ kind: 'boolean', line: 1, text: 'x = a+-b; y = false\n' })
  })
})

describe('given a selection', () => {
  const lines = Array.from({ length: 10 }, (_, index) => `x = a < ${index + 2} && b === c\n`).join('')

  it('spreads over files, lines and kinds', () => {
    const mutants = mutantsOf([source('a.js', lines), source('b.js', lines)])
    expect(mutants).toHaveLength(8)
    expect(mutants.filter(({ path }) => path === 'a.js')).toHaveLength(4)
    expect(new Set(mutants.map(({ path, line }) => `${path}:${line}`)).size).toBe(8)
    expect(new Set(mutants.map(({ kind }) => kind))).toEqual(
      new Set(['comparison', 'boundary', 'logic', 'number']),
    )
  })

  it.each(['a.d.ts', 'dist/a.js', 'a.min.js', 'a.css', 'vendor/a.go'])('leaves %s alone', (path) => {
    expect(mutantsOf([source(path, 'let a = b < c')])).toEqual([])
  })
})
