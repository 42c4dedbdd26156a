export type Piece = {
  readonly line: number
  readonly text: string
  /** -1 for a paragraph, which any list may follow. */
  readonly indent: number
} & ({ readonly kind: 'item' | 'prose' | 'table' } | { readonly kind: 'block'; readonly language: string })

/** Such as `Verification`, `5. Verify`, or `Definition of done`. */
const titles =
  /^(?:(?:final |self-?)?verif(?:ication|y(?:ing)?)|(?:completion|success|acceptance|exit|done) (?:conditions?|criteria)|definition of done|done when)(?: (?:the )?(?:checklist|steps?|criteria|conditions?|commands?|checks?|work|results?))?$/

/** Avoids slow matching on long lines. */
const maxMarkLength = 500

interface Open {
  readonly depth: number
}

export function conditionPieces(lines: readonly string[], first: number): readonly Piece[] {
  const pieces: Piece[] = []
  let open: Open | undefined
  let isJoined = false
  for (let index = 0; index < lines.length; index += 1) {
    const text = lines[index] ?? ''
    const line = first + index
    const fence = fenceAt(lines, index)
    if (fence !== undefined) {
      if (open !== undefined)
        pieces.push({ kind: 'block', line, language: fence.language, text: fence.text, indent: Infinity })
      index = fence.end
      isJoined = false
      continue
    }
    const heading = headingOf(text)
    if (heading !== undefined) {
      if (titles.test(heading.title))
        open = open === undefined || heading.depth <= open.depth ? heading : open
      else if (open !== undefined && heading.depth <= open.depth) open = undefined
      isJoined = false
    } else if (open !== undefined) isJoined = take(text, line, pieces, isJoined)
  }
  return pieces
}

/** @returns whether the next line may continue the item */
function take(text: string, line: number, pieces: Piece[], isJoined: boolean): boolean {
  const bare = text.replace(/^\s*(?:>\s?)+/, '')
  if (/^\s*(?:[-*_]\s*){3,}$/.test(bare) || bare.trim() === '') return false
  const { before = '', item } =
    /^(?<before>\s*)(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s*)?(?<item>.*)$/.exec(bare)?.groups ?? {}
  const last = pieces.at(-1)
  if (item !== undefined) pieces.push({ kind: 'item', line, text: item.trim(), indent: before.length })
  else if (isJoined && last !== undefined)
    pieces.splice(-1, 1, { ...last, text: `${last.text} ${bare.trim()}` })
  else
    pieces.push({
      kind: bare.trim().startsWith('|') ? 'table' : 'prose',
      line,
      text: bare.trim(),
      indent: -1,
    })
  return true
}

/** A bold line is the lowest heading. */
function headingOf(text: string): (Open & { readonly title: string }) | undefined {
  if (text.length > maxMarkLength) return undefined
  const { marks = '#######', title } =
    /^ {0,3}(?<marks>#{1,6})\s+(?<title>.+?)[\s#]*$/.exec(text)?.groups ??
    /^\s*(?:\*\*|__)(?<title>[^*_]+)(?:\*\*|__):?\s*$/.exec(text)?.groups ??
    {}
  if (title === undefined) return undefined
  const words = title
    .toLowerCase()
    .replace(/^(?:step|phase)\s+\d+/, '')
    .replace(/^[^\p{Letter}]+/u, '')
    .replace(/[^\p{Letter}]+$/u, '')
  return { depth: marks.length, title: words }
}

/** An unclosed fence reaches to the end. */
function fenceAt(lines: readonly string[], start: number) {
  const line = (lines[start] ?? '').slice(0, maxMarkLength)
  const {
    indent = '',
    marks,
    language = '',
  } = /^(?<indent>\s*)(?<marks>`{3,}|~{3,})\s*(?<language>[^\s`{]*)[^`]*$/.exec(line)?.groups ?? {}
  if (marks === undefined) return undefined
  const sign = marks.charAt(0)
  const isEnd = (line: string) => {
    const text = line.trim()
    return text.length >= marks.length && text === sign.repeat(text.length)
  }
  let end = start + 1
  while (end < lines.length && !isEnd(lines[end] ?? '')) end += 1
  const inside = lines
    .slice(start + 1, end)
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()))
  return { language: language.toLowerCase(), text: inside.join('\n'), end }
}
