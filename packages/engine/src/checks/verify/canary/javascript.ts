/** Planted tests of JavaScript and TypeScript: text that is added at the end of a test file. */
import type { Shift } from './falsify/words.ts'
import { javascriptComparisons } from './own-statements.ts'

export interface PlantedText {
  /** Stands in the names of the planted tests of this file. */
  readonly mark: string
  /** Where the planted tests write what they have seen. */
  readonly trace: string
  readonly shift: Shift
  /** The planted tests hold comparisons of the file, with other values. Not beside false comparisons: product may read either. */
  readonly compares: boolean
}

/** @returns what to add to the file */
export function javascriptTests(path: string, text: string, planted: PlantedText): string {
  const { mark, trace, shift, compares } = planted
  const runner = runnerIn(text)
  const parameter = /\.[cm]?tsx?$/u.test(path) ? 't: any' : 't'
  // Older projects let no newer syntax into their tests.
  const functionOf = (statement: string): string =>
    `${/\bawait\b/u.test(statement) ? 'async ' : ''}function (${parameter}) {\n${statement}\n}`
  const comparisons = (compares ? javascriptComparisons(text, shift) : []).map(
    ({ stated, falsified }) => `[${functionOf(stated)}, ${functionOf(falsified)}]`,
  )
  const test = testOf(runner, `${mark}t`, text)
  return [
    '\n/* eslint-disable */',
    ...test.lines,
    '// prettier-ignore',
    `;new Function('mark', 'trace', 'kind', 'test', 'expect', 'comparisons', ${JSON.stringify(body)})(${[
      JSON.stringify(mark),
      JSON.stringify(reversed(trace)),
      JSON.stringify(runner),
      test.name,
      test.expect,
      `[${comparisons.join(',\n')}]`,
    ].join(', ')});\n`,
  ].join('\n')
}

/** The path as nobody looks for it who wants to know that he is watched. The planted tests turn it round again. */
export function reversed(text: string): string {
  return Array.from(text).reverse().join('')
}

type Runner = 'vitest' | 'node-test' | 'ava' | 'globals'

function runnerIn(text: string): Runner {
  if (/(?:from|require\()\s*['"]vitest['"]/u.test(text)) return 'vitest'
  if (/['"]node:test['"]/u.test(text)) return 'node-test'
  return /(?:from|require\()\s*['"]ava['"]/u.test(text) ? 'ava' : 'globals'
}

function testOf(runner: Runner, name: string, text: string) {
  const isRequired = /require\(\s*['"]ava['"]\s*\)/u.test(text)
  if (runner === 'vitest')
    return {
      lines: [`import { test as ${name}, expect as ${name}e } from 'vitest'`],
      name,
      expect: `${name}e`,
    }
  if (runner !== 'ava') return { lines: [], name: 'undefined', expect: 'undefined' }
  const line = isRequired ? `const ${name} = require('ava')` : `import ${name} from 'ava'`
  return { lines: [line], name, expect: 'undefined' }
}

/**
 * Runs after the product was loaded, in its process and realm. It is built from a text, so that no compiler, linter or
 * measurement of coverage of the project looks into it. It says: `loaded` at the end of the file, `bad` with what is not as
 * it must be, the name of each planted test (`fails` of the one that must fail, `last` at the end of the last one), and `end` where there
 * is no runner to give a test to.
 */
const body = String.raw`
const host = globalThis.process
if (typeof host?.getBuiltinModule !== 'function') return
const builtin = (name) => host.getBuiltinModule(name)
const { appendFileSync } = builtin('node:fs')
const place = [...trace].reverse().join('')
const say = (word, more) => appendFileSync(place, mark + ' ' + word + ' ' + (more ?? '') + '\n')
const falls = (work) => { try { work() } catch { return true } return false }
const one = Math.floor(Date.now() % 1000), other = one + 1
const assertions = () => {
  const assert = builtin('node:assert')
  for (const [name, from] of [['assert', assert], ['assert.strict', assert.strict], ['assert/strict', builtin('node:assert/strict')]]) {
    const statements = {
      equal: [one, other], strictEqual: [one, other], deepEqual: [[one], [other]], deepStrictEqual: [[one], [other]],
      notEqual: [one, one], notStrictEqual: [one, one], notDeepStrictEqual: [[one], [one]], ok: [false],
      throws: [() => undefined], match: ['a' + one, /^b/],
    }
    if (!falls(() => from(false))) say('bad', name + '(false) passes')
    for (const [key, words] of Object.entries(statements))
      if (typeof from[key] === 'function' && !falls(() => from[key](...words))) say('bad', name + '.' + key + ' passes for a false statement')
  }
}
const language = () => {
  const fresh = builtin('node:vm').runInNewContext('globalThis')
  const textOf = (value) => fresh.Function.prototype.toString.call(value)
  for (const name of ['Object', 'Function', 'Array', 'String', 'Number', 'Boolean', 'Map', 'Set', 'RegExp', 'JSON', 'BigInt'])
    for (const [place, own, known] of [[name, globalThis[name], fresh[name]], [name + '.prototype', globalThis[name]?.prototype, fresh[name].prototype]]) {
      if (own === undefined || own === null || known === undefined) continue
      for (const key of fresh.Reflect.ownKeys(known)) {
        const now = fresh.Object.getOwnPropertyDescriptor(own, typeof key === 'symbol' ? key : String(key))
        const first = fresh.Object.getOwnPropertyDescriptor(known, key)
        for (const part of ['value', 'get'])
          if (typeof first[part] === 'function' && typeof now?.[part] === 'function' && now[part].mock === undefined && textOf(now[part]) !== textOf(first[part]))
            say('bad', place + '.' + String(key) + ' is not the one of the language')
      }
    }
}
const expectations = () => {
  const expects = expect ?? globalThis.expect
  if (typeof expects !== 'function' || typeof expects(one)?.toBe !== 'function') return
  if (!falls(() => expects(one).toBe(other))) say('bad', 'expect().toBe passes for a false statement')
  if (!falls(() => expects([one]).toEqual([other]))) say('bad', 'expect().toEqual passes for a false statement')
}
const passes = async (t, work) => {
  if (kind !== 'ava') try { await work(t); return true } catch { return false }
  const attempt = await t.try((inner) => work(inner))
  attempt.discard()
  return attempt.passed
}
const compare = async (t) => {
  for (const [stated, falsified] of comparisons) {
    if (!(await passes(t, stated)) || !(await passes(t, falsified))) continue
    say('bad', 'a comparison of this file passes with another value as well')
  }
}
const last = async (t, word = 'last') => {
  assertions()
  language()
  expectations()
  await compare(t)
  if (kind === 'ava') t.pass()
  say(word)
}
const first = () => { say('fails'); throw new Error('must fail') }
say('loaded')
language()
const native = kind === 'node-test' ? builtin('node:test').test : test ?? (typeof globalThis.it === 'function' ? globalThis.it : globalThis.test)
if (typeof native !== 'function') { void last(undefined, 'end'); return }
const plant = () => {
  if (kind === 'node-test') native(mark + ' fails', { todo: true }, first)
  else if (typeof native.fails === 'function') native.fails(mark + ' fails', first)
  else if (typeof native.failing === 'function') native.failing(mark + ' fails', first)
  native(mark + ' last', kind === 'globals' ? async () => last() : async (t) => last(t))
}
// Tests outside of suites come first, wherever they stand.
const suite = kind === 'globals' ? globalThis.describe ?? globalThis.suite : undefined
if (typeof suite === 'function') suite(mark, plant)
else plant()
`
