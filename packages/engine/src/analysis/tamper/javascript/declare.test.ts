/** How tests are declared and marked, runner by runner. */
import { describe, expect, it } from 'vitest'
import type { FileFacts } from '../facts.ts'
import { readJavaScriptFacts } from './read-facts.ts'

function factsOf(text: string, path = 'a.test.ts'): FileFacts {
  return readJavaScriptFacts(path, text)
}

const body = '() => { expect(add(1, 2)).toBe(3) }'

function onlyTest(text: string): FileFacts['tests'][number] {
  const { tests } = factsOf(text)
  const [first] = tests
  if (first === undefined || tests.length > 1) throw new Error(`${tests.length} tests in ${text}`)
  return first
}

describe('given a test in the words of a runner', () => {
  it.each([
    ['vitest, jest, mocha', `it('adds', ${body})`],
    ['another word', `test('adds', ${body})`],
    ['mocha', `specify('adds', ${body})`],
    ['tagged title', `it(\`adds\`, ${body})`],
    ['concurrent', `it.concurrent('adds', ${body})`],
    ['a new name', `import { it as spec } from 'vitest'; spec('adds', ${body})`],
    ['a second name', `const t = test; t('adds', ${body})`],
    ['a whole module', `import * as v from 'vitest'; v.it('adds', ${body})`],
    ['required', `const { test: check } = require('node:test'); check('adds', ${body})`],
    ['node:test by its own name', `import run from 'node:test'; run('adds', ${body})`],
    ['the global object', `globalThis.it('adds', ${body})`],
    ['Deno', `Deno.test('adds', ${body})`],
    ['Deno, as an object', `Deno.test({ name: 'adds', fn: ${body} })`],
    ['Deno, as a method', `Deno.test({ name: 'adds', fn() { expect(add(1, 2)).toBe(3) } })`],
    ['Deno, by the name of the function', `Deno.test(function adds() { expect(add(1, 2)).toBe(3) })`],
    ['QUnit', `QUnit.test('adds', ${body})`],
    ['ava', `import test from 'ava'; test('adds', ${body})`],
    ['ava serial', `import test from 'ava'; test.serial('adds', ${body})`],
    ['tap', `import tap from 'tap'; tap.test('adds', ${body})`],
    ['Playwright fixtures', `const test = base.extend({}); test('adds', ${body})`],
    ['a wrapped body', `it('adds', fakeAsync(${body}))`],
    ['a body with a name', `const body = ${body}; it('adds', body)`],
    ['a type argument', `it<Context>('adds', ${body})`],
    ['a type assertion', `(it as any)('adds', ${body})`],
    [
      'a wrapper',
      `function check(name, run) { it(name, async () => { await run() }) } check('adds', ${body})`,
    ],
    [
      'an own runner',
      `function test(name, run) { try { run() } catch (e) { failed++ } } test('adds', ${body})`,
    ],
    ['options before the body', `it('adds', { timeout: 1 }, ${body})`],
  ])('reads it: %s', (_, text) => {
    expect(onlyTest(text)).toMatchObject({
      name: 'adds',
      skip: 'none',
      isFocused: false,
      assertions: [{ subject: 'add(1,2)', matcher: 'toBe', expected: '3', strength: 'exact' }],
    })
  })

  it('names it by the suites around it', () => {
    const text = `describe('a', () => { context("b", () => { it('c', () => {}) }) })`
    expect(onlyTest(text).name).toBe('a > b > c')
  })

  it('names subtests by their parent, and keeps their assertions apart', () => {
    const text = `test('a', async (t) => { t.assert.equal(f(), 1); await t.test('b', () => { assert.equal(g(), 2) }) })`
    expect(
      factsOf(text).tests.map(({ name, assertions }) => [name, assertions.map(({ subject }) => subject)]),
    ).toEqual([
      ['a > b', ['g()']],
      ['a', ['f()']],
    ])
  })

  it('reads the tests that an exported function declares for others', () => {
    expect(onlyTest(`export function contract(make) { it('adds', ${body}) }`).name).toBe('adds')
  })

  it('makes the white space of titles equal', () => {
    expect(onlyTest(`it(\`adds   \${a}\`, ${body})`).name).toBe(
      onlyTest(`it(\`adds   \${ a }\`, ${body})`).name,
    )
  })
})

describe('given calls that only look like a test', () => {
  it.each([
    `const matches = pattern.test('text')`,
    `it.each(patterns)`,
    `const setup = () => {}; setup()`,
    `suite.run()`,
    `const test = { name: 'x' }; test.name`,
    `test.use({ locale: 'de' })`,
    `const it = items[Symbol.iterator](); it.next()`,
    `if (false) { it('a', () => {}) }`,
  ])('finds none: %s', (text) => {
    expect(factsOf(text).tests).toEqual([])
  })
})

describe('given a test that is skipped', () => {
  it.each([
    `it.skip('a', f)`,
    `it['skip']('a', f)`,
    'it[`skip`](`a`, f)',
    `const word = 'skip'; it[word]('a', f)`,
    `it['sk' + 'ip']('a', f)`,
    `xit('a', f)`,
    `xtest('a', f)`,
    `it.concurrent.skip('a', f)`,
    `it.skip.each([1])('a', f)`,
    `it.todo('a')`,
    `it('a')`,
    `it('a', { skip: true }, f)`,
    `it('a', { skip: 'later' }, f)`,
    `it('a', { todo: true }, f)`,
    `Deno.test({ name: 'a', ignore: true, fn: f })`,
    `Deno.test.ignore('a', f)`,
    `test.fixme('a', f)`,
    `it.skipIf(true)('a', f)`,
    `it.runIf(false)('a', f)`,
    `(true ? it.skip : it)('a', f)`,
    `describe.skip('s', () => { it('a', f) })`,
    `xdescribe('s', () => { it('a', f) })`,
    `describe('s', { skip: true }, () => { it('a', f) })`,
    `describe('s', () => { describe.skip('u', () => { it('a', f) }) })`,
    `import { it as spec } from 'vitest'; const t = spec.skip; t('a', f)`,
    `const quiet = (name, run) => it.skip(name, run); quiet('a', f)`,
    `it('a', (t) => { t.skip(); f() })`,
    `it('a', function () { this.skip() })`,
    `it('a', (t) => { t.todo('later') })`,
    `it('a', () => { test.skip() })`,
    `it('a', () => { test.fixme(true, 'later') })`,
    `it('a', ({ skip }) => { skip() })`,
    `it('a', () => { pending() })`,
  ])('says always: %s', (text) => {
    expect(onlyTest(text).skip).toBe('always')
  })

  it.each([
    `it.skipIf(isWindows)('a', f)`,
    `it.runIf(process.env.CI)('a', f)`,
    `(process.env.CI ? it.skip : it)('a', f)`,
    `const maybe = process.env.CI ? it : it.skip; maybe('a', f)`,
    `const maybe = process.env.CI ? it : () => {}; maybe('a', f)`,
    `it('a', { skip: process.env.CI }, f)`,
    `if (process.env.CI) it('a', f)`,
    `if (process.env.CI) { describe('s', () => { it('a', f) }) }`,
    `process.env.CI && it('a', f)`,
    `it('a', (t) => { if (process.env.CI) t.skip(); f() })`,
    `it('a', (ctx) => { ctx.skip(isWindows, 'not here') })`,
    `test('a', ({ page }) => { test.skip(isMobile, 'not here') })`,
  ])('says conditional: %s', (text) => {
    expect(onlyTest(text).skip).toBe('conditional')
  })

  it.each([
    `it.fails('a', f)`,
    `it.failing('a', f)`,
    `test.fail('a', f)`,
    `test('a', () => { test.fail() })`,
    `it('a', { fails: true }, f)`,
  ])('says expected to fail: %s', (text) => {
    expect(onlyTest(text).skip).toBe('expected-to-fail')
  })

  it.each([
    `it('a', f)`,
    `it.skipIf(false)('a', f)`,
    `it.runIf(true)('a', f)`,
    `(false ? it.skip : it)('a', f)`,
    `it('a', { skip: false }, f)`,
    `if (true) it('a', f)`,
    `it('a', (t) => { if (false) t.skip(); f() })`,
    `it('a', (t) => { items.skip(1) })`,
  ])('says none: %s', (text) => {
    expect(onlyTest(text).skip).toBe('none')
  })
})

describe('given a test that leaves the others out', () => {
  it.each([
    `it.only('a', f)`,
    `it['only']('a', f)`,
    `fit('a', f)`,
    `describe.only('s', () => { it('a', f) })`,
    `fdescribe('s', () => { it('a', f) })`,
    `it('a', { only: true }, f)`,
    `it.only.each([1])('a', f)`,
    `Deno.test({ name: 'a', only: true, fn: f })`,
    `import { fit as it } from 'jasmine'; it('a', f)`,
    `const t = it.only; t('a', f)`,
  ])('is focused: %s', (text) => {
    expect(onlyTest(text).isFocused).toBe(true)
  })
})

describe('given a table of tests', () => {
  it.each([
    [`it.each([[1, 2], [3, 4]])('a', f)`, 2, ['[1,2]', '[3,4]']],
    [`it.for([1, 2, 3])('a', f)`, 3, ['1', '2', '3']],
    [`const rows = [1, 2]; it.each(rows)('a', f)`, 2, ['1', '2']],
    ['it.each`a | b\n${1} | ${2}\n${3} | ${4}`("a", f)', 2, ['1|2', '3|4']],
    [`it.each([])('a', f)`, 0, []],
  ])('counts its rows: %s', (text, cases, rows) => {
    expect(onlyTest(text)).toMatchObject({ cases, rows })
  })

  it('does not count what is not a literal', () => {
    expect(onlyTest(`it.each(load())('a', f)`)).toMatchObject({ cases: null })
    expect(onlyTest(`it('a', f)`)).toMatchObject({ cases: null })
  })
})
