/**
 * What is left of a secret where a text was cut: as few letters as make it known. Who cuts a text does not know the values; who
 * records it does, and sees where it was cut.
 */

/** Which end of a text is where it was cut. */
export type Cut = 'start' | 'end'

export interface Pieces {
  /** Name and value, the longest value first. */
  readonly values: readonly (readonly [name: string, value: string])[]
  /** The first and the last letters of all values: most cuts have none of them beside them. */
  readonly isPart: (letters: string) => boolean
}

/** Fewer letters tell nothing, and stand beside many cuts by chance. */
const shortestPiece = 4

/** Lines that say what was left out, and the mark of a text that was shortened. */
const cutMark = /\n\[(?:\.\.\.|…) [\d,]+ (?:bytes|characters) left out (?:\.\.\.|…)\]\n| ?…/g

export function piecesOf(values: Pieces['values']): Pieces {
  let parts: Set<string> | undefined
  return {
    values,
    isPart: (letters) => {
      parts ??= new Set(values.flatMap(([, value]) => partsOf(value)))
      return parts.has(letters)
    },
  }
}

function partsOf(value: string): readonly string[] {
  const count = Math.max(0, value.length - shortestPiece + 1)
  return Array.from({ length: count }, (_, at) => value.slice(at, at + shortestPiece))
}

/** The beginning of a value before a cut, and the end of one behind it, become `[masked:NAME]`. */
export function maskPieces(text: string, pieces: Pieces, cut: Cut | undefined): string {
  if (pieces.values.length === 0) return text
  const masked: string[] = []
  let from = cut === 'start' ? take(masked, endOfPiece(text, 0, pieces), 0) : 0
  for (const { index, 0: mark } of text.matchAll(cutMark)) {
    if (index < from) continue
    const before = startOfPiece(text, index, pieces)
    masked.push(text.slice(from, Math.max(from, before?.at ?? index)))
    from = take(masked, before, index)
    masked.push(text.slice(from, index + mark.length))
    from = index + mark.length
    // Behind an ellipsis another text begins, not the rest of this one.
    if (mark.includes('left out')) from = take(masked, endOfPiece(text, from, pieces), from)
  }
  const last = cut === 'end' ? startOfPiece(text, text.length, pieces) : undefined
  masked.push(text.slice(from, Math.max(from, last?.at ?? text.length)))
  take(masked, last, text.length)
  return masked.join('')
}

interface Piece {
  readonly name: string
  /** Where it begins before a cut, where it ends behind one. */
  readonly at: number
}

/** The mark in place of a piece; where the text goes on. */
function take(masked: string[], piece: Piece | undefined, otherwise: number): number {
  if (piece === undefined) return otherwise
  masked.push(`[masked:${piece.name}]`)
  return Math.max(piece.at, otherwise)
}

/** The beginning of a value that ends here. */
function startOfPiece(text: string, end: number, { values, isPart }: Pieces): Piece | undefined {
  if (!isPart(text.slice(Math.max(0, end - shortestPiece), end))) return undefined
  return longest(
    values.flatMap(([name, value]) => {
      const first = value.slice(0, shortestPiece)
      const earliest = Math.max(0, end - value.length + 1)
      for (
        let at = text.indexOf(first, earliest);
        at !== -1 && at <= end - shortestPiece;
        at = text.indexOf(first, at + 1)
      )
        if (value.startsWith(text.slice(at, end))) return [{ name, at, length: end - at }]
      return []
    }),
  )
}

/** The end of a value that begins here. */
function endOfPiece(text: string, start: number, { values, isPart }: Pieces): Piece | undefined {
  const first = text.slice(start, start + shortestPiece)
  if (!isPart(first)) return undefined
  return longest(
    values.flatMap(([name, value]) => {
      for (let at = value.indexOf(first, 1); at !== -1; at = value.indexOf(first, at + 1)) {
        const length = value.length - at
        if (text.startsWith(value.slice(at), start)) return [{ name, at: start + length, length }]
      }
      return []
    }),
  )
}

function longest(found: readonly (Piece & { readonly length: number })[]): Piece | undefined {
  return found.toSorted((one, other) => other.length - one.length)[0]
}
