import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Store } from './store.mjs'

function filled() {
  const store = new Store()
  store.set('a', 1)
  return store
}

test('gives what was set', () => assert.equal(filled().get('a'), 1))
test('knows nothing else', () => assert.equal(filled().get('b'), undefined))
test('has what was set', () => assert.ok(filled().has('a')))
test('lists its keys', () => assert.deepEqual(filled().keys(), ['a']))
test('is empty at first', () => assert.deepEqual(new Store().keys(), []))
