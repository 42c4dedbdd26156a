/** What the implementer can think of, in the order in which it does: two of them overlook something. */
interface Approach {
  readonly name: string
  readonly source: string
}

const store = (get: string, has: string, keys: string) => `export class Store {
  #entries = new Map()
  #now

  constructor(now = Date.now) {
    this.#now = now
  }

  set(key, value, ttlMs = Infinity) {
    this.#entries.set(key, { value, expiresAtMs: this.#now() + ttlMs })
  }

  get(key) {
    return ${get}
  }

  has(key) {
    return ${has}
  }

  keys() {
    return ${keys}
  }

  #isFresh({ expiresAtMs }) {
    return this.#now() < expiresAtMs
  }
}
`
const entry = 'this.#entries.get(key)'
const freshHas = `this.#entries.has(key) && this.#isFresh(${entry})`
const freshGet = `this.has(key) ? ${entry}.value : undefined`

export const approaches: readonly Approach[] = [
  {
    name: 'keep the time',
    source: store(`${entry}?.value`, 'this.#entries.has(key)', '[...this.#entries.keys()]'),
  },
  { name: 'look at the clock', source: store(freshGet, freshHas, '[...this.#entries.keys()]') },
  {
    name: 'filter the keys',
    source: store(freshGet, freshHas, '[...this.#entries.keys()].filter((key) => this.has(key))'),
  },
]

export const newTests = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Store } from './store.mjs'

function afterMs(ms, ttlMs) {
  let nowMs = 1000
  const store = new Store(() => nowMs)
  store.set('a', 1, ttlMs)
  nowMs += ms
  return store
}

test('stays without a time to live', () => assert.equal(afterMs(1e9).get('a'), 1))
test('is there until then', () => assert.equal(afterMs(9, 10).get('a'), 1))
test('is gone for get and has', () => {
  assert.equal(afterMs(10, 10).get('a'), undefined)
  assert.ok(!afterMs(10, 10).has('a'))
})
test('is gone for keys', () => assert.deepEqual(afterMs(10, 10).keys(), []))
`
