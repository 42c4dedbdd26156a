import { createContext, Script } from 'node:vm'
import { z } from 'zod'

export interface LineQuery {
  readonly pattern: string
  /** False: the pattern is the text itself. */
  readonly isRegex: boolean
  readonly ignoreCase: boolean
}

/** A line that matches. */
export interface LineMatch {
  /** Counted from 1. */
  readonly line: number
  /** Where the first match begins in it, in characters from 0. */
  readonly column: number
  readonly text: string
}

/** Finds lines of one text after the other within one budget of time. */
export interface LineFinder {
  /**
   * At most `limit` lines, in order.
   * @throws {PatternTimeout} when the budget is used up
   */
  find(text: string, limit: number): readonly LineMatch[]
}

/** The expression takes too long: some take more than the age of the world for a line of thirty characters. */
export class PatternTimeout extends Error {
  override readonly name = 'PatternTimeout'
}

/** Throws for an expression that is none. */
export function lineFinder(query: LineQuery, budgetMs: number): LineFinder {
  const { source, flags } = new RegExp(
    query.isRegex ? query.pattern : escapePattern(query.pattern),
    query.ignoreCase ? 'i' : '',
  )
  const scope: Record<string, unknown> = { source, flags }
  const context = createContext(scope)
  let leftMs = budgetMs
  return {
    find(text, limit) {
      const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
      Object.assign(scope, { lines, limit })
      const startedMs = performance.now()
      try {
        const found = pairs.parse(runBounded(context, leftMs))
        return found.map(([index, column]) => ({ line: index + 1, column, text: lines[index] ?? '' }))
      } finally {
        leftMs -= performance.now() - startedMs
      }
    },
  }
}

const pairs = z.array(z.tuple([z.number(), z.number()]))

/** An expression can only be stopped from outside: `vm` does it. This text is ours, the expression in it is data. */
const search = new Script(`(() => {
  const expression = new RegExp(source, flags)
  const found = []
  for (let index = 0; index < lines.length && found.length < limit; index++) {
    const column = lines[index].search(expression)
    if (column >= 0) found.push([index, column])
  }
  return found
})()`)

function runBounded(context: object, leftMs: number): unknown {
  if (leftMs < 1) throw new PatternTimeout('the budget is used up')
  try {
    return search.runInContext(context, { timeout: Math.ceil(leftMs) })
  } catch (error) {
    throw isTimeout(error) ? new PatternTimeout('the budget is used up') : error
  }
}

/** It may be an error of the other context, which is no instance of ours. */
function isTimeout(error: unknown): boolean {
  const isObject = typeof error === 'object' && error !== null
  return isObject && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
