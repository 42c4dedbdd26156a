/** What of a body is reached, what ends it early, and what hides its failures. */
import { describe, expect, it } from 'vitest'
import type { FileFacts } from '../facts.ts'
import { readJavaScriptFacts } from './read-facts.ts'

function factsOf(text: string, path = 'a.test.ts'): FileFacts {
  const read = readJavaScriptFacts(path, text)
  if (read.kind === 'unreadable') throw new Error(`unreadable: ${read.problem}`)
  return read.facts
}

const real = 'expect(add(1, 2)).toBe(3)'

function testOf(body: string, before = ''): FileFacts['tests'][number] {
  const [test] = factsOf(`${before}\ntest('a', async (t) => {\n${body}\n})`).tests
  if (test === undefined) throw new Error('no test')
  return test
}

describe('given assertions that never run', () => {
  it.each([
    `return; ${real}`,
    `if (true) return; ${real}`,
    `if (false) { ${real} }`,
    `if (1 > 2) { ${real} }`,
    `true || ${real}`,
    `false && ${real}`,
    `while (false) { ${real} }`,
    `for (const x of []) { ${real} }`,
    `[].forEach(() => { ${real} })`,
    `const check = () => { ${real} }`,
    `function check() { ${real} }`,
    `const check = () => { ${real} }; check`,
    `throw new Error('x'); ${real}`,
    `process.exit(0); ${real}`,
    `if (!(a || true)) throw new Error('x')`,
    `const never = false; if (never) { ${real} }`,
  ])('lists none: %s', (body) => {
    expect(testOf(body).assertions).toEqual([])
  })

  it.each([
    `if (true) { ${real} }`,
    `for (const x of xs) { ${real} }`,
    `xs.forEach(() => { ${real} })`,
    `const check = () => { ${real} }; check()`,
    `const check = () => { ${real} }; xs.forEach(check)`,
    `function check() { ${real} } check()`,
    `(() => { ${real} })()`,
    `await (async () => { ${real} })()`,
    `await waitFor(() => { ${real} })`,
    `await waitFor(() => ${real})`,
    `try { ${real} } finally { close() }`,
    `return promise.then(() => { ${real} })`,
    `render({ done: () => { ${real} } })`,
    `label: { ${real} }`,
    `{ ${real} }`,
  ])('lists it where it does run: %s', (body) => {
    expect(testOf(body)).toMatchObject({
      endsEarlyAt: null,
      swallowsAt: null,
      assertions: [{ subject: 'add(1,2)' }],
    })
  })

  it.each([
    `if (process.env.CI) { ${real} }`,
    `process.env.CI && ${real}`,
    `process.env.CI ? ${real} : undefined`,
    `switch (x) { case 1: ${real} }`,
  ])('says so where it runs only sometimes: %s', (body) => {
    expect(testOf(body).assertions).toMatchObject([{ isConditional: true }])
  })
})

describe('given a helper of the file', () => {
  it('takes its assertions for those of the test that calls it', () => {
    const helper = `function check(sum) { expect(sum).toBe(3) }`
    expect(testOf('check(add(1, 2))', helper).assertions).toMatchObject([
      { subject: 'sum', expected: '3', line: 1 },
    ])
    expect(factsOf(`${helper} test('a', () => { check(1) })`).helperAssertions).toMatchObject([
      { subject: 'sum' },
    ])
  })

  it('believes no helper that does nothing', () => {
    expect(testOf('assertSum(add(1, 2))', 'function assertSum() {}').assertions).toEqual([])
  })

  it('takes a throw for an assertion where the name says that it checks', () => {
    const sum = `if (a !== b) throw new Error('no')`
    expect(factsOf(`export function assertSame(a, b) { ${sum} }`).helperAssertions).toHaveLength(1)
    expect(factsOf(`export function load(a, b) { ${sum} }`).helperAssertions).toEqual([])
  })

  it('does not count what nothing calls', () => {
    expect(factsOf(`function check() { ${real} }`).helperAssertions).toEqual([])
    expect(factsOf(`export const check = () => { ${real} }`).helperAssertions).toHaveLength(1)
    expect(factsOf(`export default function () { ${real} }`).helperAssertions).toHaveLength(1)
    expect(factsOf(`export class Page { check() { ${real} } }`).helperAssertions).toHaveLength(1)
  })

  it('reads hooks and the top of the file as helpers', () => {
    expect(factsOf(`afterEach(() => { ${real} })`).helperAssertions).toHaveLength(1)
    expect(factsOf(real).helperAssertions).toHaveLength(1)
  })

  it('ends where helpers call each other in a circle', () => {
    const circle = `function a() { ${real}; b() } function b() { a() }`
    expect(testOf('a()', circle).assertions).toHaveLength(1)
  })
})

describe('given a body that ends early', () => {
  it.each([
    [`return\n${real}`, 3],
    [`if (true) return\n${real}`, 3],
    [`if (process.env.CI) return\n${real}`, 3],
    [`if (process.env.CI) { log(); return }\n${real}`, 3],
    [`if (process.env.CI) {\nreturn\n}\n${real}`, 4],
    [`expect(true).toBe(true)\nif (x) return\n${real}`, 4],
    [`expect(a).toBeDefined()\nif (x) return\n${real}`, 4],
    [`${real}\nreturn\n${real}`, 4],
    [`try { load() } catch { return }\n${real}`, 3],
    [`process.exit(0)\n${real}`, 3],
    [`if (x) process.exit()\n${real}`, 3],
    [`switch (x) { case 1: return }\n${real}`, 3],
    ['', 2],
    ['return', 2],
  ])('gives the line: %j', (body, line) => {
    expect(testOf(body).endsEarlyAt).toBe(line)
  })

  it.each([
    `${real}; return`,
    `return ${real}`,
    `return await Promise.all([${real}])`,
    `if (x) { expect(a).toBe(1); return } ${real}`,
    `${real}; if (x) return; cleanUp()`,
    `xs.forEach((x) => { if (!x) return; ${real} })`,
    `const f = () => { return 5 }; ${real}`,
    `if (x) throw new Error('x'); ${real}`,
    `for (const x of xs) { if (!x) continue; ${real} }`,
  ])('gives none where nothing is left out: %s', (body) => {
    expect(testOf(body).endsEarlyAt).toBeNull()
  })

  it('sees it in a helper too', () => {
    expect(testOf('check()', `function check() { if (process.env.CI) return; ${real} }`).endsEarlyAt).toBe(1)
  })
})

describe('given a handler around assertions', () => {
  it.each([
    `try { ${real} } catch {}`,
    `try { ${real} } catch (error) {}`,
    `try { ${real} } catch (error) { console.log(error) }`,
    `try { ${real} } catch { return }`,
    `try { ${real} } catch { expect(true).toBe(true) }`,
    `try { ${real} } catch (error) { if (false) throw error }`,
    `try { ${real} } finally { return }`,
    `try { check() } catch {} function check() { ${real} }`,
    `await expect(add()).resolves.toBe(3).catch(() => {})`,
    `await run().then(() => { ${real} }).catch(() => {})`,
    `await run(() => { ${real} }).then(done, () => {})`,
    `await Promise.allSettled([expect(add()).resolves.toBe(3)])`,
  ])('notes that failures are swallowed: %s', (body) => {
    expect(testOf(body).swallowsAt).toBe(3)
  })

  it.each([
    `try { ${real} } catch (error) { throw error }`,
    `try { ${real} } catch (error) { if (x) throw error }`,
    `try { ${real} } catch (error) { done(error) }`,
    `try { ${real} } catch (error) { t.fail(String(error)) }`,
    `try { add() } catch (error) { expect(error.message).toBe('x') }`,
    `try { add(); assert.fail() } catch (error) { expect(error.code).toBe('x') }`,
    `try { await load() } catch {} ${real}`,
    `await run().then(() => { ${real} }).catch((error) => { throw error })`,
    `await run().catch(() => {}); ${real}`,
  ])('notes none where they get through: %s', (body) => {
    expect(testOf(body).swallowsAt).toBeNull()
  })

  it('sees an empty handler in a wrapper', () => {
    const wrapper = `const safe = (name, run) => it(name, async () => { try { await run() } catch {} })`
    expect(factsOf(`${wrapper}\nsafe('a', () => { ${real} })`).tests).toMatchObject([
      { name: 'a', swallowsAt: 1 },
    ])
  })
})
