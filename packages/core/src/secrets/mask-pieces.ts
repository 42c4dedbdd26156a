/**
 * What is left of a secret where a text was cut: as few letters as make it known. Who cuts a text does not know the values; who
 * records it does, and sees where it was cut.
 */

/** Which end of a text is where it was cut. */
export type Cut = 'start' | 'end'

/** Name and value. */
type Values = readonly (readonly [name: string, value: string])[]

/** Fewer letters tell nothing, and stand beside many cuts by chance. */
const shortestPiece = 4

/** Lines that say what was left out, and the mark of a text that was shortened. */
const cutMark = /(\n\[(?:\.\.\.|…) [\d,]+ (?:bytes|characters) left out (?:\.\.\.|…)\]\n| ?…)/

/** The beginning of a value before a cut, and the end of one behind it, become `[masked:NAME]`. */
export function maskPieces(text: string, values: Values, cut: Cut | undefined): string {
  if (values.length === 0) return text
  // Every second one is a mark.
  const parts = text.split(cutMark)
  const masked = parts.map((part, at) => {
    if (at % 2 === 1) return part
    // Behind an ellipsis another text begins, not the rest of this one.
    const isCutBefore = at === 0 ? cut === 'start' : parts[at - 1]?.includes('left out') === true
    const isCutBehind = at === parts.length - 1 ? cut === 'end' : true
    return maskEnds(part, values, isCutBefore, isCutBehind)
  })
  return masked.join('')
}

function maskEnds(part: string, values: Values, isCutBefore: boolean, isCutBehind: boolean): string {
  const head = isCutBefore
    ? longest(values, (value, length) => part.startsWith(value.slice(-length)))
    : undefined
  const tail = isCutBehind
    ? longest(values, (value, length) => part.endsWith(value.slice(0, length)))
    : undefined
  const from = head?.length ?? 0
  const to = Math.max(from, part.length - (tail?.length ?? 0))
  return `${markOf(head)}${part.slice(from, to)}${markOf(tail)}`
}

function markOf(piece: { readonly name: string } | undefined): string {
  return piece === undefined ? '' : `[masked:${piece.name}]`
}

function longest(values: Values, fits: (value: string, length: number) => boolean) {
  const pieces = values.flatMap(([name, value]) => {
    for (let length = value.length - 1; length >= shortestPiece; length -= 1)
      if (fits(value, length)) return [{ name, length }]
    return []
  })
  return pieces.toSorted((one, other) => other.length - one.length)[0]
}
