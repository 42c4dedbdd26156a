/** One simple command: builtins by what they do, programs by whatever they can do, scripts by their text. */
import type { Command } from 'unbash'
import { unwrapWords } from '../../../../analysis/shell/index.ts'
import { runBuiltin, innerShell } from './builtins.ts'
import { addCandidate, hit, functionKey, inSubshell, onEach, type Place, endShell } from './shell.ts'
import { scriptsOf } from './follow/scripts-of.ts'
import { decides, programKind, whyDeaf } from './kinds.ts'
import { distinct, eitherOf, withFailure, withSuccess, type Way, newWay } from './way.ts'
import {
  afterArithmetic,
  withAssignments,
  mayEndShell,
  mayFailToRedirect,
  shortText,
  substitutionsOf,
  wordsOf,
} from './words.ts'
import type { Script } from './follow/script.ts'

export function runCommand(node: Command, way: Way, place: Place): readonly Way[] {
  const text = place.text.slice(node.pos, node.end)
  const asked = runSubstitutions(node, way, place)
  const sums = [...text.matchAll(/\(\((.*?)\)\)/gs)].map(([, sum = '']) => sum)
  const started = asked.map((each) => sums.reduce((after, sum) => afterArithmetic(sum, after), each))
  const ends = onEach(started, (each) => runWords(node, text, { ...each, ok: way.ok }, each.ok, place))
  const withRedirect = mayFailToRedirect(node.redirects) ? [...ends, withFailure(way)] : ends
  return distinct(
    mayEndShell(node, way) ? [...withRedirect, withFailure({ ...way, leaving: 'shell' })] : withRedirect,
  )
}

/** `$(…)` and its like, whose end is forgotten unless nothing else is run. */
function runSubstitutions(node: Command, way: Way, place: Place): readonly Way[] {
  const isJudged = place.isJudged || decides(wordsOf(node, way))
  const inner: Place = { ...place, isJudged, isCondition: false }
  let ways: readonly Way[] = [withSuccess(way)]
  for (const { script, text } of substitutionsOf(node)) {
    const source =
      script?.source ?? (script === undefined ? undefined : place.text.slice(script.pos, script.end))
    ways = onEach(ways, (each) =>
      source === undefined
        ? eitherOf(each)
        : inSubshell(
            { ...each, ok: way.ok, errexit: false },
            inner,
            (start, walls) => walls.runText(source === '' ? text : source, start, walls) ?? eitherOf(start),
          ),
    )
  }
  return ways
}

function runWords(
  node: Command,
  text: string,
  way: Way,
  isSubstitutedOk: boolean,
  place: Place,
): readonly Way[] {
  const words = wordsOf(node, way)
  if (words.length === 0) return [withAssignments(node, { ...way, ok: isSubstitutedOk }, way)]
  const [name = ''] = words
  const called = place.functions.get(`${name} ${way.values.get(functionKey(name)) ?? ''}`)
  if (called !== undefined) return called(way, place)
  if (name !== 'exec')
    return runBuiltin(node, words, way, place) ?? program(node, words, shortText(text), way, place)
  const [, ...replaced] = words
  if (replaced.length === 0) return [withSuccess(way)]
  return program(node, replaced, shortText(text), way, place).map((end) => ({ ...end, leaving: 'shell' }))
}

const shells = /(^|\/)(ba|da|z|k|a)?sh$/

function program(
  node: Command,
  given: readonly string[],
  text: string,
  way: Way,
  place: Place,
): readonly Way[] {
  const { words, variables, addsEnd } = unwrapWords(given, 'exit-code')
  if (words.length === 0) return eitherOf(way)
  const kind = programKind(words)
  if (kind === 'zero' || kind === 'nonzero')
    return addsEnd ? eitherOf(way) : [{ ...way, ok: kind === 'zero' }]
  const prefixed = node.prefix.flatMap((part) => (part.type === 'Assignment' ? [part.text] : []))
  const shell = shells.test(words[0] ?? '') ? innerShell(node, words.slice(1), way, place) : undefined
  const deaf = shell === undefined ? whyDeaf(words, [...variables, ...prefixed]) : undefined
  const scripts = deaf === undefined ? scriptsOf(words, way.folder, place.reading) : []
  const inner = shell ?? runScripts(scripts, way, place)
  if (inner !== undefined) return addsEnd ? distinct([...inner, withFailure(way)]) : inner
  addCandidate({ node, text, kind, deaf }, place)
  return hit(eitherOf(way), node, place)
}

/** One after the other, as long as none fails. Undefined: there is none, or it is being read already. */
function runScripts(scripts: readonly Script[], way: Way, place: Place): readonly Way[] | undefined {
  const keys = scripts.map(({ where, text }) => `${where}\0${text}`)
  if (scripts.length === 0 || keys.some((key) => place.reading.open.has(key))) return undefined
  let ways: readonly Way[] = [withSuccess(way)]
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
  const isVacuous = after.every(({ ok }) => ok) && place.reading.candidates.size > before
  if (isVacuous) place.reading.vacuous.push(script)
  return after
}
