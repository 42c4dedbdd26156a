/** 53-bit hash in base 36, after "cyrb53" by bryc (public domain). Not for security. */
export function textHash(text: string): string {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  const one = mixBits(high, 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  const other = mixBits(low, 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909)
  return (4294967296 * (2097151 & other) + (one >>> 0)).toString(36)
}

function mixBits(half: number, factor: number): number {
  return Math.imul(half ^ (half >>> 16), factor)
}

const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)'
const timeUnit = '(?:[nuµμ]?s|ms|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|it/s|s/it|[kmg]?b/s)'

/** Times, request ids and attempt numbers, meaningless in commands too. */
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

const volatileParts: readonly string[] = [
  // Terminal colors and cursor moves.
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
  // Current Unix timestamps in s, ms and finer; other large numbers are results.
  String.raw`\b1[5-9]\d{8}(?:\d{3}){0,3}\b(?:\.\d{1,15})?`,
  // Names of temporary files, digests, request ids: mixed letters and digits.
  String.raw`\b(?=[a-z_]{0,63}\d)(?=\d{0,63}[a-z_])\w{8,64}\b`,
  // /tmp/tmp.kxQfWabZ
  String.raw`(?<=/)tmp[._]?\w{6,32}\b`,
]

/** Numbers that count something are meaningful and stay. */
const counted = String.raw`\s{0,2}(?:%|tests?\b|failed|failures?|failing|pass(?:ed|ing)|error(?:s|ed)?|problems?|warnings?|of\b|/\d)`

const inSuccess = new RegExp(volatileParts.join('|'), 'gi')
/** Also masks line numbers, ports and seeds. */
const inFailure = new RegExp([...volatileParts, String.raw`(?<!\d)\d+(?!\d|${counted})`].join('|'), 'gi')

/** The rest of a longer text is compared unmasked, to save time. */
const maxMaskedLength = 64 * 1024

/**
 * @param failed masks line numbers and seeds too, but keeps counts
 * @returns the text with every volatile part as `#`
 */
export function maskVolatile(text: string, failed: boolean): string {
  const trimmed = text.trim()
  const masked = trimmed.slice(0, maxMaskedLength).replace(failed ? inFailure : inSuccess, '#')
  return masked + trimmed.slice(maxMaskedLength)
}

/** Keeps the lines with the smallest hashes (MinHash), so similar texts mostly share them. */
const keptLines = 16
const hashLength = 7
/** In a shorter text one different line matters. */
const fewestLines = 6
/** One line in this many may differ. */
const linesOfOther = 8

/** Ignores blanks and numbers that count nothing. */
export function lineSketch(text: string): string {
  const lines = maskVolatile(text, true)
    .replace(/[^\S\n]+/g, '')
    .split('\n')
  const hashes = new Set(lines.filter((line) => line !== '').map((line) => textHash(line).slice(-hashLength)))
  return [...hashes].sort().slice(0, keptLines).join(' ')
}

export function saysNearlyTheSame(one: string, other: string): boolean {
  if (one === other) return true
  const [lines, others] = [one.split(' '), new Set(other.split(' '))]
  const most = Math.max(lines.length, others.size)
  if (most < fewestLines) return false
  const shared = lines.filter((line) => others.has(line)).length
  return most - shared <= Math.max(1, Math.floor(most / linesOfOther))
}

/** Longer texts are judged by their end. */
const maxChantLength = 8000
const fewestCharacters = 400
/** Ratio of the reply, from its end, that repeats one passage. */
const share = 0.6
const shortestPassage = 8
const fewestRepeats = 5

/** A closed fence. An unclosed one holds no code: a chanting agent never closes it. */
const fenced = /^[ \t]*(```|~~~).*\n[\s\S]*?^[ \t]*\1.*$/gm
/** Table rows, quotes, headings, list items, rules and ASCII art. */
const built = /^[ \t]*(?:[|>#]|[-*+•]\s|\d{1,4}[.)]\s|[^\p{L}\p{N}\n]*$).*$/gmu
const data = /^\s*[[{][\s\S]*[\]}]\s*$/

/** Whether a reply repeats one passage. Lists, tables, code and data do not count. */
export function chants(text: string): boolean {
  if (text.length < fewestCharacters || data.test(text)) return false
  const end = text.slice(-maxChantLength)
  const prose = flat(end.replace(fenced, '').replace(built, ''))
  const ending = prose.slice(-Math.ceil(flat(end).length * share))
  if (ending.length < flat(end).length * share) return false
  for (let period = 1; period * fewestRepeats <= ending.length; period += 1)
    if (ending.startsWith(ending.slice(period))) return period >= shortestPassage
  return false
}

function flat(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, ' ')
}
