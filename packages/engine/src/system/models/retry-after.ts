/** Longest wait that a provider may ask for; a longer one is cut to it, and the next refusal asks again. */
export const maxRetryAfterMs = 120_000

/**
 * How long a provider asks us to wait: `retry-after-ms`, or `retry-after` in seconds or as a date.
 * Undefined where it does not say, or names a time that has passed: then the caller's own back-off holds.
 * @param headers names in lower case
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const asked = milliseconds(headers['retry-after-ms']) ?? secondsOrDate(headers['retry-after'], nowMs)
  return asked === undefined || asked <= 0 ? undefined : Math.min(maxRetryAfterMs, Math.ceil(asked))
}

function milliseconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}

function secondsOrDate(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined
  const seconds = milliseconds(text)
  if (seconds !== undefined) return seconds * 1000
  const dateMs = Date.parse(text)
  return Number.isNaN(dateMs) ? undefined : dateMs - nowMs
}
