/** One simple command: builtins by what they do, programs by whatever they can do, scripts by their text. */
import type { Command } from 'unbash'
import { runBuiltin } from './builtins.ts'
import { addCandidate, hit } from './candidates.ts'
import { runScripts } from './follow/run-scripts.ts'
import { scriptsOf } from './follow/scripts-of.ts'
import { innerShell } from './inner-texts.ts'
import { decides, programKind, whyDeaf } from './kinds.ts'
import { functionKey, inSubshell, onEach, type Place } from './shell.ts'
import { unwrap } from './unwrap.ts'
import { distinct, eitherOf, failed, succeeded, type Way } from './way.ts'
import {
  afterArithmetic,
  assigned,
  mayEndShell,
  mayFailToRedirect,
  shownText,
  substitutionsOf,
  wordsOf,
} from './words.ts'

export function runCommand(node: Command, way: Way, place: Place): readonly Way[] {
  const text = place.text.slice(node.pos, node.end)
  const asked = substituted(node, way, place)
  const sums = [...text.matchAll(/\(\((.*?)\)\)/gs)].map(([, sum = '']) => sum)
  const started = asked.map((each) => sums.reduce((after, sum) => afterArithmetic(sum, after), each))
  const ends = onEach(started, (each) => runWords(node, text, { ...each, ok: way.ok }, each.ok, place))
  const withRedirect = mayFailToRedirect(node.redirects) ? [...ends, failed(way)] : ends
  return distinct(
    mayEndShell(node, way) ? [...withRedirect, failed({ ...way, leaving: 'shell' })] : withRedirect,
  )
}

/** `$(…)` and its like, whose end is forgotten unless nothing else is run. */
function substituted(node: Command, way: Way, place: Place): readonly Way[] {
  const isJudged = place.isJudged || decides(wordsOf(node, way))
  const inner: Place = { ...place, isJudged, isCondition: false }
  let ways: readonly Way[] = [succeeded(way)]
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
  if (words.length === 0) return [assigned(node, { ...way, ok: isSubstitutedOk }, way)]
  const [name = ''] = words
  const called = place.functions.get(`${name} ${way.values.get(functionKey(name)) ?? ''}`)
  if (called !== undefined) return called(way, place)
  if (name !== 'exec')
    return runBuiltin(node, words, way, place) ?? program(node, words, shownText(text), way, place)
  const [, ...replaced] = words
  if (replaced.length === 0) return [succeeded(way)]
  return program(node, replaced, shownText(text), way, place).map((end) => ({ ...end, leaving: 'shell' }))
}

const shells = /(^|\/)(ba|da|z|k|a)?sh$/

/** Wrappers that add no end of their own. */
const transparent = new Set(['env', 'time', 'nohup', 'nice', 'builtin', 'command'])

function program(
  node: Command,
  given: readonly string[],
  text: string,
  way: Way,
  place: Place,
): readonly Way[] {
  const { words, variables } = unwrap(given)
  const isWrapped = words.length < given.length && !transparent.has(given[0] ?? '')
  if (words.length === 0) return eitherOf(way)
  const kind = programKind(words)
  if (kind === 'zero' || kind === 'nonzero')
    return isWrapped ? eitherOf(way) : [{ ...way, ok: kind === 'zero' }]
  const prefixed = node.prefix.flatMap((part) => (part.type === 'Assignment' ? [part.text] : []))
  const shell = shells.test(words[0] ?? '') ? innerShell(node, words.slice(1), way, place) : undefined
  const deaf = shell === undefined ? whyDeaf(words, [...variables, ...prefixed]) : undefined
  const scripts = deaf === undefined ? scriptsOf(words, way.folder, place.reading) : []
  const inner = shell ?? runScripts(scripts, way, place)
  if (inner !== undefined) return isWrapped ? distinct([...inner, failed(way)]) : inner
  addCandidate({ node, text, kind, deaf }, place)
  return hit(eitherOf(way), node, place)
}
