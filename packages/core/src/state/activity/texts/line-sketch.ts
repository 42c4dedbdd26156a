/** What a result says line by line: two that differ in a counter, or in one line of many such as an advert, say nearly the same. */
import { digitsEnd, isCounting } from './volatile-parts.ts'

/** Lines that are kept of a text: those with the least hashes, so of two texts that are alike mostly the same ones. */
const keptLines = 16
/** In a shorter text one other line is another text. */
const fewestLines = 6
/** One line of so many may be another one. */
const linesOfOther = 8

const newLine = 10
const firstPrintable = 33
const numberSign = 35
const zero = 48
const nine = 57
/** Of FNV-1a, signed like what is made of it: a number beyond 31 bits would make the loop count in floating point. */
const firstHash = 0x811c9dc5 | 0

/** Linear in the length of the text. Blanks say nothing, nor do numbers that count nothing (`isCounting`). */
export function lineSketch(text: string): string {
  const least: number[] = []
  let hash = firstHash
  for (let at = 0; at < text.length; at += 1) {
    let unit = text.charCodeAt(at)
    if (unit < firstPrintable) {
      if (unit !== newLine) continue
      keep(least, hash)
      hash = firstHash
      continue
    }
    if (unit >= zero && unit <= nine) {
      const end = digitsEnd(text, at)
      if (!isCounting(text, end)) {
        unit = numberSign
        at = end - 1
      }
    }
    hash = Math.imul(hash ^ unit, 0x01000193)
  }
  keep(least, hash)
  return least.map((one) => one.toString(36)).join(' ')
}

/** Sorted, each once, no more than are kept; that of an empty line is none. */
function keep(least: number[], ended: number): void {
  const hash = ended >>> 0
  const isFull = least.length === keptLines
  if (ended === firstHash || (isFull && hash >= (least.at(-1) ?? 0)) || least.includes(hash)) return
  if (isFull) least.pop()
  const place = least.findIndex((other) => other > hash)
  least.splice(place === -1 ? least.length : place, 0, hash)
}

/** As far as two sketches tell. */
export function saysNearlyTheSame(one: string, other: string): boolean {
  if (one === other) return true
  const [lines, others] = [one.split(' '), new Set(other.split(' '))]
  const most = Math.max(lines.length, others.size)
  if (most < fewestLines) return false
  const shared = lines.filter((line) => others.has(line)).length
  return most - shared <= Math.max(1, Math.floor(most / linesOfOther))
}
