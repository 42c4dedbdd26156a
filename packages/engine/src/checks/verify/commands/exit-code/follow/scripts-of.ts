import { resolve, isAbsolute, join, relative } from 'node:path'
import type { Reading } from '../reading.ts'
import { makeScripts } from './makefile.ts'
import { operandOf, type Script, readSetOptions, readText } from './script.ts'
import { scriptCallOf } from '../../../../../analysis/shell/index.ts'
import { nearestManifest } from '../../../../../system/files/index.ts'

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
  const operand = operandOf(args)
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

/** Scripts of the nearest package.json that a package manager's command runs, with those before and after it. */
function packageScripts(words: readonly string[], folder: string, root: string): readonly Script[] {
  const call = scriptCallOf(words)
  if (call === undefined || call.isElsewhere || call.manifest !== 'package.json') return []
  const found = nearestManifest(resolve(folder, call.folder ?? '.'))
  if (found === undefined) return []
  const wanted = call.scripts.map((name) => matching(name, Object.keys(found.scripts)))
  // A script that is missing is a failure of the command.
  if (wanted.some((matched) => matched.length === 0)) return []
  const where = relative(root, join(found.folder, 'package.json'))
  return wanted.flat().flatMap((name) =>
    (call.hasHooks ? [`pre${name}`, name, `post${name}`] : [name]).flatMap((part): readonly Script[] => {
      const text = found.scripts[part]
      return text === undefined ? [] : [{ text, where: `${where} scripts.${part}`, folder: found.folder }]
    }),
  )
}

function matching(name: string, names: readonly string[]): readonly string[] {
  if (!name.includes('*')) return names.includes(name) ? [name] : []
  const parts = name.split(/\*+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`^${parts.join('.*')}$`)
  return names.filter((candidate) => pattern.test(candidate))
}
