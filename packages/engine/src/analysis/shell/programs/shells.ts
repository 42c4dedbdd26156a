import { formatText } from '../reading-state.ts'
import { literalWord, type ReadWord } from '../words/word.ts'
import { scriptStarted, type Started, type StartObstacle, unknownScript } from './started.ts'
import { programName } from '../decomposition.ts'

/** Shells whose texts are read here. */
const shells = new Set('sh bash zsh dash ksh mksh ash rbash ksh93 yash posh'.split(' '))
/** Shells with another grammar: their texts are looked at, and never known. */
const foreignShells = new Set('fish csh tcsh nu pwsh powershell xonsh elvish'.split(' '))

export function isShell(name: string): boolean {
  return shells.has(name) || foreignShells.has(name)
}

/** `sh -c 'text'`, `bash -o pipefail -lc 'text' name arguments`, `sh` that reads its input. */
export function shellStarted(words: readonly ReadWord[]): Started {
  const name = programName(words[0]?.text ?? '')
  const { isCommand, readsInput, operand, isPlain, dynamic, startFiles } = readShellOptions(words)
  const isBash = name === 'bash' || name === 'zsh' || name === 'rbash'
  const foreign: readonly StartObstacle[] = foreignShells.has(name)
    ? [{ kind: 'dynamic-script', reason: `"${name}" reads another language` }]
    : []
  const unsure = [
    ...foreign,
    ...(dynamic === undefined ? [] : [unknownScript(dynamic)]),
    ...startFiles.map((file) => fileObstacle(name, file)),
  ]
  const script = words[operand]
  if (isCommand || (dynamic !== undefined && script !== undefined)) {
    if (script === undefined) return { obstacles: unsure }
    const { start, obstacles } = scriptStarted(script, `${name} -c`, {
      isBash,
      arguments: words.slice(operand + 1),
    })
    return {
      starts: [start],
      isTransparent: isPlain && unsure.length === 0,
      obstacles: [...unsure, ...obstacles],
    }
  }
  if (script !== undefined && !readsInput && !isInput(script)) return { obstacles: unsure }
  const given = readsInput ? { arguments: [literalWord(name), ...words.slice(operand)] } : {}
  return {
    starts: [{ kind: 'input', through: name, isBash, ...given }],
    isTransparent: isPlain && unsure.length === 0,
    obstacles: unsure,
  }
}

/** A file that is standard input, or whatever a process writes. */
function isInput({ text, written }: ReadWord): boolean {
  // Below a home folder stands a file, whosever home it is.
  if (text === null) return !/^(?:~[\w-]*|"?\$(?:HOME|\{HOME\}))\/[\w./-]+"?$/.test(written)
  return /^(-|\/dev\/stdin|\/dev\/fd\/\d+|\/proc\/[\w-]+\/(task\/\d+\/)?fd\/\d+)$/.test(
    text.replace(/\/(\.?\/)+/g, '/'),
  )
}

interface ShellOptions {
  readonly isCommand: boolean
  /** `-s`: words behind are arguments of what it reads. */
  readonly readsInput: boolean
  /** Where the text, or the file, stands. */
  readonly operand: number
  /** Nothing that is read before the text but the usual files of a login. */
  readonly isPlain: boolean
  /** A word among the options that is only known when it runs. */
  readonly dynamic: ReadWord | undefined
  /** Read before the text. */
  readonly startFiles: readonly ReadWord[]
}

const plainLetters = /^[-+][cileuxvfhmBCHET]*[oO]?$/
const plainNames = /^--(login|norc|noprofile|posix|verbose|restricted|noediting)$/

function readShellOptions(words: readonly ReadWord[]): ShellOptions {
  let isCommand = false
  let readsInput = false
  const startFiles: ReadWord[] = []
  let isPlain = true
  let dynamic: ReadWord | undefined
  let index = 1
  for (; index < words.length; index += 1) {
    const text = words[index]?.text
    if (text === null || text === undefined) {
      if (isCommand) break
      // It may be the file, or options, or vanish.
      dynamic ??= words[index]
      isPlain = false
      if (index === words.length - 1) break
      continue
    }
    if (text === '--' || (text === '-' && isCommand)) {
      index += 1
      break
    }
    if (text.length < 2 || !/^[-+]/.test(text)) break
    isPlain &&= plainLetters.test(text) || plainNames.test(text)
    if (text.startsWith('--')) {
      if (/^--(rcfile|init-file|emulate|command)$/.test(text)) index += 1
      if (/^--(rcfile|init-file)$/.test(text)) startFiles.push(...words.slice(index, index + 1))
      isCommand ||= /^--command(=|$)/.test(text)
      continue
    }
    isCommand ||= text.startsWith('-') && text.includes('c')
    readsInput ||= text.startsWith('-') && text.includes('s')
    index += (text.match(/[oO]/g) ?? []).length
  }
  return { isCommand, readsInput, operand: index, isPlain, dynamic, startFiles }
}

/** Tools that print how a shell is set up for them: no more is run of it than of a file of theirs that is read in. */
const settingUp =
  /^"?\$\(((?:pyenv|rbenv|nodenv|goenv|jenv|fnm|direnv|brew|opam|conda|mise|starship|zoxide|ssh-agent|dircolors) ?(?:init|env|hook|export|shellenv|activate|shell\.\w+|-s)?(?: [\w-]+)*)\)"?$/

/** `eval`, which reads its words joined, in the same shell. */
export function evalStarted(words: readonly ReadWord[], joined: ReadWord): Started {
  const [, tool] = settingUp.exec(joined.written) ?? []
  if (tool !== undefined) {
    const reason = `"eval" runs what "${tool}" prints`
    return { isTransparent: true, obstacles: [{ kind: 'dynamic-script', reason, subject: tool }] }
  }
  const { start, obstacles } = scriptStarted(joined, 'eval')
  return { starts: words.length === 0 ? [] : [start], isTransparent: true, obstacles }
}

/** `source file`, `. file`. */
export function sourceStarted(words: readonly ReadWord[]): Started {
  const file = words.slice(1).find(({ text }) => text !== '--')
  const name = words[0]?.text ?? 'source'
  if (file === undefined) return {}
  return {
    starts: isInput(file) ? [{ kind: 'input', through: name, isBash: false }] : [],
    obstacles: [fileObstacle(name, file)],
  }
}

function fileObstacle(name: string, file: ReadWord): StartObstacle {
  return {
    kind: 'dynamic-script',
    reason: `"${name} ${formatText(file.written)}" runs a file that is not looked into`,
    word: file,
    ...(isInput(file) ? {} : { subject: file.text ?? file.written }),
  }
}
