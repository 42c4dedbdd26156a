import { describe, expect, it } from 'vitest'
import { excusedPaths } from './excused-paths.ts'
import { edited, version } from './fixtures/changes.ts'

const text = "it('adds', () => {\n  expect(add(1, 2)).toBe(3)\n})\n"
const path = 'test/calc.test.ts'
const excused = (...changes: Parameters<typeof excusedPaths>[0]) => [...excusedPaths(changes)].toSorted()

describe('given a changed file of tests', () => {
  it('excuses another layout', () => {
    expect(excused(edited(path, text, text.replaceAll(')\n', ');\n')))).toEqual([path])
  })

  it.each([
    ['another expectation', text.replace('toBe(3)', 'toBe(4)')],
    ['a test more, which may patch', `${text}it('x', () => { Math.add = () => 3 })\n`],
    ['a line more, which may end the test', text.replace('  expect', '  return\n  expect')],
    ['a skipped test', text.replace('it(', 'it.skip(')],
    ['a focused test', `${text}it.only('x', () => {})\n`],
    ['a text that cannot be read', `${text}(\``],
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
