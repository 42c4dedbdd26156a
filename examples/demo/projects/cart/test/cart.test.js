import assert from 'node:assert/strict'
import { test } from 'node:test'
import { itemCount, shipping, total } from '../src/cart.js'

const book = { price: 2500, quantity: 1 }

test('items are counted with their quantities', () => {
  assert.equal(itemCount([book, { ...book, quantity: 4 }]), 5)
})

test('a small order costs what its items cost', () => {
  assert.equal(total([book]), 2500)
  assert.equal(
    total([
      { ...book, quantity: 3 },
      { price: 2499, quantity: 1 },
    ]),
    9999,
  )
})

test('an order of exactly 10000 gets the discount', () => {
  assert.equal(total([{ ...book, quantity: 4 }]), 9000)
})

test('a large order gets the discount', () => {
  assert.equal(total([{ ...book, quantity: 8 }]), 18000)
})

test('parcels are free from three items on', () => {
  assert.equal(shipping([{ ...book, quantity: 2 }]), 495)
  assert.equal(shipping([{ ...book, quantity: 3 }]), 0)
})
