/** ISO 8601 in UTC; `unknown` for a number that is no time. */
export function isoTime(ms: number): string {
  const time = new Date(ms)
  return Number.isNaN(time.getTime()) ? 'unknown' : time.toISOString()
}
