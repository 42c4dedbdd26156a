/** The door of a store: every method passes through it, so that all of them fail alike. */

/** Runs synchronous work and rejects with a `StoreError` where the store is closed or broken. */
export type Attempt = <Result>(work: () => Result) => Promise<Result>

export const closedProblem = 'it is closed: open it again'
