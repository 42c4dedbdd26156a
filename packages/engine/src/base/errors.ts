/** Misuse and a broken environment, one class per cause: each names the value and the way out. */

/** A mistake in how donecheck was called or configured: exit code 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError'
}

/** A stored event that cannot be read. The rest of the store is untouched. */
export class CorruptEventError extends Error {
  override readonly name = 'CorruptEventError'
  readonly runId: string
  readonly sequence: number

  constructor(runId: string, sequence: number, problem: string) {
    super(`event ${sequence} of run ${runId} cannot be read: ${problem}`)
    this.runId = runId
    this.sequence = sequence
  }
}

/** The store cannot be opened, read or written as it is. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly place: string

  constructor(place: string, problem: string, options?: ErrorOptions) {
    super(`store ${place}: ${problem}`, options)
    this.place = place
  }
}

/** Somebody else holds the run or its folder, or has written to the stream. */
export class RunHeldError extends Error {
  override readonly name = 'RunHeldError'
}

/** What went wrong, for people: anything can be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
