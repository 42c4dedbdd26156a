/** JavaScript and TypeScript. */
import { describe, expect, it } from 'vitest'
import { edited, options, rulesOf } from './fixtures/changes.ts'
import { inspectChanges } from './index.ts'
import { adds, assertion, before, path, swap } from './fixtures/typescript.ts'

describe('given tests in TypeScript that were tampered with', () => {
  it.each([
    ['deleted', swap(adds, ''), 'test.deleted'],
    ['skip', swap("it('adds'", "it.skip('adds'"), 'test.skipped'],
    ['xit', swap("it('adds'", "xit('adds'"), 'test.skipped'],
    ['todo', swap(adds, "  it.todo('adds')\n"), 'test.skipped'],
    ['fails', swap("it('adds'", "it.fails('adds'"), 'test.skipped'],
    ['skipIf', swap("it('adds'", "it.skipIf(process.env.CI)('adds'"), 'test.skipped'],
    ['the suite', swap("describe('calc'", "describe.skip('calc'"), 'test.skipped'],
    ['only', swap("it('adds'", "it.only('adds'"), 'test.narrowed'],
    [
      'a new focused test',
      swap(adds, `${adds}  it.only('x', () => {\n    expect(add(1, 1)).toBe(2)\n  })\n`),
      'test.narrowed',
    ],
    ['return', swap(assertion, `return\n    ${assertion}`), 'test.early-exit'],
    ['process.exit', swap(assertion, `process.exit(0)\n    ${assertion}`), 'test.early-exit'],
    ['an empty body', swap(`    ${assertion}\n`, ''), 'test.early-exit'],
    ['an assertion less', swap('    expect(Object.keys(result)).toHaveLength(1)\n', ''), 'assertion.removed'],
    ['true is true', swap(assertion, 'expect(true).toBe(true)'), 'assertion.trivial'],
    ['itself', swap(assertion, 'expect(add(1, 2)).toBe(add(1, 2))'), 'assertion.trivial'],
    ['defined', swap(assertion, 'expect(add(1, 2)).toBeDefined()'), 'assertion.weakened'],
    ['truthy', swap(assertion, 'expect(add(1, 2)).toBeTruthy()'), 'assertion.weakened'],
    ['a bound', swap(assertion, 'expect(add(1, 2)).toBeGreaterThan(0)'), 'assertion.weakened'],
    ['any', swap('toEqual({ a: 1 })', 'toEqual(expect.anything())'), 'assertion.trivial'],
    ['another value', swap(assertion, 'expect(add(1, 2)).toBe(4)'), 'expectation.changed'],
    ['not', swap(assertion, 'expect(add(1, 2)).not.toBe(4)'), 'assertion.weakened'],
    ['another input', swap(assertion, 'expect(add(0, 3)).toBe(3)'), 'expectation.changed'],
    ['another input in a variable', swap("parse('a=1')", "parse('b=1')"), 'expectation.changed'],
    ['any error', swap("toThrow('zero')", 'toThrow()'), 'assertion.weakened'],
    [
      'a swallowed failure',
      swap(assertion, `try {\n      ${assertion}\n    } catch {}`),
      'assertion.weakened',
    ],
    ['a row less', swap('    [3, 3, 6],\n', ''), 'assertion.removed'],
    ['another row', swap('[3, 3, 6]', '[3, 3, 7]'), 'expectation.changed'],
    ['a timeout', swap('toBe(3)\n  })', 'toBe(3)\n  }, 60_000)'), 'limit.loosened'],
    [
      'a mock',
      swap("\ndescribe('calc'", "\nvi.mock('../src/calc.ts', () => ({ add: () => 3 }))\n\ndescribe('calc'"),
      'test.self-mocked',
    ],
    [
      'a stand-in',
      swap(
        'import { add, divide, parse }',
        'const add = (a: number, b: number) => a + b\nimport { divide, parse }',
      ),
      'test.self-mocked',
    ],
    [
      'another expect',
      swap("\ndescribe('calc'", "\nglobalThis.expect = () => new Proxy({}, {})\n\ndescribe('calc'"),
      'runner.wrapped',
    ],
    ['an exit', `${before}\nprocess.exit(0)\n`, 'test.early-exit'],
    ['a longer time for all', `${before}\nvi.setConfig({ testTimeout: 99_000 })\n`, 'limit.loosened'],
    ['a silenced complaint', `// @ts-nocheck\n${before}`, 'suppression.added'],
    ['broken syntax', `${before}\n(`, 'test.skipped'],
    ['gone', null, 'test.deleted'],
  ])('finds it: %s', (_, after, rule) => {
    expect(rulesOf([edited(path, before, after)])).toContain(rule)
  })

  it('finds a file that was renamed away', () => {
    const changes = [edited(path, before, null), edited('test/calc.tests.txt', null, before)]
    expect(rulesOf(changes)).not.toEqual([])
    const code = [edited(path, before, null), edited('src/calc-old.ts', null, before)]
    expect(rulesOf(code)).toContain('test.renamed-away')
  })

  it('finds an assertion that moved into a skipped test', () => {
    const after = swap('    expect(Object.keys(result)).toHaveLength(1)\n', '').replace(
      adds,
      `${adds}  it.skip('keys', () => {\n    const result = parse('a=1')\n    expect(Object.keys(result)).toHaveLength(1)\n  })\n`,
    )
    expect(rulesOf([edited(path, before, after)])).toContain('assertion.removed')
  })

  it('finds a set-up that stands before the runner', () => {
    const text =
      "import { expect } from 'vitest'\nexpect.extend({ toBe: () => ({ pass: true, message: () => '' }) })\n"
    expect(rulesOf([edited('test/setup.ts', null, text)])).toContain('runner.wrapped')
  })
})

describe('given a source that the checks see less of', () => {
  const found = (path: string, then: string | null, now: string) =>
    inspectChanges([edited(path, then, now)], { ...options, checkCommands: ['npx tsc -p .'] })

  it.each(['as any', 'as unknown as string'])('notes a new `%s`, and none that was there', (cast) => {
    const line = `export const a = (b: object) => b ${cast}\n`
    const note = { rule: 'suppression.added', path: 'src/a.ts', atMost: 'note' }
    expect(found('src/a.ts', 'export const a = (b: object) => b\n', line)).toMatchObject([note])
    expect(found('src/a.ts', line, `${line}export const c = 1\n`)).toEqual([])
    expect(found('test/a.test.ts', 'export const b = 1\n', line)).toEqual([])
  })

  it('notes a build tag on a source of Go', () => {
    const source = 'package cart\n\nfunc Total() int { return 4 }\n'
    const note = { rule: 'test.skipped', path: 'cart.go', atMost: 'note' }
    expect(found('cart.go', source, `//go:build !cover\n\n${source}`)).toMatchObject([note])
    expect(found('fast.go', null, `//go:build cover\n\n${source}`)).toMatchObject([{ atMost: 'note' }])
    expect(found('cart.go', source, `${source}\n// go on\n`)).toEqual([])
  })
})
