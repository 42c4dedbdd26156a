/** What a shell does itself, as far as its end, its options and its variables go. */
import type { Command } from 'unbash'
import { operandOf, readSetOptions } from './follow/script.ts'
import { type Place, endShell } from './shell.ts'
import { isTrueOfWords, runTest } from './test-command.ts'
import { eitherOf, withFailure, statusOf, withSuccess, withValue, type Way, newWay } from './way.ts'
import { afterArithmetic, argumentValues, withAssignments, valueOf } from './words.ts'
import { scriptsOf } from './follow/scripts-of.ts'

/** Undefined: it is none. */
export function runBuiltin(
  node: Command,
  words: readonly string[],
  way: Way,
  place: Place,
): readonly Way[] | undefined {
  const [name = '', ...args] = words[0] === 'builtin' || words[0] === 'command' ? words.slice(1) : words
  const [first] = args
  switch (name) {
    case 'exit':
    case 'logout':
      return ending(node, 'shell', way)
    case 'return':
      return ending(node, 'function', way)
    case 'break':
    case 'continue':
      return [withSuccess({ ...way, leaving: 'round' })]
    case 'set':
      return setOptions(args, way)
    case 'cd':
      return eitherOf(way).map((each) =>
        each.ok ? { ...each, folder: folderEntered(way.folder, node, way) } : each,
      )
    case 'pushd':
    case 'popd':
      return eitherOf({ ...way, folder: undefined })
    case 'test':
      return runTest(isTrueOfWords(argumentValues(node, way)), node, way, place)
    case '[':
      return runTest(isTrueOfWords(argumentValues(node, way).slice(0, -1)), node, way, place)
    case 'export':
    case 'local':
    case 'declare':
    case 'typeset':
    case 'readonly':
      return [withSuccess(withAssignments(node, way, way))]
    case 'unset':
    case 'read':
    case 'mapfile':
    case 'readarray':
    case 'getopts':
      return eitherOf(args.reduce((after, variable) => withValue(after, variable, undefined), way))
    case 'let':
      return eitherOf(afterArithmetic(args.join(' '), way))
    case 'wait':
      return args.length === 0 ? [withSuccess(way)] : waysOfWait(args, way)
    case 'trap':
      return [withTrap(args, way)]
    case 'eval':
      return runEval(node, way, place)
    case '.':
    case 'source':
      return runSourced(words, way, place)
    case 'alias':
      place.reading.unreadable ??= `"alias ${first ?? ''}" gives a command another meaning`
      return eitherOf(way)
    default:
      return undefined
  }
}

function ending(node: Command, leaving: Way['leaving'], way: Way): readonly Way[] {
  const [code] = node.args
  const left: Way = { ...way, leaving }
  if (code === undefined) return [left]
  return statusOf(left, code.type === 'Word' ? valueOf(code, way) : undefined)
}

/** A plain `sh` knows no `pipefail`, and ends there. */
function setOptions(args: readonly string[], way: Way): readonly Way[] {
  const { nounset, ...options } = readSetOptions(args)
  const after = withSuccess({ ...way, ...options, nounset: nounset ?? way.nounset })
  return options.pipefail === true ? [after, withFailure({ ...way, leaving: 'shell' })] : [after]
}

function folderEntered(from: string | undefined, { args: [word] }: Command, way: Way): string | undefined {
  const folder = word?.type === 'Word' ? valueOf(word, way) : undefined
  if (folder === undefined || /^[-~]|[*?]/.test(folder)) return undefined
  if (folder.startsWith('/')) return folder
  return from === undefined ? undefined : `${from}/${folder}`
}

/** `wait $!` answers for what ran beside it. */
function waysOfWait(args: readonly string[], way: Way): readonly Way[] {
  const job = /^job (\d)$/.exec(args.at(-1) ?? '')
  return statusOf(way, job?.[1])
}

function withTrap([action = '-', ...signals]: readonly string[], way: Way): Way {
  const after = withSuccess(way)
  if (signals.some((signal) => /^(SIG)?(EXIT|0)$/.test(signal)))
    return { ...after, exitTrap: action === '-' || action === '' ? undefined : action }
  const endsOnFailure = signals.includes('ERR') && /\bexit\b/.test(action)
  return endsOnFailure ? { ...after, errexit: true } : after
}

function runEval(node: Command, way: Way, place: Place): readonly Way[] {
  const values = argumentValues(node, way)
  const known = values.every((value) => value !== undefined) ? values.join(' ') : undefined
  return (known === undefined ? undefined : place.runText(known, way, place)) ?? unknownText(way)
}

/** A text that is only known when it runs: it may set anything, and end the shell. */
function unknownText(way: Way): readonly Way[] {
  const after: Way = { ...way, values: new Map(), folder: undefined }
  return [...eitherOf(after), withFailure({ ...after, leaving: 'shell' })]
}

function runSourced(words: readonly string[], way: Way, place: Place): readonly Way[] {
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
  const operand = operandOf(args)
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
