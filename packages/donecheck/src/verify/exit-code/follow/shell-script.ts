import { isAbsolute, join, relative } from 'node:path'
import { readSetOptions, readText, type Script } from './script.ts'

const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', '.', 'source'])

/** The shell script that a command runs: `./check.sh`, `bash check.sh`, `. check.sh`. */
export function shellScripts(words: readonly string[], folder: string, root: string): readonly Script[] {
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
