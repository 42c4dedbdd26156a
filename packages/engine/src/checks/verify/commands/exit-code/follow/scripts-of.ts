import { resolve, isAbsolute, join, relative } from 'node:path'
import type { Reading } from '../reading.ts'
import { makeScripts } from './makefile.ts'
import { packageScripts } from './package-script.ts'
import { type Script, readSetOptions, readText } from './script.ts'

/**
 * The scripts that a program runs one after the other, as they are now: those of package.json, Makefiles and shell
 * scripts. None: it leads to none that can be read.
 */
export function scriptsOf(
  words: readonly string[],
  folder: string | undefined,
  { root }: Reading,
): readonly Script[] {
  if (folder === undefined) return []
  const place = resolve(root, folder)
  const found = packageScripts(words, place, root)
  if (found.length > 0) return found
  const made = makeScripts(words, place, root)
  return made.length > 0 ? made : shellScripts(words, place, root)
}

const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', '.', 'source'])

/** The shell script that a command runs: `./check.sh`, `bash check.sh`, `. check.sh`. */
function shellScripts(words: readonly string[], folder: string, root: string): readonly Script[] {
  const [program = '', ...args] = words
  const name = program.slice(program.lastIndexOf('/') + 1)
  const isShell = shells.has(name)
  const operand = args.findIndex(
    (arg, index) => !/^[-+]/.test(arg) && !/^[-+]\w*o$/.test(args[index - 1] ?? ''),
  )
  const path = isShell ? args[operand] : program.includes('/') ? program : undefined
  if (path === undefined) return []
  const file = isAbsolute(path) ? path : join(folder, path)
  const text = readText(file)
  if (text === undefined) return []
  const [, interpreter = '', flags = ''] = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(\S+)([^\n]*)/.exec(text) ?? []
  const isShellText =
    interpreter === ''
      ? path.endsWith('.sh')
      : shells.has(interpreter.slice(interpreter.lastIndexOf('/') + 1))
  if (!isShell && !isShellText) return []
  const { errexit = false, pipefail = false } = readSetOptions(
    isShell ? args.slice(0, operand) : flags.split(/\s+/),
  )
  return [{ text, where: relative(root, file), folder, errexit, pipefail }]
}
