/** Source without its layout: comments, white space, quotes, semicolons and trailing commas make no difference. */
import { firstFrom, type SyntaxTree } from '../../source/index.ts'

export interface Span {
  readonly start?: number | null
  readonly end?: number | null
}

export interface SourceText {
  /** Normalised source of what stands there, such as `add(1,2)`. */
  of(span: Span): string
}

interface Piece {
  readonly start: number
  readonly end: number
  readonly text: string
}

interface RawToken {
  readonly type: { readonly label: string }
  readonly value: unknown
  readonly start: number
  readonly end: number
}

function isToken(value: unknown): value is RawToken {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false
  const type: unknown = value.type
  return typeof type === 'object' && type !== null && 'label' in type && typeof type.label === 'string'
}

function textOf(token: RawToken, text: string): string {
  const raw = text.slice(token.start, token.end)
  if (token.type.label === 'string') return JSON.stringify(token.value)
  if (token.type.label === 'template') return JSON.stringify(raw)
  if (token.type.label !== 'jsxText') return raw
  const shown = raw.replace(/\s+/g, ' ').trim()
  return shown === '' ? '' : JSON.stringify(shown)
}

const closing = new Set([')', ']', '}'])
const identifier = /^"[A-Za-z_$][\w$]*"$/

/** What layout may add or leave out without a change of meaning. */
function withoutLayout(pieces: readonly Piece[]): Piece[] {
  const kept: Piece[] = []
  for (const [index, piece] of pieces.entries()) {
    const previous = pieces[index - 1]?.text ?? ''
    const next = pieces[index + 1]?.text ?? ''
    if (piece.text === '' || piece.text === ';' || (piece.text === ',' && closing.has(next))) continue
    if (next === ':' && (previous === '{' || previous === ',') && identifier.test(piece.text))
      kept.push({ ...piece, text: piece.text.slice(1, -1) })
    else if (next === '=>' && /^[\w$]+$/.test(piece.text)) kept.push({ ...piece, text: `(${piece.text})` })
    else kept.push(piece)
  }
  return kept
}

const word = /[\w$]/
const operator = /[-+/<>&|=!*?]/

function needsSpace(left: string, right: string): boolean {
  const before = left.at(-1) ?? ''
  const after = right[0] ?? ''
  return (word.test(before) && word.test(after)) || (operator.test(before) && operator.test(after))
}

export function sourceTextOf(tree: SyntaxTree, text: string): SourceText {
  const tokens: readonly unknown[] = tree.tokens ?? []
  const pieces = withoutLayout(
    tokens
      .filter(isToken)
      .map((token) => ({ start: token.start, end: token.end, text: textOf(token, text) })),
  )
  return {
    of({ start, end }) {
      const joined: string[] = []
      for (let index = firstFrom(pieces, start ?? 0); index < pieces.length; index++) {
        const piece = pieces[index]
        if (piece === undefined || piece.end > (end ?? 0)) break
        if (needsSpace(joined.at(-1) ?? '', piece.text)) joined.push(' ')
        joined.push(piece.text)
      }
      return joined.join('')
    },
  }
}
