import type { Command } from 'unbash'
import { followed } from './combine.ts'
import { enclosed, lose, nothing, type Check, type Effect } from './effect.ts'
import { comparesValues, isKnownCheck, programKind } from './kinds.ts'
import { lenientOption, lenientVariable } from './lenient-options.ts'
import { freshShell, readSetOptions, subshellOf, type ShellState } from './shell-state.ts'
import { unwrap } from './unwrap.ts'
import { isExpanded, shownText, substitutionsOf, wordsOf } from './words.ts'

/** One simple command: what its own exit code tells, and what is lost in its substitutions. */
export function evaluateCommand(node: Command, text: string, state: ShellState): Effect {
  const words = wordsOf(node)
  const inner = substituted(node, text, state)
  if (words.length === 0) return assigned(node, inner, state)
  const own = ownEffect(node, words, text, state)
  const told = enclosed(inner)
  const isCompared = comparesValues(words)
  const lost = [...told.carried, ...told.inverted].filter(({ kind }) => kind === 'check' && !isCompared)
  return { ...own, lost: [...own.lost, ...told.lost, ...lose(lost, 'sequence', 'is lost in "$(…)"')] }
}

/** `[[ … ]]` and `(( … ))`. */
export function evaluateTest(shown: string, state: ShellState): Effect {
  return asked(shown, state) ?? carrying(checkOf(shown, ['[[']))
}

function substituted(node: Command, text: string, state: ShellState): Effect {
  let effect = nothing
  for (const { script, text: shown } of substitutionsOf(node)) {
    const isReadable = script !== undefined && (script.errors ?? []).length === 0
    if (!isReadable) state.reading.unreadable ??= `"${shownText(shown)}" cannot be read`
    const source = script?.source ?? (script === undefined ? '' : text.slice(script.pos, script.end))
    effect = followed(effect, state.evaluateText(source, { ...subshellOf(state), errexit: false }), true)
  }
  return enclosed(effect)
}

/** Only assignments: the exit code is that of the last substitution; `name=$?` keeps the one before. */
function assigned(node: Command, inner: Effect, state: ShellState): Effect {
  const names = node.prefix.flatMap((part) =>
    part.type === 'Assignment' && /^\w+=("?)\$(\?|\{\?\})\1$/.test(part.text) ? [part.name] : [],
  )
  if (names.length === 0) return inner
  for (const name of names) state.captured.set(name, state.previous)
  return { ...inner, held: [...inner.held, ...state.previous] }
}

function ownEffect(node: Command, words: readonly string[], text: string, state: ShellState): Effect {
  const called = state.functions.get(words[0] ?? '')
  if (called !== undefined) return callOf(words, called(state))
  const { words: run, variables } = unwrap(words)
  const given = [
    ...variables,
    ...node.prefix.flatMap((part) => (part.type === 'Assignment' ? [part.text] : [])),
  ]
  const shown = shownText(text.slice(node.pos, node.end))
  const isLast = words[0] === 'exec' && run.length > 0
  if (run.length === 0) return isBareWrapper(words) ? carrying(checkOf(shown, words)) : nothing
  const effect = builtin(run, shown, node, state) ?? program(run, given, shown, state)
  return isLast ? { ...effect, isEnd: true, canEndWell: effect.exit !== 'nonzero' } : effect
}

function isBareWrapper([name = '']: readonly string[]): boolean {
  return !['exec', 'command', 'builtin', 'time', 'env'].includes(name)
}

/** A function that cannot fail is no check, whatever it is called. */
function callOf(words: readonly string[], effect: Effect): Effect {
  if (effect.exit !== 'zero' || !isKnownCheck(words)) return effect
  const shown = shownText(words.join(' '))
  return {
    ...effect,
    lost: [
      ...effect.lost,
      ...lose(
        [checkOf(shown, words)],
        'function',
        'cannot happen: the line defines it as a function that cannot fail',
      ),
    ],
  }
}

function builtin(
  words: readonly string[],
  shown: string,
  node: Command,
  state: ShellState,
): Effect | undefined {
  const [name = '', ...args] = words
  switch (name) {
    case 'exit':
    case 'return':
    case 'logout':
      return ending(args[0], state)
    case 'set': {
      Object.assign(state, readSetOptions(args))
      return nothing
    }
    case 'cd':
      state.folder = enteredFrom(state.folder, args[0])
      return carrying(checkOf(shown, words))
    case 'test':
    case '[':
      return asked(shown, state)
    case 'alias':
      state.reading.unreadable ??= `"${shown}" gives a command another meaning`
      return nothing
    case 'trap':
      return trapped(args, state)
    case 'eval':
      return evaluated(args.join(' '), node, state)
    case 'sh':
    case 'bash':
    case 'dash':
    case 'zsh':
    case 'ksh':
    case 'ash':
      return innerShell(args, node, state)
    default:
      return undefined
  }
}

function enteredFrom(folder: string, entered = '~'): string {
  return entered.startsWith('/') ? entered : `${folder}/${entered}`
}

/** `exit` as it is written: `exit`, `exit 1`, `exit $?`, `exit $code`, `exit ${PIPESTATUS[0]}`. */
function ending(code: string | undefined, state: ShellState): Effect {
  const end = (exit: Effect['exit'], fatal: readonly Check[] = []): Effect => ({
    ...nothing,
    exit,
    isEnd: true,
    canEndWell: exit !== 'nonzero',
    fatal,
  })
  if (code === undefined) return end('either', checksBehind('$?', state))
  if (/^\d+$/.test(code)) return end(Number(code) % 256 === 0 ? 'zero' : 'nonzero')
  return end('either', checksBehind(code, state))
}

/** Whose exit code stands in the expansions of this text. */
function checksBehind(text: string, { previous, pipeline, captured }: ShellState): readonly Check[] {
  const names = [...text.matchAll(/\$\{?(\w+|\?)/g)].map(([, name = '']) => name)
  const found = names.flatMap((name) => {
    if (name === '?') return previous
    return name === 'PIPESTATUS' ? pipeline : (captured.get(name) ?? [])
  })
  return found.map((check) => ({ ...check, isRecalled: true }))
}

/** `[ $? -eq 0 ]` and its like ask for the exit code of something that has run. */
function asked(shown: string, state: ShellState): Effect | undefined {
  const checks = checksBehind(shown, state)
  if (checks.length === 0) return undefined
  const isEqual = /(-eq|==?) *"?0\b/.test(shown)
  const isUnequal = /(-ne|-gt|!=|>) *"?0\b|^\(\( *\$?\{?\w+\}? *\)\)$/.test(shown)
  if (isEqual && !isUnequal) return { ...nothing, exit: 'either', carried: checks }
  return isUnequal ? { ...nothing, exit: 'either', inverted: checks } : undefined
}

function trapped([action = '', ...signals]: readonly string[], state: ShellState): Effect {
  if (signals.length === 0 || action === '-' || action === '') return nothing
  const inside: ShellState = { ...subshellOf(state), previous: [] }
  const effect = state.evaluateText(action, inside)
  const endsWell = effect.isEnd ? effect.exit === 'zero' : /\bexit +0*\b(?!\S)/.test(action)
  if (endsWell) state.reading.trap ??= `trap '${shownText(action)}' ${signals.join(' ')}`
  return nothing
}

function evaluated(text: string, node: Command, state: ShellState): Effect {
  const isKnown = node.args.every((arg) => arg.type === 'Word' && !isExpanded(arg))
  if (!isKnown) state.reading.unreadable ??= `"eval ${shownText(text)}" is only known when it runs`
  return state.evaluateText(text, state)
}

/** `sh -c '…'`; a shell with a script's path is a program like any other. */
function innerShell(args: readonly string[], node: Command, state: ShellState): Effect | undefined {
  const index = args.findIndex((arg) => /^-[a-z]*c[a-z]*$/.test(arg))
  const firstOperand = args.findIndex(
    (arg, place) => !/^[-+]/.test(arg) && !/^[-+]\w*o$/.test(args[place - 1] ?? ''),
  )
  if (index < 0 || (firstOperand >= 0 && firstOperand < index)) return undefined
  const flags = args.slice(0, firstOperand < 0 ? args.length : firstOperand)
  const { errexit = false, pipefail = false } = readSetOptions(flags)
  const text = args[firstOperand] ?? ''
  const isComputed = node.args.some(
    (arg) => arg.type === 'Word' && arg.value === text && isExpanded(arg) && /^\s*\$|\$\(|`/.test(text),
  )
  if (text.trim() === '' || isComputed)
    state.reading.unreadable ??= `the text for "${shownText(`sh ${args.join(' ')}`)}" is only known when it runs`
  return enclosed(state.evaluateText(text, freshShell(state, { errexit, pipefail })))
}

function program(
  words: readonly string[],
  given: readonly string[],
  shown: string,
  state: ShellState,
): Effect {
  state.reading.invocations.push({ words, folder: state.folder })
  const kind = programKind(words)
  if (kind === 'zero') return nothing
  if (kind === 'nonzero') return { ...nothing, exit: 'nonzero' }
  const check = checkOf(shown, words)
  const lenient = lenientOption(words) ?? given.map(variableProblem).find((problem) => problem !== undefined)
  const effect = carrying(check)
  return lenient === undefined
    ? effect
    : { ...effect, carried: [], lost: lose([{ ...check, kind: 'check' }], 'option', lenient) }
}

function variableProblem(assignment: string): string | undefined {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(assignment) ?? []
  return lenientVariable(name, value.replace(/^(["'])(.*)\1$/s, '$2'))
}

function checkOf(text: string, words: readonly string[]): Check {
  const kind = programKind(words)
  const known = kind === 'zero' || kind === 'nonzero' ? 'check' : kind
  return { text, kind: known, isKnown: isKnownCheck(words), isAlwaysRun: true, origin: {} }
}

function carrying(check: Check): Effect {
  return { ...nothing, exit: 'either', carried: [check] }
}
