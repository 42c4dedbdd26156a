import { depthChange, type Token } from '../../../analysis/source/index.ts'
import type { SourceLines } from '../mutation.ts'

/** The tokens that begin on one line. */
export interface CodeLine {
  readonly number: number
  readonly tokens: readonly Token[]
  /** Nothing that begins before the line ends on it, and nothing that begins on it ends later. */
  readonly isWhole: boolean
}

export function codeLinesOf(text: string, tokens: readonly Token[], lines: SourceLines): readonly CodeLine[] {
  const byLine = Map.groupBy(tokens, ({ start }) => lines.lineAt(start))
  let depth = 0
  let previous: Token | undefined
  return [...byLine].map(([number, own]) => {
    const before = depth
    const isStart = before === 0 && !isOpen(previous, text)
    for (const token of own) depth += depthChange(token, '([')
    previous = own.at(-1)
    const isOneLine = previous === undefined || lines.lineAt(previous.end - 1) === number
    const isWhole = isStart && depth === 0 && isOneLine && !isOpen(previous, text)
    return { number, tokens: own, isWhole }
  })
}

const goesOn = /^(?:[-+*/%=<>.,?&|\\]|[=!<>:+\-*/]=|&&|\|\||->|=>|and|or|not|return)$/u

/** The statement goes on behind it. */
function isOpen(token: Token | undefined, text: string): boolean {
  if (token === undefined) return false
  const isContinued = /^[^\S\n]*\\\r?\n/u.test(text.slice(token.end, token.end + 100))
  return isContinued || (token.kind !== 'string' && goesOn.test(token.text))
}
