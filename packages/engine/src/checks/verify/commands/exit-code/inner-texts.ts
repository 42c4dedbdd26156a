/** Texts that a command gives to a shell: of `eval`, of a sourced file, of `sh -c`. */
import type { Command } from 'unbash'
import { readSetOptions } from './follow/script.ts'
import { scriptsOf } from './follow/scripts-of.ts'
import { endShell, type Place } from './shell.ts'
import { eitherOf, withFailure, newWay, type Way } from './way.ts'
import { argumentValues, valueOf } from './words.ts'

export function runEval(node: Command, way: Way, place: Place): readonly Way[] {
  const values = argumentValues(node, way)
  const known = values.every((value) => value !== undefined) ? values.join(' ') : undefined
  return (known === undefined ? undefined : place.runText(known, way, place)) ?? unknownText(way)
}

/** A text that is only known when it runs: it may set anything, and end the shell. */
function unknownText(way: Way): readonly Way[] {
  const after: Way = { ...way, values: new Map(), folder: undefined }
  return [...eitherOf(after), withFailure({ ...after, leaving: 'shell' })]
}

export function runSourced(words: readonly string[], way: Way, place: Place): readonly Way[] {
  const [script] = scriptsOf(words, way.folder, place.reading)
  const key = script && `${script.where}\0${script.text}`
  if (script === undefined || key === undefined || place.reading.open.has(key)) return unknownText(way)
  place.reading.scripts.set(key, script)
  place.reading.open.add(key)
  const ends = place.runText(script.text, way, place) ?? unknownText(way)
  place.reading.open.delete(key)
  return ends.map((end) => (end.leaving === 'function' ? { ...end, leaving: 'nothing' } : end))
}

/** `sh -c '…'`; undefined: a shell with a script's path is a program like any other. */
export function innerShell(
  node: Command,
  args: readonly string[],
  way: Way,
  place: Place,
): readonly Way[] | undefined {
  const operand = args.findIndex(
    (arg, index) => !/^[-+]/.test(arg) && !/^[-+]\w*o$/.test(args[index - 1] ?? ''),
  )
  const flags = operand < 0 ? args : args.slice(0, operand)
  if (!flags.some((flag) => /^-[a-z]*c[a-z]*$/.test(flag))) return undefined
  const text = args[operand]
  const isComputed = node.args.some(
    (arg) => arg.type === 'Word' && arg.value === text && valueOf(arg, way) === undefined,
  )
  if (text === undefined || (isComputed && /^\s*["']?\$|\$\(|`/.test(text))) return eitherOf(way)
  const inside = { ...place, isCondition: false, functions: new Map() }
  const fresh = { ...newWay(way.folder, readSetOptions(flags)), isHit: way.isHit }
  const ends = place.runText(text, fresh, inside)?.flatMap((end) => endShell(end, inside)) ?? eitherOf(fresh)
  return ends.map(({ ok, isHit }) => ({ ...way, ok, isHit }))
}
