import { UsageError } from '@donecheck/engine/base'

/** For what a promise rejects with. @param words what went wrong, with the way out */
export function toUsageError(words: (error: unknown) => string): (error: unknown) => never {
  return (error) => {
    throw new UsageError(words(error), { cause: error })
  }
}

/** What the work gives. @throws {UsageError} in these words where it throws anything */
export function orUsageError<Value>(work: () => Value, words: (error: unknown) => string): Value {
  try {
    return work()
  } catch (error) {
    return toUsageError(words)(error)
  }
}
