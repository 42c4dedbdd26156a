import { dirname, join, relative, resolve } from 'node:path'
import { z } from 'zod'
import { readText, type Script } from './script.ts'

const manifest = z.object({ scripts: z.record(z.string(), z.unknown()).optional() })

const managers = new Set(['npm', 'pnpm', 'yarn', 'bun'])
/** Options that stand before a name with a value of their own. */
const valued = /^(--prefix|-C|--cwd|--dir|--loglevel)$/
const folderOptions = /^(--prefix|-C|--cwd|--dir)(?:=(.*))?$/
/** Scripts of other packages, of which nothing is known here. */
const elsewhere = /^(--workspaces?|-ws?|--filter|-F|-r|--recursive)(=|$)/
const aliases: Readonly<Record<string, string>> = { t: 'test', tst: 'test', 'run-script': 'run' }

/** Scripts of the nearest package.json that a package manager's command runs, with those before and after it. */
export function packageScripts(words: readonly string[], folder: string, root: string): readonly Script[] {
  const names = words.some((word) => elsewhere.test(word)) ? [] : scriptNames(words)
  if (names.length === 0) return []
  const found = nearestManifest(resolve(folder, folderOption(words) ?? '.'), root)
  if (found === undefined) return []
  const wanted = names.map((name) => matching(name, Object.keys(found.scripts)))
  // A script that is missing is a failure of the command.
  if (wanted.some((matched) => matched.length === 0)) return []
  return wanted.flat().flatMap((name) =>
    [`pre${name}`, name, `post${name}`].flatMap((part): readonly Script[] => {
      const text = found.scripts[part]
      return text === undefined
        ? []
        : [{ text, where: `${found.where} scripts.${part}`, folder: found.folder }]
    }),
  )
}

function scriptNames(words: readonly string[]): readonly string[] {
  const [program = '', ...args] = words
  if (/^(run-s|run-p|npm-run-all2?)$/.test(program)) return args.filter((arg) => !arg.startsWith('-'))
  if (program === 'node')
    return args.flatMap((arg, index) => (arg === '--run' ? [args[index + 1] ?? ''] : []))
  if (!managers.has(program)) return []
  const operands = args.filter((arg, index) => !arg.startsWith('-') && !valued.test(args[index - 1] ?? ''))
  const [first = '', second = ''] = operands.map((operand, place) =>
    place === 0 ? (aliases[operand] ?? operand) : operand,
  )
  if (first === 'run') return [second]
  if (program === 'npm') return ['test', 'start', 'stop', 'restart'].includes(first) ? [first] : []
  // `bun test` and `bun build` are Bun's own.
  return program === 'bun' && ['test', 'build'].includes(first) ? [] : [first]
}

function folderOption(words: readonly string[]): string | undefined {
  for (const [index, word] of words.entries()) {
    const found = folderOptions.exec(word)
    if (found !== null) return found[2] ?? words[index + 1]
  }
  return undefined
}

function matching(name: string, names: readonly string[]): readonly string[] {
  if (!name.includes('*')) return names.includes(name) ? [name] : []
  const parts = name.split(/\*+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`^${parts.join('.*')}$`)
  return names.filter((candidate) => pattern.test(candidate))
}

interface FoundManifest extends Pick<Script, 'folder' | 'where'> {
  readonly scripts: Readonly<Record<string, string>>
}

function nearestManifest(folder: string, root: string): FoundManifest | undefined {
  const text = readText(join(folder, 'package.json'))
  const where = relative(root, join(folder, 'package.json'))
  if (text !== undefined) return { folder, where, scripts: scriptsIn(text) }
  const parent = dirname(folder)
  return parent === folder ? undefined : nearestManifest(parent, root)
}

/** None where the manifest is malformed: then the package manager itself fails. */
function scriptsIn(text: string): Readonly<Record<string, string>> {
  try {
    const { scripts = {} } = manifest.parse(JSON.parse(text))
    return Object.fromEntries(
      Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}
