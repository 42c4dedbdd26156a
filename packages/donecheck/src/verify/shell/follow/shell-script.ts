import { isAbsolute, join, relative } from 'node:path'
import { readSetOptions } from '../shell-state.ts'
import { readScript, type Script } from './script.ts'

const shells = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', '.', 'source'])

/** The shell script that a command runs: `./check.sh`, `bash check.sh`, `. check.sh`. */
export async function shellScripts(
  words: readonly string[],
  folder: string,
  root: string,
): Promise<readonly Script[]> {
  const [program = '', ...args] = words
  const name = program.slice(program.lastIndexOf('/') + 1)
  const isShell = shells.has(name)
  const operand = args.findIndex(
    (arg, index) => !/^[-+]/.test(arg) && !/^[-+]\w*o$/.test(args[index - 1] ?? ''),
  )
  const path = isShell ? args[operand] : program.includes('/') ? program : undefined
  if (path === undefined) return []
  const file = isAbsolute(path) ? path : join(folder, path)
  const found = await readScript(file)
  if (found === undefined) return []
  const { text } = found
  const where = relative(root, file)
  if (found.unreadable !== undefined)
    return isShell || path.endsWith('.sh') ? [{ ...found, where, folder, isScript: true }] : []
  const [, interpreter = '', flags = ''] = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(\S+)([^\n]*)/.exec(text) ?? []
  const isShellText =
    interpreter === ''
      ? path.endsWith('.sh')
      : shells.has(interpreter.slice(interpreter.lastIndexOf('/') + 1))
  if (!isShell && !isShellText) return []
  const options = isShell ? readSetOptions(args.slice(0, operand)) : readSetOptions(flags.split(/\s+/))
  return [{ text, where, folder, isScript: true, ...options }]
}
