import { addCandidate } from '../candidates.ts'
import { endShell, onEach, type Place } from '../shell.ts'
import { distinct, eitherOf, newWay, succeeded, type Way } from '../way.ts'
import type { Script } from './script.ts'

/** One after the other, as long as none fails. Undefined: there is none, or it is being read already. */
export function runScripts(scripts: readonly Script[], way: Way, place: Place): readonly Way[] | undefined {
  const keys = scripts.map(({ where, text }) => `${where}\0${text}`)
  if (scripts.length === 0 || keys.some((key) => place.reading.open.has(key))) return undefined
  let ways: readonly Way[] = [succeeded(way)]
  for (const [index, script] of scripts.entries()) {
    const key = keys[index] ?? ''
    place.reading.scripts.set(key, script)
    place.reading.open.add(key)
    ways = onEach(ways, (each) => (each.ok ? runScript(script, each, place) : [each]))
    place.reading.open.delete(key)
  }
  return ways
}

function runScript(script: Script, way: Way, place: Place): readonly Way[] {
  const { text, folder, deaf } = script
  if (deaf !== undefined) {
    addCandidate({ node: script, text, kind: 'known', deaf }, place)
    return eitherOf(way)
  }
  const inside: Place = { ...place, isCondition: false, functions: new Map() }
  const fresh = { ...newWay(folder, script), isHit: way.isHit }
  const before = place.reading.candidates.size
  const ends = place.runText(text, fresh, inside)?.flatMap((end) => endShell(end, inside)) ?? eitherOf(fresh)
  const after = distinct(
    ends.map(({ ok, isHit }) => ({ ...way, ok: ok || script.ignoresFailure === true, isHit })),
  )
  const isHollow = after.every(({ ok }) => ok) && place.reading.candidates.size > before
  if (isHollow) place.reading.hollow.push(script)
  return after
}
