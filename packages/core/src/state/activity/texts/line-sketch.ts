/** What a result says line by line: two that differ in a counter, or in one line of many such as an advert, say nearly the same. */
import { maskVolatile } from './mask-volatile.ts'
import { textHash } from './text-hash.ts'

/** Lines that are kept of a text: those with the least hashes, so of two texts that are alike mostly the same ones. */
const keptLines = 16
const hashLength = 7
/** In a shorter text one other line is another text. */
const fewestLines = 6
/** One line of so many may be another one. */
const linesOfOther = 8

/** Blanks say nothing, nor do numbers that count nothing. */
export function lineSketch(text: string): string {
  const lines = maskVolatile(text, true)
    .replace(/[^\S\n]+/g, '')
    .split('\n')
  const hashes = new Set(lines.filter((line) => line !== '').map((line) => textHash(line).slice(-hashLength)))
  return [...hashes].sort().slice(0, keptLines).join(' ')
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
