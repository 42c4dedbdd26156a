import { addObstacle, addText, shown } from '../ledger.ts'
import type { PendingText, Place } from '../place.ts'
import { factsOf } from '../words/facts-of.ts'
import { walk } from './node.ts'
import { parsed } from './parsed.ts'
import { salvage } from './salvage.ts'

/** Reads a text as commands. What it nests in texts of their own is left to be read later. */
export function readText({ text, place }: PendingText): void {
  const source = cut(text, place)
  const script = parsed(source)
  if (script === undefined) {
    addTooDeep(source, place)
    salvage(source, place)
    return
  }
  const [error] = script.errors ?? []
  if (error !== undefined)
    addObstacle(
      'syntax',
      `"${shown(source.slice(error.pos) || source)}" cannot be read: ${error.message}`,
      place.base === null ? null : [place.base, place.base + source.length],
      place,
    )
  try {
    walk(script, source, { ...place, facts: factsOf(script, source, place.facts) })
  } catch (problem) {
    if (!(problem instanceof RangeError)) throw problem
    addTooDeep(source, place)
    salvage(source, place)
  }
  if (error !== undefined) salvage(source, place)
  readPlainQuotes(source, place)
}

function cut(text: string, place: Place): string {
  const { maxLength } = place.ledger.bounds
  if (text.includes('\0'))
    addObstacle('syntax', 'there is a zero byte in it, which no command can have', null, place)
  if (text.length <= maxLength) return text.replaceAll('\0', ' ')
  addObstacle('too-deep', `it is longer than the ${maxLength} characters that are looked at`, null, place)
  return text.slice(0, maxLength).replaceAll('\0', ' ')
}

function addTooDeep(text: string, place: Place): void {
  addObstacle('too-deep', `"${shown(text)}" is nested too deep`, null, place)
}

/** A plain `sh` knows no `$'…'`: there the quotes end at `\'`. */
function readPlainQuotes(text: string, place: Place): void {
  if (place.isBash || place.isSecond || !/\$'[^']*\\'/.test(text)) return
  addText(text.replaceAll("$'", "_'"), { ...place, isSecond: true, depth: place.depth + 1 })
}
