/** An order is a list of items with a price in cents and a quantity. */

export function itemCount(items) {
  return items.reduce((count, item) => count + item.quantity, 0)
}

/** From 100.00 on, ten per cent are taken off. */
export function total(items) {
  const sum = items.reduce((soFar, item) => soFar + item.price * item.quantity, 0)
  return sum > 10000 ? Math.round(sum * 0.9) : sum
}

/** Parcels are free from three items on. */
export function shipping(items) {
  return itemCount(items) >= 3 ? 0 : 495
}
