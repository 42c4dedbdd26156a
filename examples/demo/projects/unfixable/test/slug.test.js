import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTooLong, slug } from '../src/slug.js'

test('blanks become hyphens', () => {
  assert.equal(slug(' Hello big World '), 'hello-big-world')
})

test('letters lose their accents', () => {
  assert.equal(slug('Crème brûlée'), 'creme-brulee')
})

test('forty characters are not too long', () => {
  assert.equal(isTooLong('a'.repeat(40)), false)
  assert.equal(isTooLong('a'.repeat(41)), true)
})
