/** What stands beside the tests: exits, mocks, overrides, suppressions; and the limits of the reader itself. */
import { describe, expect, it } from 'vitest'
import type { FileFacts } from '../facts.ts'
import { readJavaScriptFacts } from './read-facts.ts'

function factsOf(text: string, path = 'a.test.ts'): FileFacts {
  const read = readJavaScriptFacts(path, text)
  if (read.kind === 'unreadable') throw new Error(`unreadable: ${read.problem}`)
  return read.facts
}

describe('given ends of the whole process', () => {
  it.each([
    `process.exit(0)`,
    `process.exit()`,
    `process['exit'](0)`,
    `globalThis.process.exit(0)`,
    `afterAll(() => { process.exit(0) })`,
    `process.on('exit', () => { process.exitCode = 0 })`,
    `process.exitCode = undefined`,
    `process.exit(Number(false))`,
    `const status = 0; process.exit(status)`,
    `process.reallyExit(0)`,
    `process.kill(process.pid)`,
    `Deno.exit(0)`,
    `import { exit } from 'node:process'; exit(0)`,
    `const { exit } = require('process'); exit(0)`,
    `import p from 'node:process'; p.exit(0)`,
    `it('a', () => { process.exit(0) })`,
  ])('notes %s', (text) => {
    expect(factsOf(text).exits).toHaveLength(1)
  })

  it.each([
    `process.exit(1)`,
    `process.exitCode = 1`,
    `process.exit(failed ? 1 : 0)`,
    `process.exit(code)`,
    `door.exit(0)`,
  ])('does not note %s, which hides nothing', (text) => {
    expect(factsOf(text).exits).toEqual([])
  })
})

describe('given mocks', () => {
  it.each([
    [`vi.mock('./add')`, './add'],
    [`vi.mock('./add', () => ({ add: () => 3 }))`, './add'],
    [`vi.mock(import('./add.ts'))`, './add.ts'],
    [`jest.mock('./add')`, './add'],
    [`jest.unstable_mockModule('./add', f)`, './add'],
    [`mock.module('./add', {})`, './add'],
    [`test('a', (t) => { t.mock.module('./add', {}) })`, './add'],
    [`mock.method(calc, 'add', () => 3)`, 'calc.add'],
    [`vi.spyOn(calc, 'add').mockReturnValue(3)`, 'calc.add'],
    [`vi.mocked(add).mockImplementation(() => 3)`, 'add'],
    [`sinon.stub(calc, 'add').returns(3)`, 'calc.add'],
    [`proxyquire('./add', {})`, './add'],
    [`td.replace('./add')`, './add'],
    [`import * as calc from './calc'; calc.add = () => 3`, './calc.add'],
    [`import { Calc } from './calc'; Calc.prototype.add = () => 3`, './calc.prototype.add'],
  ])('names what %s replaces', (text, name) => {
    expect(factsOf(text).mocks).toEqual([{ line: 1, text: name }])
  })

  it.each([`vi.spyOn(calc, 'add')`, `vi.fn()`, `const list = []; list.length = 0`, `calc.mock('x')`])(
    'finds none in %s',
    (text) => {
      expect(factsOf(text).mocks).toEqual([])
    },
  )
})

describe('given something that overwrites the runner', () => {
  it.each([
    `globalThis.expect = () => ({ toBe() {} })`,
    `global.it = (name) => {}`,
    `globalThis['it'] = () => {}`,
    `expect = () => ({ toBe() {} })`,
    `import assert from 'node:assert'; assert.equal = () => {}`,
    `import * as a from 'node:assert'; a.equal = () => {}`,
    `assert.ok = function () {}`,
    `chai.Assertion.prototype.equal = () => {}`,
    `Object.defineProperty(assert, 'equal', { value: () => {} })`,
    `Object.assign(assert, { equal() {} })`,
    `Object.defineProperty(globalThis, 'expect', { value: f })`,
    `Reflect.set(globalThis, 'it', () => {})`,
    `vi.spyOn(assert, 'equal').mockReturnValue()`,
    `vi.stubGlobal('expect', f)`,
    `vi.mock('vitest', () => ({}))`,
    `jest.mock('node:assert')`,
    `expect.extend({ toBe() { return { pass: true, message: () => '' } } })`,
    `expect.extend({ toBe(a, b) { return { pass: a === b } } })`,
    `expect.extend({ toBeSum() { return { pass: true } } })`,
    `const matchers = { toEqual: () => ({ pass: true }) }; expect.extend(matchers)`,
    `function expect() { return { toBe() {} } }`,
    `const expect = () => new Proxy({}, {})`,
    `const assert = { equal() {} }`,
    `function it(name, run) { console.log(name) }`,
    `process.exit = () => {}`,
    `Object.is = () => true`,
  ])('notes %s', (text) => {
    expect(factsOf(text).overrides).toHaveLength(1)
  })

  it.each([
    `import { expect } from 'chai'; globalThis.expect = expect`,
    `global.expect = require('chai').expect`,
    `expect.extend({ toBeSum(a) { return { pass: a === 3 } } })`,
    `import * as matchers from 'jest-dom'; expect.extend(matchers)`,
    `const it = test.extend({})`,
    `function assert(ok) { if (!ok) throw new Error('no') }`,
    `function test(name, run) { run(); console.log(name) }`,
    `let test; beforeEach(() => { test = make() })`,
    `globalThis.fetch = () => {}`,
    `const test = { name: 'x' }`,
    `expect(a).toBe(b)`,
  ])('does not note %s', (text) => {
    expect(factsOf(text).overrides).toEqual([])
  })
})

describe('given comments that switch something off', () => {
  it.each([
    ['/* eslint-disable */', 'eslint-disable'],
    ['// eslint-disable-next-line no-undef, eqeqeq -- old code', 'eslint-disable-next-line no-undef, eqeqeq'],
    ['// @ts-ignore', '@ts-ignore'],
    ['// @ts-nocheck', '@ts-nocheck'],
    ['// @ts-expect-error it is meant', '@ts-expect-error'],
    ['/* istanbul ignore next */', 'istanbul ignore next'],
    ['/* c8 ignore start */', 'c8 ignore start'],
    ['/* v8 ignore next 3 */', 'v8 ignore next 3'],
    ['// biome-ignore lint/a: why', 'biome-ignore lint/a'],
    ['// deno-lint-ignore no-explicit-any', 'deno-lint-ignore no-explicit-any'],
  ])('notes %s', (comment, text) => {
    expect(factsOf(`add()\n${comment}\nadd()`).suppressions).toEqual([{ line: 2, text }])
  })

  it.each(['// prettier-ignore', '// eslint is good', '/* global it */'])('does not note %s', (comment) => {
    expect(factsOf(comment).suppressions).toEqual([])
  })

  it('does not read texts as comments', () => {
    expect(factsOf(`const a = '// @ts-ignore'`).suppressions).toEqual([])
  })
})

describe('given functions that are no tests', () => {
  it('lists them with their bodies', () => {
    const text = `function adds() { expect(add(1)).toBe('1'); }\nit('x', () => { const inner = () => {} })`
    expect(factsOf(text).functions).toEqual([{ name: 'adds', line: 1, body: 'expect(add(1)).toBe("1")' }])
  })
})

describe('given a file of some dialect', () => {
  it.each([
    ['a.test.ts', `it('a', (): void => { expect(<number>f()).toBe(1 as number) })`],
    ['a.test.mts', `it('a', () => { expect(f()!).toBe(1) })`],
    ['a.test.tsx', `it('a', () => { expect(<A b="c" />).toBe(1) })`],
    ['a.test.jsx', `it('a', () => { expect(<A />).toBe(1) })`],
    ['a.test.js', `// @flow\nit('a', (x: number) => { expect(f((x: any))).toBe(1) })`],
    ['a.test.cjs', `const a = require('a'); it('a', () => { expect(a).toBe(1) })`],
    ['a.test.mjs', `await load(); it('a', () => { expect(f()).toBe(1) })`],
    [
      'a.test.ts',
      `@a class B { constructor(@c d: string) {} @e() f() {} }\nit('a', () => { expect(f()).toBe(1) })`,
    ],
    ['a.test.js', `#!/usr/bin/env node\nit('a', () => { expect(f()).toBe(1) })`],
    ['a.test.js', `\uFEFFit('a', () => { expect(f()).toBe(1) })`],
  ])('reads %s: %s', (path, text) => {
    expect(factsOf(text, path).tests).toMatchObject([{ name: 'a', assertions: [{ matcher: 'toBe' }] }])
  })

  it.each([
    ['no program', 'it("a", () => {'],
    ['too deep', `it('a', () => ${'('.repeat(50_000)}1${')'.repeat(50_000)})`],
    ['too deep, in calls', `${'f('.repeat(20_000)}1${')'.repeat(20_000)}`],
    ['too deep, in members', `a${'.b()'.repeat(200_000)}`],
    ['too long', 'a;'.repeat(2 ** 20)],
  ])('says that it cannot read what is %s', (_, text) => {
    expect(readJavaScriptFacts('a.test.js', text)).toMatchObject({ kind: 'unreadable' })
  })
})
