/** Markdown taken apart as far as the checks need it: fenced blocks, code spans, links, headings. */

export interface FencedBlock {
  readonly language: string
  readonly line: number
  readonly text: string
}

export interface Piece {
  readonly line: number
  readonly text: string
}

export interface Markdown {
  readonly blocks: readonly FencedBlock[]
  /** Lines outside of fenced blocks. */
  readonly prose: readonly Piece[]
}

const fence = /^\s*(?<marks>`{3,}|~{3,})\s*(?<language>[\w-]*)/

/** A fence that is never closed runs to the end of the text. */
export function readMarkdown(text: string): Markdown {
  const blocks: FencedBlock[] = []
  const prose: Piece[] = []
  let open: { marks: string; language: string; line: number; lines: string[] } | undefined
  const close = () => {
    if (open !== undefined)
      blocks.push({ language: open.language, line: open.line, text: open.lines.join('\n') })
    open = undefined
  }
  for (const [index, content] of text.split('\n').entries()) {
    const { marks, language = '' } = fence.exec(content)?.groups ?? {}
    if (open !== undefined && marks?.startsWith(open.marks) === true && language === '') close()
    else if (open !== undefined) open.lines.push(content)
    else if (marks !== undefined) open = { marks, language, line: index + 1, lines: [] }
    else prose.push({ line: index + 1, text: content })
  }
  close()
  return { blocks, prose }
}

const codeSpan = /(?<!`)`(?!`)([^`]+)`(?!`)/g

export function codeSpansOf({ prose }: Markdown): readonly Piece[] {
  return prose.flatMap(({ line, text }) =>
    [...text.matchAll(codeSpan)].map(([, span = '']) => ({ line, text: span })),
  )
}

const inlineLink = /\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g
const definition = /^\s*\[[^\]]+\]:\s*<?([^\s>]+)>?/g

/** Targets of links and pictures, code spans left out. */
export function linksOf({ prose }: Markdown): readonly Piece[] {
  return prose.flatMap(({ line, text }) => {
    const plain = text.replaceAll(codeSpan, '')
    return [...plain.matchAll(inlineLink), ...plain.matchAll(definition)].map(([, target = '']) => ({
      line,
      text: target,
    }))
  })
}

/** Anchors of the headings, as code hosts make them; a second equal heading gets `-1`, a third `-2`. */
export function anchorsOf({ prose }: Markdown): readonly string[] {
  const slugs = prose.flatMap(({ text }) => {
    const heading = /^#{1,6}\s+(.+?)\s*#*$/.exec(text)?.[1]
    return heading === undefined ? [] : [slugOf(heading)]
  })
  return slugs.map((slug, index) => {
    const earlier = slugs.slice(0, index).filter((other) => other === slug).length
    return earlier === 0 ? slug : `${slug}-${earlier}`
  })
}

function slugOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}
