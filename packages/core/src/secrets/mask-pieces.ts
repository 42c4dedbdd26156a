/** Masks the rest of a secret at a cut. Code that cuts a text does not know the values; the recorder does. */

export type Cut = 'start' | 'end'

type Values = readonly (readonly [name: string, value: string])[]

/** Shorter pieces match many cuts by chance. */
const shortestPiece = 4

/** Lines that report omitted text, and the mark of a shortened text. */
const cutMark = /(\n\[(?:\.\.\.|…) [\d,]+ (?:bytes|characters) left out (?:\.\.\.|…)\]\n| ?…)/

/** Turns the start of a value before a cut, and its end after one, into `[masked:NAME]`. */
export function maskPieces(text: string, values: Values, cut: Cut | undefined): string {
  if (values.length === 0) return text
  // Odd entries are marks.
  const parts = text.split(cutMark)
  const masked = parts.map((part, at) => {
    if (at % 2 === 1) return part
    // After an ellipsis another text starts.
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
