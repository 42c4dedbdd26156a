/**
 * What a run of the same thing changes by itself, looked for at one place of a text. Each look reads a bounded number of units, or a
 * number that it has at once behind it, so a text is read a bounded number of times whatever stands in it.
 */

/** Kinds of ASCII units, as bits: those of words, and those with which something may begin. */
export const kind = { digit: 1, hexLetter: 2, otherLetter: 4, underscore: 8 } as const
const initial = { unit: 16, count: 32, counted: 64 } as const
const inWord = 15

const kinds = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit)
  const bit = (pattern: RegExp, bit: number) => (pattern.test(character) ? bit : 0)
  return (
    bit(/\d/, kind.digit) |
    bit(/[a-f]/i, kind.hexLetter) |
    bit(/[g-z]/i, kind.otherLetter) |
    bit(/_/, kind.underscore) |
    bit(/[numshikgb]/i, initial.unit) |
    bit(/[%tfpewo/]/i, initial.count) |
    bit(/[par]/i, initial.counted)
  )
})

/** 0 for what is no part of a word, and behind the end. */
export function kindAt(text: string, index: number): number {
  return bitsAt(text, index) & inWord
}

function bitsAt(text: string, index: number): number {
  // Reading beyond the end of the text, or of the table, costs more than asking: it gives no number, and all after it is slow.
  if (index >= text.length) return 0
  const unit = text.charCodeAt(index)
  return unit < 128 ? (kinds[unit] ?? 0) : 0
}

/** The end of the digits from an index on: the index itself where there are none. */
export function digitsEnd(text: string, from: number): number {
  let end = from
  while (kindAt(text, end) === kind.digit) end += 1
  return end
}

function hasDigits(text: string, from: number, count: number): boolean {
  for (let index = from; index < from + count; index += 1)
    if (kindAt(text, index) !== kind.digit) return false
  return true
}

function isBoundary(text: string, index: number): boolean {
  return kindAt(text, index) === 0
}

/** Such as `2026-01-31T12:00:00.000Z`, `31/01/2026`, `12:00:00.5`, `9:05 PM`. -1: no such thing begins there. */
export function momentEnd(text: string, from: number, wordEnd: number): number {
  const length = wordEnd - from
  const next = text[wordEnd]
  if (length === 4 && next === '-') return dayEnd(text, from)
  if (length > 2) return -1
  if (next === ':') return clockEnd(text, wordEnd)
  if (next === '/') return slashedDayEnd(text, wordEnd)
  return next === ' ' ? monthEnd(text, wordEnd + 1) : -1
}

function dayEnd(text: string, from: number): number {
  if (!hasDigits(text, from + 5, 2) || text[from + 7] !== '-' || !hasDigits(text, from + 8, 2)) return -1
  const end = from + 10
  const between = text[end]
  if ((between !== 'T' && between !== ' ') || !hasDigits(text, end + 1, 2) || text[end + 3] !== ':')
    return end
  if (!hasDigits(text, end + 4, 2)) return end
  return zoneEnd(text, secondsEnd(text, end + 6))
}

/** From behind the minutes on. */
function secondsEnd(text: string, from: number): number {
  if (text[from] !== ':' || !hasDigits(text, from + 1, 2)) return from
  const isFraction = text[from + 3] === '.' || text[from + 3] === ','
  const end = isFraction ? digitsEnd(text, from + 4) : from + 3
  return end === from + 4 ? from + 3 : end
}

function zoneEnd(text: string, from: number): number {
  const detection = text[from]
  if (detection === 'Z') return from + 1
  if ((detection !== '+' && detection !== '-') || !hasDigits(text, from + 1, 2)) return from
  const minutes = text[from + 3] === ':' ? from + 4 : from + 3
  return hasDigits(text, minutes, 2) ? minutes + 2 : from
}

/** @param colon behind the hours */
function clockEnd(text: string, colon: number): number {
  if (!hasDigits(text, colon + 1, 2)) return -1
  const minutes = colon + 3
  const seconds = secondsEnd(text, minutes)
  const end = isBoundary(text, seconds) ? seconds : minutes
  if (!isBoundary(text, end)) return -1
  const half = text[end] === ' ' ? end + 1 : end
  if (!'aApP'.includes(text[half] ?? '.')) return end
  return /^[ap]m$/i.test(text.slice(half, half + 2)) && isBoundary(text, half + 2) ? half + 2 : end
}

function slashedDayEnd(text: string, slash: number): number {
  const other = digitsEnd(text, Math.min(slash + 1, text.length))
  const length = other - slash - 1
  if (length < 1 || length > 2 || text[other] !== '/') return -1
  return hasDigits(text, other + 1, 4) && isBoundary(text, other + 5) ? other + 5 : -1
}

const months = /^(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)$/
const weekdays = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)$/

/** Behind the day: `Jan 2026`. */
function monthEnd(text: string, from: number): number {
  if (!months.test(text.slice(from, from + 3)) || text[from + 3] !== ' ') return -1
  return hasDigits(text, from + 4, 4) && isBoundary(text, from + 8) ? from + 8 : -1
}

/** Such as `Mon, `, `Jan  5`, before what else there is of a moment. -1: the word is no part of one. */
export function calendarEnd(text: string, from: number, wordEnd: number): number {
  if (wordEnd - from !== 3) return -1
  const first = text.charCodeAt(from)
  if (first > 90 || first < 65) return -1
  const word = text.slice(from, wordEnd)
  const isDay = weekdays.test(word)
  if (!isDay && !months.test(word)) return -1
  let next = isDay && text[wordEnd] === ',' ? wordEnd + 1 : wordEnd
  while (text[next] === ' ' && next < wordEnd + 3) next += 1
  if (next === wordEnd) return -1
  if (isDay)
    return kindAt(text, next) === kind.digit || months.test(text.slice(next, next + 3)) ? wordEnd : -1
  const end = digitsEnd(text, next)
  return end > next && end - next <= 2 ? end : -1
}

/** Behind one blank or none. Of a rate a word holds a part only. */
const timeUnit =
  /^(?:[nuµμ]?s|ms|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|it\/s|s\/it|[kmg]?b\/s)(?![a-z0-9_])/i
/** Of a unit, and of what stands behind it. */
const maxUnitLength = 9

/** Such as `12 ms`, `1.5s`, `1086.89it/s`, `3 MB/s`. -1: no such thing begins there. */
export function durationEnd(text: string, from: number): number {
  const whole = digitsEnd(text, from)
  const fraction = text[whole] === '.' ? digitsEnd(text, whole + 1) : whole
  const number = fraction > whole + 1 ? fraction : whole
  const start = isBlank(text.charCodeAt(number)) ? number + 1 : number
  const first = text.charCodeAt(start)
  if ((bitsAt(text, start) & initial.unit) === 0 && first !== 0xb5 && first !== 0x3bc) return -1
  const unit = timeUnit.exec(text.slice(start, start + maxUnitLength))
  return unit === null ? -1 : start + unit[0].length
}

const counts =
  /^\s{0,2}(?:%|tests?\b|failed|failures?|failing|pass(?:ed|ing)|error(?:s|ed)?|problems?|warnings?|of\b|\/\d)/i
/** Of what stands behind a number that counts something. */
const maxDigits = 11

/** A number that ends there counts something: it says how far it is, or how much of it there is. */
export function isCounting(text: string, end: number): boolean {
  let next = end
  while (next < end + 2 && isBlank(text.charCodeAt(next))) next += 1
  return (bitsAt(text, next) & initial.count) !== 0 && counts.test(text.slice(end, end + maxDigits))
}

function isBlank(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13) || unit === 0xa0
}

/** Seconds since 1970, and thousandths of them: of these years. Other large numbers are results. */
export function generationEnd(text: string, from: number, wordEnd: number): number {
  const length = wordEnd - from
  if (length < 10 || length > 19 || length % 3 !== 1 || text[from] !== '1') return -1
  if (text.charCodeAt(from + 1) < 53) return -1
  const end = text[wordEnd] === '.' ? digitsEnd(text, wordEnd + 1) : wordEnd
  return end === wordEnd + 1 ? wordEnd : end
}

const uuidDashes = [8, 13, 18, 23]

export function uuidEnd(text: string, from: number): number {
  for (let at = 8; at < 36; at += 1) {
    const found = kindAt(text, from + at)
    const isFitting = uuidDashes.includes(at)
      ? text[from + at] === '-'
      : found === kind.digit || found === kind.hexLetter
    if (!isFitting) return -1
  }
  return isBoundary(text, from + 36) ? from + 36 : -1
}

const counted = /^(?:pid|process|attempt|retry)/i
/** Of a word that is counted. */
const longestCounted = 7

/** Such as `pid 4711`, `retry #3`: process numbers, numbers of attempts. -1: nothing is counted there. */
export function endOfCount(text: string, from: number, wordEnd: number): number {
  if ((bitsAt(text, from) & initial.counted) === 0) return -1
  const word = counted.exec(text.slice(from, Math.min(wordEnd, from + longestCounted)))
  if (word === null) return -1
  let next = from + word[0].length
  const latest = next + 3
  while (next < latest && ' =:#'.includes(text[next] ?? '.')) next += 1
  const end = digitsEnd(text, next)
  return end > next ? end : -1
}

/** A cell of a notebook, `In [3]`. */
export function cellEnd(text: string, from: number, wordEnd: number): number {
  if (wordEnd - from !== 2 || text[from] !== 'I' || text[from + 1] !== 'n') return -1
  const bracket = text[wordEnd] === ' ' ? wordEnd + 1 : wordEnd
  if (text[bracket] !== '[') return -1
  const end = digitsEnd(text, bracket + 1)
  return end > bracket + 1 && text[end] === ']' ? end + 1 : -1
}

/** `0x` and digits. */
export function isAddress(text: string, from: number, wordEnd: number): boolean {
  if (text[from] !== '0' || (text[from + 1] !== 'x' && text[from + 1] !== 'X')) return false
  for (let at = from + 2; at < wordEnd; at += 1)
    if ((kindAt(text, at) & (kind.digit | kind.hexLetter)) === 0) return false
  return wordEnd > from + 2
}

/** Colours and cursor moves of a terminal. */
export function escapeEnd(text: string, from: number): number {
  if (text[from + 1] !== '[') return -1
  let end = from + 2
  while (kindAt(text, end) === kind.digit || text[end] === ';' || text[end] === '?') end += 1
  const last = kindAt(text, end)
  return last === kind.hexLetter || last === kind.otherLetter ? end + 1 : -1
}
