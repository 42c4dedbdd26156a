/** What a text claims, line by line: the sources that it names, and the words that it quotes from them. */

export interface Claim {
  /** From 1. */
  readonly line: number
  readonly text: string
  /** As they are written, without repeats. */
  readonly sources: readonly string[]
  /** Words between quotation marks. */
  readonly quotes: readonly string[]
}

/** `[source: a, b]`, or several of them; what stands behind it on the line does not count. */
const sourceMark = /\[sources?:\s*([^\]]*)\]/giu
/** `[words](target)` and `<https://…>`. */
const linkMark = /\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)|<(https?:\/\/[^>\s]+)>/giu
const listItem = /^\s*(?:[-*+]|\d+[.)])\s+\S/u
const fence = /^\s*(?:```|~~~)/u
const quoted = /"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»/gu

/** Every list item, and every other line that names a source. What stands in a fenced block is no claim. */
export function claimsIn(text: string): readonly Claim[] {
  const claims: Claim[] = []
  let isFenced = false
  for (const [index, line] of text.split(/\r?\n/u).entries()) {
    if (fence.test(line)) isFenced = !isFenced
    else if (!isFenced) {
      const sources = sourcesOf(line)
      if (sources.length > 0 || listItem.test(line))
        claims.push({ line: index + 1, text: line.trim(), sources, quotes: quotesOf(line) })
    }
  }
  return claims
}

function sourcesOf(line: string): readonly string[] {
  const marked = [...line.matchAll(sourceMark)].flatMap(([, list = '']) => list.split(/[,;]\s*|\s+/u))
  const linked = [...line.matchAll(linkMark)].map(([, target = '', bare = '']) => target || bare)
  return [...new Set([...marked, ...linked].map((one) => one.trim()).filter((one) => one !== ''))]
}

/** The marks of sources and the targets of links hold no words of a source. */
function quotesOf(line: string): readonly string[] {
  const words = line.replace(sourceMark, ' ').replace(/\]\([^)]*\)/gu, ']')
  return [...words.matchAll(quoted)]
    .map(([marked]) => marked.slice(1, -1).trim())
    .filter((quote) => quote !== '')
}

/** Equal for texts that a reader would call the same words: white space and the forms of marks do not count. */
export function plainWords(text: string): string {
  return plainMarks(text).replace(/\s+/gu, ' ').trim()
}

function plainMarks(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[“”„«»]/gu, '"')
    .replace(/[‘’‚]/gu, "'")
    .replace(/[‐‑–—]/gu, '-')
}

/**
 * Where words stand first in a text, as `line:column-line:column`, from 1 and both ends included. Undefined: nowhere, or in
 * characters that are one only together.
 */
export function placeOfWords(text: string, words: string): string | undefined {
  let plain = ''
  const offsets: number[] = []
  for (const { index, 0: piece } of text.matchAll(/\s+|\S/gu)) {
    const mark = piece.trim() === '' ? ' ' : plainMarks(piece)
    plain += mark
    offsets.push(...Array<number>(mark.length).fill(index))
  }
  const wanted = plainWords(words)
  const start = plain.indexOf(wanted)
  const [first, last] = [offsets[start], offsets[start + wanted.length - 1]]
  return first === undefined || last === undefined
    ? undefined
    : `${positionAt(text, first)}-${positionAt(text, last)}`
}

function positionAt(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n')
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}
