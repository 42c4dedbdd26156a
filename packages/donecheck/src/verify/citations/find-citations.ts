import { UsageError } from '../../errors.ts'

/** Documents named at one place, and what is quoted from them. */
export interface Citation {
  readonly ids: readonly string[]
  readonly quotes: readonly string[]
  /** From 1. */
  readonly line: number
}

/** `[source: a]`, or several: `[source: a, b]`. */
export const defaultPattern = /\[source:\s*(?<id>[^\]\n]+)\]/

/** A quotation in double quotation marks of any kind, within one paragraph. */
const quotation = /“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|"([^"]+)"/g

interface Marker {
  readonly ids: readonly string[]
  readonly quote: string | undefined
  readonly start: number
  readonly end: number
}

/**
 * The pattern, for all places of a text.
 * @throws {UsageError} for a pattern without a group `id`
 */
export function citationPattern(pattern: RegExp): RegExp {
  const global = new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, '')}g`)
  // An empty alternative matches anything, and tells which groups there are.
  const { groups = {} } = new RegExp(`${pattern.source}|`, pattern.flags.replace(/[gy]/g, '')).exec('') ?? {}
  if ('id' in groups) return global
  throw new UsageError(
    `the pattern /${pattern.source}/ does not say what is cited; give it a group (?<id>…), and (?<quote>…) where it takes in the quotation`,
  )
}

/**
 * Every citation of a text with its quotations. Unless the pattern has a group `quote`, a quotation belongs to the
 * next citation of its paragraph or, where none follows, to the last one before it; citations side by side count as one.
 * @param isKnown tells an id with a comma in it from two ids
 */
export function findCitations(
  text: string,
  pattern: RegExp,
  minQuoteWords: number,
  isKnown: (id: string) => boolean,
): readonly Citation[] {
  const isLong = (quote: string) => wordsOf(quote) >= minQuoteWords
  let line = 1
  return text.split(/(\n[ \t\r]*\n)/).flatMap((paragraph) => {
    const found = groupsOf(paragraph, markersOf(paragraph, pattern, isKnown)).map((group) => ({
      ids: group.ids,
      quotes: group.quotes.filter(isLong),
      line: line + breaksIn(paragraph.slice(0, group.start)),
    }))
    line += breaksIn(paragraph)
    return found
  })
}

function markersOf(text: string, pattern: RegExp, isKnown: (id: string) => boolean): readonly Marker[] {
  return Array.from(text.matchAll(pattern), (match) => {
    const { id = '', quote } = match.groups ?? {}
    const end = match.index + match[0].length
    return { ids: idsIn(id, isKnown), quote, start: match.index, end }
  })
}

function idsIn(id: string, isKnown: (id: string) => boolean): readonly string[] {
  const whole = id.trim()
  if (isKnown(whole)) return [whole]
  return whole.split(/[,;]/).map((part) => part.trim())
}

interface Group {
  ids: readonly string[]
  quotes: readonly string[]
  readonly start: number
  end: number
}

function groupsOf(text: string, markers: readonly Marker[]): readonly Group[] {
  const groups: Group[] = []
  for (const { ids, quote, start, end } of markers) {
    const last = groups.at(-1)
    const own = quote === undefined ? [] : [quote]
    if (last !== undefined && quote === undefined && /^[\s,;]*$/.test(text.slice(last.end, start))) {
      last.ids = [...last.ids, ...ids]
      last.end = end
    } else groups.push({ ids, quotes: own, start, end })
  }
  const bringsQuotes = markers.some(({ quote }) => quote !== undefined)
  if (!bringsQuotes) assignQuotes(text, groups)
  return groups
}

function assignQuotes(text: string, groups: readonly Group[]): void {
  for (const match of text.matchAll(quotation)) {
    const quote = match.slice(1).find(Boolean) ?? ''
    const owner = groups.find(({ start }) => start >= match.index) ?? groups.at(-1)
    if (owner !== undefined) owner.quotes = [...owner.quotes, quote]
  }
}

function wordsOf(text: string): number {
  return text.split(/\s+/).filter((run) => /[\p{L}\p{N}]/u.test(run)).length
}

function breaksIn(text: string): number {
  return text.split('\n').length - 1
}
