import { parse, type ParsedScript } from 'unbash'

/** Each level is read once more by the parser. */
const maxNesting = 100
/** The parser looks for the end of each in all that follows. */
const maxHeredocs = 2_000

/** @returns undefined if it is nested so deep, or has so many heredocs, that reading it would take too long */
export function parseScript(text: string): ParsedScript | undefined {
  let depth = 0
  for (const letter of text) {
    if (letter === '(' || letter === '{') depth += 1
    if ((letter === ')' || letter === '}') && depth > 0) depth -= 1
    if (depth > maxNesting) return undefined
  }
  if ((text.match(/<</g)?.length ?? 0) > maxHeredocs) return undefined
  try {
    return parse(text)
  } catch (problem) {
    if (problem instanceof RangeError) return undefined
    throw problem
  }
}
