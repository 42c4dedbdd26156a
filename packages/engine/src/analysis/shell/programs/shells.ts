import { programName } from '../decomposition.ts'
import { shorten } from '../reading/findings.ts'
import { type ReadWord, withText } from '../reading/words.ts'
import { type Started, type StartObstacle, unknownScript } from './started.ts'
import { optionTable, readOptions } from './wrappers.ts'

const shells = new Set('sh bash zsh dash ksh mksh ash rbash yash'.split(' '))
/** Shells with another grammar: their texts are read but always count as unknown. */
const foreignShells = new Set('fish csh tcsh nu pwsh powershell xonsh elvish'.split(' '))

export function isShell(name: string): boolean {
  return shells.has(name) || foreignShells.has(name)
}

const options = optionTable(
  'c s i l e u x v f h m p r n a b k B C H E T P o: O: rcfile: init-file: login norc noprofile posix verbose restricted',
)

/** `sh -c 'text'`, `bash -o pipefail -lc 'text' name arguments`, `sh` that reads its input. */
export function shellStarted(words: readonly ReadWord[]): Started {
  const name = programName(words[0]?.text ?? '')
  const obstacles: StartObstacle[] = foreignShells.has(name)
    ? [{ kind: 'dynamic-script', reason: `"${name}" reads another language` }]
    : []
  const all = words.map((word) =>
    word.text?.startsWith('+') === true ? withText(word, word.text.replace('+', '-')) : word,
  )
  let { end, used, isKnown } = readOptions(all, 1, options)
  const has = (option: string) => used.some((one) => one.name === option)
  for (let word = all[end]; word?.text === null && end < all.length - 1 && !has('c'); word = all[end]) {
    obstacles.push(unknownScript(word))
    const more = readOptions(all, end + 1, options)
    ;[end, used, isKnown] = [more.end, [...used, ...more.used], false]
  }
  for (const { name: option, value } of used)
    if (option === 'rcfile' || option === 'init-file') obstacles.push(fileObstacle(name, value))
  const script = words[end]
  const isCommand = has('c')
  const isTransparent = isKnown && obstacles.length === 0
  if (script !== undefined && (isCommand || !isKnown) && !has('s'))
    return {
      starts: [{ kind: 'script', through: `${name} -c`, script }],
      isTransparent: isTransparent && isCommand,
      obstacles: [...obstacles, ...ofScript(script, isCommand)],
    }
  if (isCommand || (script !== undefined && !has('s') && !isInput(script))) return { obstacles }
  return { starts: [{ kind: 'input', through: name }], isTransparent, obstacles }
}

function ofScript(script: ReadWord, isCommand: boolean): readonly StartObstacle[] {
  return isCommand && script.text === null ? [unknownScript(script)] : []
}

/** Standard input or a process substitution. */
function isInput({ text, written }: ReadWord): boolean {
  // A path below a home folder is a file.
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

/** Tools that print shell setup for `eval`, as safe as sourcing a file. */
const settingUp =
  /^"?\$\(((?:pyenv|rbenv|nodenv|goenv|jenv|fnm|direnv|brew|opam|conda|mise|starship|zoxide|ssh-agent|dircolors) ?(?:init|env|hook|export|shellenv|activate|shell\.\w+|-s)?(?: [\w-]+)*)\)"?$/

/** `eval` joins its words and runs them in the same shell. */
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
