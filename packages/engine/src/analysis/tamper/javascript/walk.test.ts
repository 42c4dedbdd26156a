/** What of a body is reached. */
import { describe, expect, it } from 'vitest'
import type { FileFacts } from '../facts.ts'
import { readJavaScriptFacts } from './read-facts.ts'

function factsOf(text: string, path = 'a.test.ts'): FileFacts {
  return readJavaScriptFacts(path, text)
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
    `if (false) { ${real} }`,
    `const check = () => { ${real} }`,
    `function check() { ${real} }`,
    `throw new Error('x'); ${real}`,
    `process.exit(0); ${real}`,
    `const never = false; if (never) { ${real} }`,
  ])('lists none: %s', (body) => {
    expect(testOf(body).assertions).toEqual([])
  })

  it.each([
    `if (true) { ${real} }`,
    `for (const x of xs) { ${real} }`,
    `xs.forEach(() => { ${real} })`,
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
    expect(testOf(body)).toMatchObject({ assertions: [{ subject: 'add(1,2)' }] })
  })

  it.each([
    `if (process.env.CI) { ${real} }`,
    `process.env.CI && ${real}`,
    `process.env.CI ? ${real} : undefined`,
    `switch (x) { case 1: ${real} }`,
  ])('lists it where it may run: %s', (body) => {
    expect(testOf(body).assertions).toHaveLength(1)
  })
})

describe('given a function of the file', () => {
  it('has its assertions, whoever calls it', () => {
    const { functions, tests } = factsOf(
      `function check(sum) { expect(sum).toBe(3) } test('a', () => { check(1) })`,
    )
    expect(functions).toMatchObject([{ name: 'check', assertions: [{ subject: 'sum', expected: '3' }] }])
    expect(tests).toMatchObject([{ assertions: [] }])
  })
})

describe('given a name that leads to itself by many ways', () => {
  it('is followed by one of them', () => {
    const names = Array.from({ length: 40 }, (_, index) => `t${index}`)
    const lines = names.map((name, index) => `const ${name} = flag ? t${index + 1}.a : t${index + 1}.b`)
    const text = `${lines.join('\n')}\nconst t40 = flag ? it : t0\nt0('a', () => { ${real} })`
    expect(factsOf(text).tests.length).toBeLessThan(2)
  })

  it('is not followed through functions that call each other', () => {
    const lines = Array.from(
      { length: 60 },
      (_, index) => `function w${index}(name, run) { w${index + 1}(name, run); w${index + 1}(name, run) }`,
    )
    const text = `${lines.join('\n')}\nfunction w60(name, run) { it(name, run) }\nw60('a', () => { ${real} })`
    expect(factsOf(text).tests.length).toBeLessThan(2)
  })
})
