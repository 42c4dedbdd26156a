import { parse, type ParsedScript } from 'unbash'
import { plainWords } from './plain-words.ts'

/** Undefined: it is nested so deep, or has so many heredocs, that it cannot be read in reasonable time. */
export function parsed(text: string): ParsedScript | undefined {
  const plain = plainWords(text)
  if (plain !== undefined) return plain
  if (deepest(text) > mostNesting || text.split('<<').length > mostHeredocs) return undefined
  try {
    return parse(text)
  } catch (problem) {
    if (problem instanceof RangeError) return undefined
    throw problem
  }
}

/** Each level is read once more by the parser. */
const mostNesting = 100
/** The parser looks for the end of each in all that follows. */
const mostHeredocs = 2_000

/** Parentheses and braces that stand open at once. */
function deepest(text: string): number {
  let depth = 0
  let most = 0
  for (const letter of text) {
    if (letter === '(' || letter === '{') depth += 1
    if ((letter === ')' || letter === '}') && depth > 0) depth -= 1
    if (depth > most) most = depth
  }
  return most
}
