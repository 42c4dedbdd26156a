import type { ReadingContext } from '../reading-context.ts'
import { walk } from './node.ts'
import { parseScript } from './parsed.ts'

/** As many parts of a text that cannot be read are looked at. */
const maxParts = 2_000

/** The commands of a text that cannot be read as a whole: each part between operators is read for itself. */
export function readPartially(text: string, place: ReadingContext): void {
  let parts = 0
  for (const match of text.matchAll(/[^\n;|&(){}`]+/g)) {
    if (place.ledger.isFull || parts >= maxParts) return
    parts += 1
    readPart(match[0], match.index, place)
  }
}

const keywords = /^(?:\s*(?:(?:then|do|else|elif|if|while|until|time|!)(?=\s|$)))*\s*/

function readPart(text: string, from: number, place: ReadingContext): void {
  const skipped = keywords.exec(text)?.[0].length ?? 0
  const part = text.slice(skipped)
  if (part.trim() === '') return
  const whole = parseScript(part)
  const base = place.base === null ? null : place.base + from + skipped
  if (whole !== undefined && whole.errors === undefined) {
    walk(whole, part, { ...place, base, isSecond: true })
    return
  }
  // A quote is left open by its other half: each letter keeps its place.
  const bare = part.replace(/["'$<>]/g, ' ')
  const again = parseScript(bare)
  if (again !== undefined && again.errors === undefined) walk(again, bare, { ...place, base, isSecond: true })
}
