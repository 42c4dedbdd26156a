import type { Ids } from '../ports/loop.ts'

/** Digits of the number, so that later names sort after earlier ones. */
const digits = 6

/** Names that a test can foretell: `event-000001`, `event-000002`, ... */
export function countingIds(prefix = 'event'): Ids {
  let count = 0
  return {
    next() {
      count += 1
      return `${prefix}-${String(count).padStart(digits, '0')}`
    },
  }
}
