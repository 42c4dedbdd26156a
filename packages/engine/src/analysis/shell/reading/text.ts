import { addObstacle, addText, formatText } from '../reading-state.ts'
import type { PendingText, ReadingContext } from '../reading-context.ts'
import { factsOf } from '../words/facts-of.ts'
import { walk } from './node.ts'
import { parseScript } from './parsed.ts'
import { readPartially } from './read-partially.ts'

/** Reads a text as commands. What it nests in texts of their own is left to be read later. */
export function readText({ text, place }: PendingText): void {
  const source = boundScript(text, place)
  const script = parseScript(source)
  if (script === undefined) {
    addTooDeep(source, place)
    readPartially(source, place)
    return
  }
  const [error] = script.errors ?? []
  if (error !== undefined)
    addObstacle(
      'syntax',
      `"${formatText(source.slice(error.pos) || source)}" cannot be read: ${error.message}`,
      place.base === null ? null : [place.base, place.base + source.length],
      place,
    )
  try {
    walk(script, source, { ...place, facts: factsOf(script, source, place.facts) })
  } catch (problem) {
    if (!(problem instanceof RangeError)) throw problem
    addTooDeep(source, place)
    readPartially(source, place)
  }
  if (error !== undefined) readPartially(source, place)
  readPlainQuotes(source, place)
}

function boundScript(text: string, place: ReadingContext): string {
  const { maxLength } = place.ledger.bounds
  if (text.includes('\0'))
    addObstacle('syntax', 'there is a zero byte in it, which no command can have', null, place)
  if (text.length <= maxLength) return text.replaceAll('\0', ' ')
  addObstacle('too-deep', `it is longer than the ${maxLength} characters that are looked at`, null, place)
  return text.slice(0, maxLength).replaceAll('\0', ' ')
}

function addTooDeep(text: string, place: ReadingContext): void {
  addObstacle('too-deep', `"${formatText(text)}" is nested too deep`, null, place)
}

/** A plain `sh` knows no `$'…'`: there the quotes end at `\'`. */
function readPlainQuotes(text: string, place: ReadingContext): void {
  if (place.isBash || place.isSecond || !/\$'[^']*\\'/.test(text)) return
  addText(text.replaceAll("$'", "_'"), { ...place, isSecond: true, depth: place.depth + 1 })
}
