/** Where tests went: to other names, other files, tables, helpers, or nowhere. */
import { describe, expect, it } from 'vitest'
import { edited } from '../fixtures/changes.ts'
import { explainChanges, type FileChange } from '../index.ts'

const test = (name: string, ...lines: readonly string[]) =>
  `it('${name}', () => {\n${lines.map((line) => `  ${line}\n`).join('')}})\n`
const adds = test('adds', 'expect(add(1, 2)).toBe(3)')
const subtracts = test('subtracts', 'expect(subtract(5, 2)).toBe(3)')
const divides = test('divides', "expect(() => divide(1, 0)).toThrow('zero')")
const said = (...changes: readonly FileChange[]) =>
  explainChanges(changes).map(({ rule, path, message }) => `${path} ${rule}: ${message}`)

describe('given tests that are somewhere else now', () => {
  it.each([
    ['in another file', [edited('a.test.ts', adds + subtracts, adds), edited('b.test.ts', null, subtracts)]],
    [
      'spread over two files',
      [
        edited('a.test.ts', adds + subtracts, null),
        edited('b.test.ts', null, adds),
        edited('c.test.ts', divides, divides + subtracts),
      ],
    ],
    [
      'in one test together',
      [
        edited(
          'a.test.ts',
          adds + subtracts,
          test('calculates', 'expect(add(1, 2)).toBe(3)', 'expect(subtract(5, 2)).toBe(3)'),
        ),
      ],
    ],
    ['under another name', [edited('a.test.ts', adds + subtracts, adds.replace('adds', 'sums') + subtracts)]],
    ['there once instead of twice', [edited('a.test.ts', adds + adds.replace('adds', 'sums'), adds)]],
    [
      'with a function that has another name everywhere',
      [
        edited('a.test.ts', adds, adds.replace('add(', 'sum(')),
        edited('src/calc.ts', 'export function add() {}', 'export function sum() {}'),
      ],
    ],
    [
      'a row of a table',
      [
        edited(
          'a.test.ts',
          adds + test('adds more', 'expect(add(2, 2)).toBe(4)'),
          'it.each([[1, 2, 3], [2, 2, 4]])("sums", (a, b, sum) => {\n  expect(add(a, b)).toBe(sum)\n})\n',
        ),
      ],
    ],
  ])('finds nothing gone where they are %s', (_, changes) => {
    expect(said(...changes)).toEqual([])
  })
})

describe('given tests that are nowhere any more', () => {
  it('names each of them, and the file where all of its tests are gone', () => {
    expect(said(edited('a.test.ts', adds + subtracts, adds))).toEqual([
      'a.test.ts test.deleted: subtracts is gone',
    ])
    expect(said(edited('a.test.ts', adds + subtracts, null))).toEqual([
      'a.test.ts test.deleted: the file with 2 tests is gone',
    ])
    expect(said(edited('a.test.ts', adds, ''))).toEqual([
      'a.test.ts test.deleted: the file with 1 test is gone',
    ])
  })

  it('takes no other assertion for a lost one, and no assertion for two', () => {
    const changes = [edited('a.test.ts', adds + subtracts, test('adds', 'expect(subtract(5, 2)).toBe(3)'))]
    expect(said(...changes).join('\n')).toMatch(/test\.deleted|assertion\.removed|expectation\.changed/u)
    const twice = test('adds', 'expect(add(1, 2)).toBe(3)', 'expect(add(1, 2)).toBe(3)')
    expect(said(edited('a.test.ts', twice, adds))).toHaveLength(1)
  })

  it('says where a test went that no runner finds', () => {
    const hidden = adds.replace("it('adds', () =>", 'export const adds = () =>').replace('})', '}')
    expect(said(edited('a.test.ts', adds + subtracts, hidden + subtracts))).toEqual([
      'a.test.ts test.renamed-away: adds became adds, which no runner looks for',
    ])
    expect(said(edited('a.test.ts', adds, null), edited('old/a.txt.ts', null, adds))).toEqual([
      'a.test.ts test.renamed-away: the file with 1 test became old/a.txt.ts, which no runner looks for',
    ])
  })

  it('says no more than twenty times that tests of one file are gone', () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      test(`adds ${index}`, `expect(add(${index}, 1000)).toBe(${index + 1000})`),
    )
    expect(said(edited('a.test.ts', [...many, subtracts].join(''), subtracts))).toHaveLength(20)
  })
})

describe('given helpers that assert', () => {
  const helper = (...lines: readonly string[]) =>
    `function checkSum(a, b, sum) {\n${lines.map((line) => `  ${line}\n`).join('')}}\n${test('adds', 'checkSum(1, 2, 3)')}`
  const strong = helper('expect(add(a, b)).toBe(sum)')

  it.each([
    ['is gone', helper('add(a, b)')],
    ['says less', helper('expect(add(a, b)).toBeDefined()')],
    ['always holds', helper('expect(sum).toBe(sum)')],
    ['asserts the opposite', helper('expect(add(a, b)).not.toBe(sum)')],
  ])('finds that an assertion of one %s', (_, after) => {
    expect(said(edited('a.test.ts', strong, after)).join()).toContain(
      'a.test.ts assertion.weakened: checkSum: `add(a,b) toBe sum` is gone or says less, for every test that calls it',
    )
  })

  it('finds nothing where one says more, or calls its parameters otherwise', () => {
    const more = helper('expect(add(a, b)).toBe(sum)', 'expect(add(b, a)).toBe(sum)')
    expect(said(edited('a.test.ts', strong, more))).toEqual([])
    expect(said(edited('a.test.ts', strong, helper('expect(add(x, y)).toStrictEqual(z)')))).toEqual([])
  })
})

describe('given tables of tests', () => {
  const table = (rows: string) =>
    `it.each(${rows})('adds', (a, b, sum) => {\n  expect(add(a, b)).toBe(sum)\n})\n`
  const three = table('[[1, 2, 3], [2, 2, 4], [3, 3, 6]]')

  it.each([
    ['fewer rows', table('[[1, 2, 3], [2, 2, 4]]'), /had 3 rows and has 2 rows/u],
    ['rows that nobody can count', table('rows'), /had 3 rows and has rows that cannot be counted/u],
    ['another row', table('[[1, 2, 3], [2, 2, 4], [3, 3, 7]]'), /no longer has the row/u],
  ])('says that one has %s', (_, after, message) => {
    expect(said(edited('a.test.ts', three, after)).join()).toMatch(message)
  })

  it('finds nothing where rows changed places, or came', () => {
    expect(said(edited('a.test.ts', three, table('[[3, 3, 6], [1, 2, 3], [2, 2, 4]]')))).toEqual([])
    expect(said(edited('a.test.ts', three, table('[[1, 2, 3], [2, 2, 4], [3, 3, 6], [4, 4, 8]]')))).toEqual(
      [],
    )
  })
})

describe('given matchers of many libraries', () => {
  const became = (before: string, after: string) =>
    explainChanges([edited('a.test.ts', test('adds', before), test('adds', after))]).map(({ rule }) => rule)

  it.each([
    ['assert.strictEqual(add(1, 2), 3)', 'assert.ok(add(1, 2))'],
    ['expect(add(1, 2)).to.equal(3)', 'expect(add(1, 2)).to.exist'],
    ['t.is(add(1, 2), 3)', 't.truthy(add(1, 2))'],
    ['expect(add(1, 2)).toBe(3)', 'expect(add(1, 2)).toBeLessThan(10)'],
    ['expect(find()).toBeNull()', 'expect(find()).not.toBe(3)'],
    ['expect(run).toThrow(RangeError)', 'expect(run).toThrow()'],
    ['expect(spy).toHaveBeenCalledTimes(2)', 'expect(spy).toHaveBeenCalled()'],
    ['expect(user).toHaveProperty("name", "Ada")', 'expect(user).toHaveProperty("name")'],
    ['expect(text()).toMatchInlineSnapshot(`"3"`)', 'expect(text()).toMatchInlineSnapshot()'],
  ])('finds that `%s` says more than `%s`', (strong, weak) => {
    expect(became(strong, weak)).toEqual(['assertion.weakened'])
    expect(became(weak, strong)).not.toContain('assertion.weakened')
  })

  it.each([
    ['expect(find()).toBeTruthy()', 'expect(find()).toBe(false)'],
    ['expect(add(1, 2)).toBe(3)', 'expect(add(1, 2)).toBe(4)'],
    ['await expect(load()).resolves.toBe(3)', 'await expect(load()).resolves.toBe(4)'],
  ])('finds that `%s` is no weaker than `%s`, and something else', (one, other) => {
    expect(became(one, other)).toEqual(['expectation.changed'])
    expect(became(one, one)).toEqual([])
  })
})
