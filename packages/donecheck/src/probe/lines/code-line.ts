import type { SourceLines } from '../source-lines.ts'
import { depthOf, type Token } from './tokens.ts'

/** The tokens that begin on one line. */
export interface CodeLine {
  readonly number: number
  readonly tokens: readonly Token[]
  /** Nothing that begins before the line ends on it, and nothing that begins on it ends later. */
  readonly isWhole: boolean
}

export function codeLinesOf(tokens: readonly Token[], lines: SourceLines): readonly CodeLine[] {
  const byLine = Map.groupBy(tokens, ({ start }) => lines.lineAt(start))
  let depth = 0
  let previous: Token | undefined
  return [...byLine].map(([number, own]) => {
    const before = depth
    const isStart = before === 0 && isEnd(previous)
    for (const token of own) depth += depthOf(token)
    previous = own.at(-1)
    const isOneLine = previous === undefined || lines.lineAt(previous.end - 1) === number
    const isWhole = isStart && depth === 0 && isOneLine && !isOpen(previous)
    return { number, tokens: own, isWhole }
  })
}

const goesOn = /^(?:[-+*/%=<>.,?&|\\]|[=!<>:+\-*/]=|&&|\|\||->|=>|and|or|not|return)$/u

/** A statement may begin after it. */
function isEnd(token: Token | undefined): boolean {
  return token === undefined || !isOpen(token)
}

function isOpen(token: Token | undefined): boolean {
  return token !== undefined && token.kind !== 'string' && goesOn.test(token.text)
}
