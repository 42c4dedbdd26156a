const countsPerBucket = 10
const maxKeys = 256

/** Says whether a warning is told: once per key and ten counts. The key that is oldest in the list goes when there are too many. */
export function warningBuckets(): (warningKey: string, count: number) => boolean {
  const buckets = new Map<string, number>()
  return (warningKey, count) => {
    const bucket = Math.floor(count / countsPerBucket)
    if (bucket <= (buckets.get(warningKey) ?? 0)) return false
    buckets.set(warningKey, bucket)
    const [oldest] = buckets.keys()
    if (buckets.size > maxKeys && oldest !== undefined) buckets.delete(oldest)
    return true
  }
}
