/** Programs that read a text as commands. */
import { programName } from '../decomposition.ts'
import { shorten } from '../reading/findings.ts'
import type { ReadWord } from '../reading/words.ts'
import { type Started, type StartObstacle, unknownScript } from './started.ts'

const shells = new Set('sh bash zsh dash ksh mksh ash rbash yash'.split(' '))
/** Shells with another grammar: their texts are read, and never known. */
const foreignShells = new Set('fish csh tcsh nu pwsh powershell xonsh elvish'.split(' '))

export function isShell(name: string): boolean {
  return shells.has(name) || foreignShells.has(name)
}

const plainOption = /^[-+][cileuxvfhmBCHETs]*[oO]?$|^--(?:login|norc|noprofile|posix|verbose|restricted)$/

/** `sh -c 'text'`, `bash -o pipefail -lc 'text' name arguments`, `sh` that reads its input. */
export function shellStarted(words: readonly ReadWord[]): Started {
  const name = programName(words[0]?.text ?? '')
  let isCommand = false
  let readsInput = false
  let isPlain = true
  const obstacles: StartObstacle[] = foreignShells.has(name)
    ? [{ kind: 'dynamic-script', reason: `"${name}" reads another language` }]
    : []
  let index = 1
  for (; index < words.length; index += 1) {
    const word = words[index]
    const text = word?.text
    if (word !== undefined && text === null && !isCommand && index < words.length - 1) {
      obstacles.push(unknownScript(word))
      isPlain = false
      continue
    }
    if (typeof text !== 'string') break
    if (text === '--' || (text === '-' && isCommand)) {
      index += 1
      break
    }
    if (text.length < 2 || !/^[-+]/.test(text)) break
    isPlain &&= plainOption.test(text)
    if (/^--(?:rcfile|init-file)$/.test(text)) {
      index += 1
      obstacles.push(fileObstacle(name, words[index] ?? word))
    } else if (!text.startsWith('--')) {
      isCommand ||= text.startsWith('-') && text.includes('c')
      readsInput ||= text.startsWith('-') && text.includes('s')
      index += (text.match(/[oO]/g) ?? []).length
    }
  }
  const script = words[index]
  const isTransparent = isPlain && obstacles.length === 0
  if (script !== undefined && (isCommand || !isPlain) && !readsInput)
    return {
      starts: [{ kind: 'script', through: `${name} -c`, script }],
      isTransparent: isTransparent && isCommand,
      obstacles: [...obstacles, ...ofScript(script, isCommand)],
    }
  if (isCommand || (script !== undefined && !readsInput && !isInput(script))) return { obstacles }
  return { starts: [{ kind: 'input', through: name }], isTransparent, obstacles }
}

function ofScript(script: ReadWord, isCommand: boolean): readonly StartObstacle[] {
  return isCommand && script.text === null ? [unknownScript(script)] : []
}

/** A file that is standard input, or whatever a process writes. */
function isInput({ text, written }: ReadWord): boolean {
  // Below a home folder stands a file, whosever home it is.
  if (text === null) return !/^(?:~[\w-]*|"?\$(?:HOME|\{HOME\}))\/[\w./-]+"?$/.test(written)
  return /^(-|\/dev\/stdin|\/dev\/fd\/\d+|\/proc\/[\w-]+\/(task\/\d+\/)?fd\/\d+)$/.test(
    text.replace(/\/(\.?\/)+/g, '/'),
  )
}

/** `source file`, `. file`. */
export function sourceStarted(words: readonly ReadWord[]): Started {
  const file = words.slice(1).find(({ text }) => text !== '--')
  const name = words[0]?.text ?? 'source'
  if (file === undefined) return {}
  return {
    starts: isInput(file) ? [{ kind: 'input', through: name }] : [],
    obstacles: [fileObstacle(name, file)],
  }
}

function fileObstacle(name: string, file: ReadWord | undefined): StartObstacle {
  const reason = `"${name} ${shorten(file?.written ?? '')}" runs a file that is not looked into`
  if (file === undefined || isInput(file))
    return { kind: 'dynamic-script', reason, ...(file && { word: file }) }
  return { kind: 'dynamic-script', reason, word: file, subject: file.text ?? file.written }
}

/** Tools that print how a shell is set up for them: no more is run of it than of a file of theirs that is read in. */
const settingUp =
  /^"?\$\(((?:pyenv|rbenv|nodenv|goenv|jenv|fnm|direnv|brew|opam|conda|mise|starship|zoxide|ssh-agent|dircolors) ?(?:init|env|hook|export|shellenv|activate|shell\.\w+|-s)?(?: [\w-]+)*)\)"?$/

/** `eval`, which reads its words joined, in the same shell. */
export function evalStarted(script: ReadWord): Started {
  const [, tool] = settingUp.exec(script.written) ?? []
  if (tool !== undefined)
    return {
      isTransparent: true,
      obstacles: [{ kind: 'dynamic-script', reason: `"eval" runs what "${tool}" prints`, subject: tool }],
    }
  const obstacles = script.text === null ? [unknownScript(script)] : []
  return {
    starts: script.written === '' ? [] : [{ kind: 'script', through: 'eval', script }],
    isTransparent: true,
    obstacles,
  }
}
