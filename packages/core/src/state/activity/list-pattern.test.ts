import { describe, expect, it } from 'vitest'
import { listPattern } from './calls.ts'

const patternOf = (command: string, result = '1 problem') => listPattern('bash', { command }, result)

describe('given two calls that differ in the paths alone', () => {
  it.each([
    ['lint src/a.ts', 'lint lib/b.ts'],
    ['lint a.ts', 'lint b.ts'],
    ['make -C one/a check', 'make -C other/b check'],
    ['lint "src/a.ts" --config=x.json', 'lint "src/b.ts" --config=x.json'],
  ])('%s and %s are of one pattern', (one, other) => {
    expect(patternOf(one)).toBeDefined()
    expect(patternOf(one)).toBe(patternOf(other))
  })
})

describe('given calls that are no two pieces of a list', () => {
  it.each([
    ['lint src/a.ts', 'test src/a.ts'],
    ['run a.ts --limit 1', 'run a.ts --limit 2'],
  ])('%s and %s are of two patterns', (one, other) => {
    expect(patternOf(one)).not.toBe(patternOf(other))
  })

  it('tells tools apart', () => {
    expect(listPattern('lint', { path: 'a.ts' }, '')).not.toBe(listPattern('test', { path: 'a.ts' }, ''))
  })

  it.each(['npm test', 'connect --as alpha', 'wait 1.5', `lint ${'a.ts '.repeat(400)}`])(
    '%s has none',
    (command) => {
      expect(patternOf(command)).toBeUndefined()
    },
  )

  it.each(['cat: a.ts: No such file or directory', 'Error: file not found', 'ENOENT', 'a.ts does not exist'])(
    'has none where the result is "%s"',
    (result) => {
      expect(patternOf('cat a.ts', result)).toBeUndefined()
    },
  )
})
