import { assignmentIn, settingOf } from './environment.ts'
import { shorten } from '../reading/findings.ts'
import { evalStarted, sourceStarted } from './shells.ts'
import {
  elsewhere,
  scriptsStarted,
  type Started,
  type Starter,
  type StartObstacle,
  unknownScript,
} from './started.ts'
import { joinWords, literalWord, type ReadWord, withText } from '../reading/words.ts'

/** Obstacles of `NAME=value`, or of a name with an unknown value. */
export function settingObstacles(word: ReadWord): readonly StartObstacle[] {
  const { name, value } = assignmentIn(word.guess) ?? { name: word.guess, value: '' }
  const found = settingOf(name, word.written, word.text === null ? null : value)
  return found === undefined ? [] : [{ ...found, word }]
}

/** Obstacles of names that a builtin sets to unknown values. */
function assigned(args: readonly ReadWord[]): readonly StartObstacle[] {
  return args.flatMap((word) =>
    word.text === null || /^[A-Za-z_]\w*$/.test(word.text)
      ? settingObstacles({ ...word, text: null })
      : /[[$`]/.test(word.text)
        ? [evaluated(word)]
        : [],
  )
}

function evaluated(word: ReadWord): StartObstacle {
  const reason = `"${shorten(word.written)}" is evaluated, which runs what stands in a subscript`
  return { kind: 'dynamic-script', reason, word, subject: word.written, isSum: true }
}

function redefined(words: readonly ReadWord[]): Started {
  return {
    obstacles: [
      { kind: 'redefinition', reason: `"${shorten(joinWords(words).written)}" gives a name another meaning` },
    ],
  }
}

const declare: Starter = (args) => {
  const isReference = args.some(({ text }) => /^-\w*[ni]/.test(text ?? ''))
  const isSet = ({ guess }: ReadWord) => assignmentIn(guess) !== undefined
  return {
    obstacles: [
      ...(isReference ? [] : args.filter(isSet).flatMap(settingObstacles)),
      ...args
        .filter((word) => (isSet(word) ? isReference : word.text === null))
        .map((word) => ({
          kind: 'environment' as const,
          reason: `it is only known when it runs which variable "${shorten(word.written)}" sets`,
          word,
        })),
    ],
  }
}
const setsNames: Starter = (args) => {
  const runs = args.some(({ text }) => text === '-C')
  return { obstacles: [...assigned(args), ...(runs ? args.map(unknownScript) : [])] }
}
const redefines: Starter = (_, words) => redefined(words)

export const builtins: ReadonlyMap<string, Starter> = new Map(
  Object.entries({
    eval: (args) => evalStarted(joinWords(args[0]?.text === '--' ? args.slice(1) : args)),
    source: (_, words) => sourceStarted(words),
    '.': (_, words) => sourceStarted(words),
    trap: trapStarted,
    alias: aliasStarted,
    export: declare,
    readonly: declare,
    declare,
    typeset: declare,
    local: declare,
    unset: (args, words) =>
      args.some(({ text }) => /^-\w*f/.test(text ?? '')) ? redefined(words) : { obstacles: assigned(args) },
    read: setsNames,
    mapfile: setsNames,
    readarray: setsNames,
    getopts: setsNames,
    let: (args) => ({ obstacles: args.map(evaluated) }),
    '[': testStarted,
    test: testStarted,
    set: (args) =>
      args.some(({ text }) => /^-[a-z]*k|^keyword$/.test(text ?? ''))
        ? {
            obstacles: [
              { kind: 'environment', reason: 'with "set -k" words of programs set their variables' },
            ],
          }
        : {},
    printf: printfStarted,
    hash: redefines,
    enable: redefines,
    compgen: redefines,
    complete: redefines,
    bind: redefines,
  } satisfies Record<string, Starter>),
)

/** `-v name[index]` evaluates the index; an unknown word may become that option. */
function testStarted(all: readonly ReadWord[]): Started {
  const args = all.filter(({ text }) => text !== ']')
  const obstacles = args.filter(({ text, written }, index) => {
    if (/^-[vR]$/.test(args[index - 1]?.text ?? '')) return text === null || !/^\w+$/.test(text)
    return text === null && ((index === 0 && args.length === 2) || !isOneWord(written))
  })
  return { obstacles: obstacles.map(evaluated) }
}

function isOneWord(written: string): boolean {
  return /^[^$`*?[][^$`]*$|^"[^"]*"$|^\$[#?$!]$|^\$\{#\w+(?:\[[@*]\])?\}$/s.test(written)
}

/** `trap 'text' EXIT`; with a single word it resets that signal. */
function trapStarted(args: readonly ReadWord[]): Started {
  const [script, ...signals] = args[0]?.text === '--' ? args.slice(1) : args
  if (script === undefined || signals.length === 0 || /^(-[lpP]*)?$/.test(script.text ?? 'x')) return {}
  const { starts = [], obstacles = [] } = scriptsStarted([script], 'trap')
  const isKnown = script.text !== null && signals.every(({ text }) => text !== null)
  const later = elsewhere(
    `"${shorten(script.written)}" is run later, by a trap`,
    isKnown ? joinWords(signals).written : undefined,
  )
  return { starts, isTransparent: true, obstacles: [{ ...later, word: script }, ...obstacles] }
}

const plainName =
  /^(?!(?:if|then|elif|else|fi|case|esac|for|select|while|until|do|done|in|function|time|coproc)$)[A-Za-z_][\w.-]*$/

/** With options, other shells expand an alias in any position. */
function aliasStarted(args: readonly ReadWord[]): Started {
  const isPlain = args.every(({ text }) => text?.startsWith('-') === false)
  const given = args.flatMap((word) => {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(word.guess) ?? []
    return name === undefined || value === undefined ? [] : [{ word, name, value }]
  })
  return {
    starts: given.map(({ word, value }) => ({
      kind: 'script',
      through: 'alias',
      script: withText(word, value),
    })),
    obstacles: given.map(({ word, name }) => ({
      ...{ kind: 'redefinition', reason: `"${shorten(word.written)}" gives a name another meaning`, word },
      ...(isPlain && plainName.test(name) ? { subject: name } : {}),
    })),
  }
}

function printfStarted([first, second]: readonly ReadWord[]): Started {
  const option = first?.text
  if (first === undefined) return {}
  if (option === null && /^"?\$/.test(first.written) && !/[^\w"}]$/.test(first.written))
    return second === undefined ? {} : { obstacles: [evaluated(first)] }
  if (option?.startsWith('-v') !== true) return {}
  const name = option === '-v' ? second : literalWord(option.slice(2), first.written)
  return { obstacles: name === undefined ? [] : assigned([name]) }
}
