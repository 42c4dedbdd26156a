/** Whole runs of agents side by side, but not all at once: the machine has few processors. */

/** Starts the jobs in their order, `limit` at a time. Each is waited for by itself. */
export function atMost<Value>(
  limit: number,
  jobs: readonly (() => Promise<Value>)[],
): readonly Promise<Value>[] {
  const places = jobs.map((job) => ({ job, ...Promise.withResolvers<Value>() }))
  const queue = places.values()
  const work = async () => {
    for (const { job, resolve, reject } of queue) await job().then(resolve, reject)
  }
  for (let started = 0; started < limit; started++) void work()
  return places.map(({ promise }) => {
    // Whoever waits for it later still sees it.
    promise.catch(() => undefined)
    return promise
  })
}
