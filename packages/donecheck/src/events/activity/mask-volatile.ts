/** Two results that differ only in when, how fast or under which name they came about say the same. */

/** What a run of the same thing changes by itself; each is linear in the length of the text. */
const volatileParts: readonly RegExp[] = [
  // Colours and cursor moves of a terminal.
  // eslint-disable-next-line no-control-regex
  /\u001b\[[0-9;?]*[a-zA-Z]/g,
  // 2026-01-31T12:00:00.000Z, 2026-01-31 12:00, 31/01/2026, 12:00:00.5
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g,
  /\b\d\d?\/\d\d?\/\d{4}\b/g,
  /\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?\b/g,
  // 12 ms, 1.5s, 1086.89it/s, 3 MB/s
  /\b\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|s|secs?|seconds?|mins?|minutes?|it\/s|s\/it|[kMG]?B\/s)\b/gi,
  // Addresses, cells of a notebook, ids, process numbers, numbers of attempts.
  /\b0x[0-9a-f]+\b/gi,
  /\bIn ?\[\d+\]/g,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  /\b(?:pid|process|attempt|retry)[ =:#]{0,3}\d+/gi,
  // Names of temporary files, hashes, request ids: letters and digits mixed, 8 or more.
  /\b(?=[a-z_]{0,64}\d)(?=\d{0,64}[a-z_])[a-z0-9_]{8,64}\b/gi,
  // Seconds since 1970, and thousandths of them: of these years. Other large numbers are results.
  /\b1[5-9]\d{8}(?:\d{3}){0,3}(?:\.\d+)?\b/g,
]

/** A number that counts something stays; another one, in a failure, is a place or a seed. */
const otherNumbers =
  /(\d+)(?=\s{0,2}(?:%|tests?\b|failed|failures?|failing|passed|passing|errors?|errored|problems?|warnings?|of\b))|\d+/gi

/**
 * What every volatile part has some of: a digit, an escape, or the first letters of an id without a digit. Most texts have none of
 * them, and to make the patterns takes longer than to use them.
 */
// eslint-disable-next-line no-control-regex
const volatileSign = /[\d\u001b]|[a-f]{8}-/i

/** Whether there may be something in a text that a run of the same thing changes by itself. */
export function mayBeVolatile(text: string): boolean {
  return volatileSign.test(text)
}

/**
 * @param failed a failure is compared more coarsely: its line numbers and seeds are masked, its counts are not
 * @returns the text with every volatile part as `#`
 */
export function maskVolatile(text: string, failed: boolean): string {
  if (!mayBeVolatile(text)) return text.trim()
  let masked = text
  for (const part of volatileParts) masked = masked.replace(part, '#')
  if (failed) masked = masked.replace(otherNumbers, (_whole, count: string | undefined) => count ?? '#')
  return masked.trim()
}
