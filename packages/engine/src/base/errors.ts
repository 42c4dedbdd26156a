/** Errors work across copies of this library in one process: `instanceof` matches them all. */

/** A mistake in how donecheck was called or configured: exit code 2. */
export class UsageError extends Error {
  static {
    shareAmongCopies(this, 'UsageError')
  }

  override readonly name: string = 'UsageError'
}

export class CorruptEventError extends Error {
  static {
    shareAmongCopies(this, 'CorruptEventError')
  }

  override readonly name = 'CorruptEventError'
  readonly runId: string
  readonly sequence: number

  constructor(runId: string, sequence: number, problem: string) {
    super(`event ${sequence} of run ${runId} cannot be read: ${problem}`)
    this.runId = runId
    this.sequence = sequence
  }
}

export class StoreError extends Error {
  static {
    shareAmongCopies(this, 'StoreError')
  }

  override readonly name = 'StoreError'
  readonly place: string

  constructor(place: string, problem: string, options?: ErrorOptions) {
    super(`store ${place}: ${problem}`, options)
    this.place = place
  }
}

/** Another process holds the run or its folder, or has written to the stream. */
export class RunHeldError extends Error {
  static {
    shareAmongCopies(this, 'RunHeldError')
  }

  override readonly name = 'RunHeldError'
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns a code such as `ENOENT`; undefined if it is not a system error. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** @param name the same in every copy, even if minified */
function shareAmongCopies(kind: { readonly prototype: Error }, name: string): void {
  const brand = Symbol.for(`donecheck.${name}`)
  Object.defineProperty(kind.prototype, brand, { value: true })
  Object.defineProperty(kind, Symbol.hasInstance, {
    value(this: unknown, error: unknown): boolean {
      // A subclass uses the default check.
      if (this !== kind) return Function.prototype[Symbol.hasInstance].call(this, error)
      return typeof error === 'object' && error !== null && brand in error
    },
  })
}
