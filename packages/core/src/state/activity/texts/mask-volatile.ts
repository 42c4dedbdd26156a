/**
 * Two results that differ only in when, how fast or under which name they came about say the same. A text is read once, from its start
 * to its end, by hand: patterns that are tried one after the other cost fifty times as much on a text of numbers.
 */
import { runningHash } from './text-hash.ts'
import {
  calendarEnd,
  cellEnd,
  endOfCount,
  digitsEnd,
  durationEnd,
  generationEnd,
  escapeEnd,
  isAddress,
  isCounting,
  kind,
  kindAt,
  momentEnd,
  uuidEnd,
} from './volatile-parts.ts'

/** Of an id such as `123e4567-e89b-12d3-a456-426614174000`. */
const uuidHead = 8
/** Names of temporary files, hashes, request ids: letters and digits mixed. */
const fewestNameUnits = 8
const maxNameUnits = 64

const escape = 27

/** Where the masked parts of a text begin and end, in turn. */
type Cuts = readonly number[]

/**
 * @param failed a failure is compared more coarsely: its line numbers and seeds are masked, its counts are not
 * @returns the text with every volatile part as `#`
 */
export function maskVolatile(text: string, failed: boolean): string {
  const trimmed = text.trim()
  let [masked, from] = ['', 0]
  const cuts = cutsOf(trimmed, failed)
  for (let at = 0; at < cuts.length; at += 2) {
    masked += `${trimmed.slice(from, cuts[at])}#`
    from = cuts[at + 1] ?? from
  }
  return masked + trimmed.slice(from)
}

/** The hash of the masked text with some text in front of it, without making it. */
export function hashMasked(front: string, text: string, failed: boolean): string {
  const trimmed = text.trim()
  const hash = runningHash()
  hash.add(front)
  let from = 0
  const cuts = cutsOf(trimmed, failed)
  for (let at = 0; at < cuts.length; at += 2) {
    hash.addPart(trimmed, from, cuts[at] ?? from)
    hash.add('#')
    from = cuts[at + 1] ?? from
  }
  hash.addPart(trimmed, from, trimmed.length)
  return hash.digest()
}

function cutsOf(text: string, failed: boolean): Cuts {
  const cuts: number[] = []
  for (let at = 0; at < text.length;) {
    let kinds = kindAt(text, at)
    if (kinds === 0 && text.charCodeAt(at) !== escape) {
      at += 1
      continue
    }
    let wordEnd = at + 1
    for (let found = kinds; found !== 0; wordEnd += 1) {
      found = kindAt(text, wordEnd)
      if (found === 0) break
      kinds |= found
    }
    const end = kinds === 0 ? escapeEnd(text, at) : volatileEnd(text, at, wordEnd, kinds)
    if (end !== -1) cuts.push(at, end)
    else if (failed && (kinds & kind.digit) !== 0) cutNumbers(cuts, text, at, wordEnd)
    at = end === -1 ? wordEnd : end
  }
  return cuts
}

/** Behind what is volatile and begins with a word; -1: the word stays. */
function volatileEnd(text: string, from: number, wordEnd: number, kinds: number): number {
  if ((kinds & kind.digit) === 0) return endOfLetters(text, from, wordEnd)
  const isNumber = kinds === kind.digit
  if (kindAt(text, from) === kind.digit) {
    const moment = isNumber ? momentEnd(text, from, wordEnd) : -1
    const end = moment === -1 ? durationEnd(text, from) : moment
    if (end !== -1) return end
  } else {
    const end = endOfCount(text, from, wordEnd)
    if (end !== -1) return end
  }
  const size = wordEnd - from
  if (size === uuidHead && text[wordEnd] === '-') {
    const end = uuidEnd(text, from)
    if (end !== -1) return end
  }
  if (isNumber) return generationEnd(text, from, wordEnd)
  const isName = size >= fewestNameUnits && size <= maxNameUnits
  return isName || isAddress(text, from, wordEnd) ? wordEnd : -1
}

/** Words without a digit: most of them, so they are told by their length first. */
function endOfLetters(text: string, from: number, wordEnd: number): number {
  switch (wordEnd - from) {
    case 2:
      return cellEnd(text, from, wordEnd)
    case 3: {
      const end = calendarEnd(text, from, wordEnd)
      return end === -1 ? endOfCount(text, from, wordEnd) : end
    }
    case 5:
    case 7:
      return endOfCount(text, from, wordEnd)
    case uuidHead:
      return text[wordEnd] === '-' ? uuidEnd(text, from) : -1
    default:
      return -1
  }
}

function cutNumbers(cuts: number[], text: string, from: number, wordEnd: number): void {
  for (let at = from; at < wordEnd; at += 1) {
    const end = digitsEnd(text, at)
    if (end === at) continue
    if (!isCounting(text, end)) cuts.push(at, end)
    at = end
  }
}
