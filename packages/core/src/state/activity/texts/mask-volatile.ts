/** Two texts that differ only in when, how fast or under which name they came about say the same. */

const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)'
const timeUnit = '(?:[nuµμ]?s|ms|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|it/s|s/it|[kmg]?b/s)'

/** Times, marks of one request and numbers of attempts: they say nothing in a command line either. */
export const momentaryParts: readonly string[] = [
  // 2026-01-31T12:00:00.000Z
  String.raw`\b\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:z|[+-]\d\d:?\d\d)?)?`,
  // 31/01/2026, 31/Jan/2026:12:00:00 +0000
  String.raw`\b\d{1,2}/(?:\d{1,2}|${month})/\d{4}(?::\d\d:\d\d:\d\d(?: [+-]\d{4})?)?\b`,
  // 12:00:01.5
  String.raw`\b\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?\b(?: ?[ap]m\b)?`,
  // 123e4567-e89b-12d3-a456-426614174000
  String.raw`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`,
  // attempt 3, retry #4
  String.raw`\b(?:attempt|retry|try)[ =:#]{0,3}\d{1,9}`,
]

/** At one position the first that fits is taken. */
const volatileParts: readonly string[] = [
  // Colours and cursor moves of a terminal.
  String.raw`\u001b\[[\d;?]{0,20}[a-z]`,
  ...momentaryParts,
  // Mon, 05 Jan 2026; Jan  5
  String.raw`\b(?:(?:mon|tue|wed|thu|fri|sat|sun),? {1,2})?(?:\d{1,2} )?${month} {1,2}\d{1,4}\b`,
  // 10:32 PM
  String.raw`\b\d{1,2}:\d\d\b(?: ?[ap]m\b)?`,
  // 12 ms, 1.5s, 1086.89it/s, 3 MB/s
  String.raw`\b\d{1,15}(?:\.\d{1,15})?\s?${timeUnit}(?![a-z0-9_])`,
  // 0x7f3a91c0
  String.raw`\b0x[0-9a-f]+\b`,
  // A port on this machine.
  String.raw`(?<=\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0):)\d{4,5}\b`,
  // pid 4711, request 17, In [3]
  String.raw`\b(?:pid|process|request)[ =:#]{0,3}\d{1,9}(?![\w-])|\bin ?\[\d{1,9}\]`,
  // Seconds since 1970 and thousandths of them, of these years; other large numbers are results.
  String.raw`\b1[5-9]\d{8}(?:\d{3}){0,3}\b(?:\.\d{1,15})?`,
  // Names of temporary files, digests, request ids: letters and digits mixed.
  String.raw`\b(?=[a-z_]{0,63}\d)(?=\d{0,63}[a-z_])\w{8,64}\b`,
  // /tmp/tmp.kxQfWabZ
  String.raw`(?<=/)tmp[._]?\w{6,32}\b`,
]

/** Numbers that count something say how far it is, or how much of it there is: they stay. */
const counted = String.raw`\s{0,2}(?:%|tests?\b|failed|failures?|failing|pass(?:ed|ing)|error(?:s|ed)?|problems?|warnings?|of\b|/\d)`

const inSuccess = new RegExp(volatileParts.join('|'), 'gi')
/** Line numbers, ports and seeds, too. */
const inFailure = new RegExp([...volatileParts, String.raw`(?<!\d)\d+(?!\d|${counted})`].join('|'), 'gi')

/** The rest of a longer text is compared as it is: masking takes time. */
const maxMaskedLength = 64 * 1024

/**
 * @param failed a failure is compared more coarsely: its line numbers and seeds are masked, its counts are not
 * @returns the text with every volatile part as `#`
 */
export function maskVolatile(text: string, failed: boolean): string {
  const trimmed = text.trim()
  const masked = trimmed.slice(0, maxMaskedLength).replace(failed ? inFailure : inSuccess, '#')
  return masked + trimmed.slice(maxMaskedLength)
}
