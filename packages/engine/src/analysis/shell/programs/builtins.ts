import { assignmentIn } from '../environment.ts'
import { formatText } from '../reading-state.ts'
import { literalWord, type ReadWord, textInWord } from '../words/word.ts'
import {
  elsewhere,
  joinWords,
  scriptsStarted,
  scriptStarted,
  type Started,
  type StartObstacle,
} from './started.ts'
import { evalStarted, sourceStarted } from './shells.ts'
import { environmentObstacles, settingObstacle } from './wrapper.ts'

/** What a builtin of the shell starts, or makes of the shell; undefined: it is none that does. */
export function builtinStarted(name: string, words: readonly ReadWord[]): Started | undefined {
  const args = words.slice(1)
  switch (name) {
    case 'eval': {
      const texts = args[0]?.text === '--' ? args.slice(1) : args
      return evalStarted(texts, joinWords(texts))
    }
    case 'source':
    case '.':
      return sourceStarted(words)
    case 'trap':
      return trapStarted(args)
    case 'alias':
      return aliasStarted(args)
    case 'export':
    case 'readonly':
    case 'declare':
    case 'typeset':
    case 'local':
      return readDeclaration(args)
    case 'unset':
      return {
        obstacles: args.some(({ text }) => /^-\w*f/.test(text ?? '')) ? [redefinition(words)] : assigns(args),
      }
    case 'read':
    case 'mapfile':
    case 'readarray':
    case 'getopts': {
      const own = callbackStarted(name, args)
      return { ...own, obstacles: [...assigns(args), ...own.obstacles] }
    }
    case 'let':
      return sumsStarted(args)
    case '[':
    case 'test':
      return { obstacles: testObstacles(args.filter(({ text }) => text !== ']')) }
    case 'set':
      return args.some(({ text }) => /^-[a-z]*k|^keyword$/.test(text ?? '')) ? setsKeywords : {}
    case 'printf':
      return printfStarted(args)
    case 'hash':
    case 'enable':
      return args.some(({ text }) => /^-\w*[pnfd]/.test(text ?? '-p'))
        ? { obstacles: [redefinition(words)] }
        : {}
    case 'compgen':
    case 'complete':
      return completionStarted(name, args)
    case 'bind':
      return callbackStarted(name, args)
    default:
      return undefined
  }
}

function completionStarted(name: string, args: readonly ReadWord[]): Started {
  const words = args[args.findIndex(({ text }) => text === '-W') + 1]
  const own = callbackStarted(name, args)
  if (words === undefined || words === args[0]) return own
  // A command that expands the text as a word, and does nothing with it.
  const expanding = `: "${words.guess.replace(/["\\]/g, ' ')}"`
  const { start, obstacles } = scriptStarted({ ...words, guess: expanding }, name)
  return { starts: [...own.starts, start], obstacles: [...own.obstacles, ...obstacles] }
}

function redefinition(words: readonly ReadWord[]): StartObstacle {
  return {
    kind: 'redefinition',
    reason: `"${formatText(joinWords(words).written)}" gives a name another meaning`,
  }
}

/** Each word is a sum, which is read as `((…))` is. */
function sumsStarted(args: readonly ReadWord[]): Started {
  const starts = args.map(
    (word) => scriptStarted({ ...word, guess: `(( ${word.guess} ))` }, 'let', { isBash: true }).start,
  )
  return { starts, obstacles: args.map(evaluationObstacle) }
}

function evaluationObstacle(word: ReadWord): StartObstacle {
  const reason = `"${formatText(word.written)}" is evaluated, which runs what stands in a subscript`
  return { kind: 'dynamic-script', reason, word, subject: word.written, isSum: true }
}

/** `-v name[index]` evaluates the index; a word that is only known when it runs may become that option. */
function testObstacles(args: readonly ReadWord[]): readonly StartObstacle[] {
  const found = args.filter(({ text, written }, index) => {
    if (/^-[vR]$/.test(args[index - 1]?.text ?? '')) return text === null || !/^\w+$/.test(text)
    if (text !== null) return false
    const mayBeOption = index === 0 && args.length === 2
    return mayBeOption || !isOneWord(written)
  })
  return found.map(evaluationObstacle)
}

/** In quotes, without an expansion, or a number. */
function isOneWord(written: string): boolean {
  return /^[^$`*?[][^$`]*$|^"[^"]*"$|^\$[#?$!]$|^\$\{#\w+(?:\[[@*]\])?\}$/s.test(written)
}

/** From then on every `NAME=value` among the words of a program is one of its variables. */
const setsKeywords: Started = {
  obstacles: [{ kind: 'environment', reason: 'with "set -k" words of programs set their variables' }],
}

/** `trap 'text' EXIT`; with one word only it is a signal that is given back. */
function trapStarted(args: readonly ReadWord[]): Started {
  const rest = args[0]?.text === '--' ? args.slice(1) : args
  const [script] = rest
  if (script === undefined || rest.length < 2 || /^(-[lpP]*)?$/.test(script.text ?? 'x')) return {}
  const { start, obstacles } = scriptStarted(script, 'trap')
  const later = elsewhere(`"${formatText(script.written)}" is run later, by a trap`, script)
  const isKnown = script.text !== null && rest.slice(1).every(({ text }) => text !== null)
  const subject = isKnown ? { subject: joinWords(rest.slice(1)).written } : {}
  return { starts: [start], isTransparent: true, obstacles: [{ ...later, ...subject }, ...obstacles] }
}

/** A name that the shell gives no meaning of its own. */
const plainName =
  /^(?!(?:if|then|elif|else|fi|case|esac|for|select|while|until|do|done|in|function|time|coproc)$)[A-Za-z_][\w.-]*$/

/** With options, in other shells, any word may be an alias, not only a program. */
function aliasStarted(args: readonly ReadWord[]): Started {
  const isPlain = args.every(({ text }) => text?.startsWith('-') === false)
  const given = args.flatMap((word) => {
    const { name, value } = /^(?<name>[^=]+)=(?<value>.*)$/s.exec(word.guess)?.groups ?? {}
    return name === undefined || value === undefined ? [] : [{ word, name, value }]
  })
  return {
    starts: given.map(({ word, value }) => ({
      kind: 'script',
      through: 'alias',
      script: textInWord(word, value),
      isBash: false,
    })),
    obstacles: given.map(({ word, name }) => ({
      kind: 'redefinition',
      reason: `"${formatText(word.written)}" gives a name another meaning`,
      word,
      ...(isPlain && plainName.test(name) ? { subject: name } : {}),
    })),
  }
}

function readDeclaration(args: readonly ReadWord[]): Started {
  const assigned = args.filter(({ guess }) => assignmentIn(guess) !== undefined)
  const isReference = args.some(({ text }) => /^-\w*[ni]/.test(text ?? ''))
  const unknown = args.filter(({ text, guess }) => text === null && assignmentIn(guess) === undefined)
  const obstacles = [
    ...(isReference ? [] : assigned.flatMap(environmentObstacles)),
    ...[...(isReference ? assigned : []), ...unknown].map(settingObstacle),
  ]
  return { obstacles }
}

/** Names that a builtin gives a value which is not known. */
function assigns(args: readonly ReadWord[]): readonly StartObstacle[] {
  return args
    .filter(({ text }) => text === null || /^[A-Za-z_]\w*$/.test(text))
    .flatMap((word) => environmentObstacles({ ...word, text: null }))
}

function printfStarted(args: readonly ReadWord[]): Started {
  const [first] = args
  const option = first?.text
  if (
    first !== undefined &&
    option === null &&
    /^"?\$/.test(first.written) &&
    !/[^\w"}]$/.test(first.written)
  )
    return args.length > 1 ? { obstacles: [evaluationObstacle(first)] } : {}
  if (first === undefined || option?.startsWith('-v') !== true) return {}
  const name = option === '-v' ? args[1] : literalWord(option.slice(2), first.written)
  return name === undefined ? {} : { obstacles: environmentObstacles({ ...name, text: null }) }
}

/** Options of builtins whose value is run, or expanded once more. */
const callbacks: Readonly<Record<string, string>> = {
  mapfile: '-C',
  readarray: '-C',
  compgen: '-C',
  complete: '-C',
  bind: '-x',
}

function callbackStarted(name: string, args: readonly ReadWord[]): ReturnType<typeof scriptsStarted> {
  const at = args.findIndex(({ text }) => text === callbacks[name])
  return scriptsStarted(at < 0 ? [] : args.slice(at + 1, at + 2), name)
}
