import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nights, overlap, price } from '../src/booking.js'

const stay = { arrival: 10, departure: 14 }

test('nights are counted', () => {
  assert.equal(nights(stay), 4)
})

test('stays with a common night overlap', () => {
  assert.ok(overlap(stay, { arrival: 13, departure: 20 }))
  assert.ok(overlap({ arrival: 13, departure: 20 }, stay))
  assert.ok(overlap(stay, { arrival: 11, departure: 12 }))
})

test('a guest may come on the day when another leaves', () => {
  assert.ok(!overlap(stay, { arrival: 14, departure: 16 }))
  assert.ok(!overlap({ arrival: 14, departure: 16 }, stay))
})

test('every seventh night is free', () => {
  assert.equal(price(stay), 320)
  assert.equal(price({ arrival: 1, departure: 8 }), 480)
})
