import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { programOf } from './unwrap.ts'

/** A script of package.json that a line runs through a package manager. */
export interface ScriptCall {
  readonly script: string
  /** What must stand before words that are meant for the script. */
  readonly separator: readonly string[]
}

const shortNames: Readonly<Record<string, string>> = { test: 'test', t: 'test', tst: 'test' }

/** The script that these words run; undefined where it is none, or may be several (workspaces) or elsewhere. */
export function scriptCallOf(words: readonly string[]): ScriptCall | undefined {
  const [first = '', ...args] = words
  const manager = programOf(first)
  if (!['npm', 'pnpm', 'yarn', 'bun'].includes(manager)) return undefined
  const given = args.findIndex((word) => !isHarmless(word))
  const [verb = '', ...rest] = args.slice(given < 0 ? args.length : given)
  const isRun = verb === 'run' || verb === 'run-script'
  const ownWords = rest.filter((word, index) => index < separatorOf(rest))
  const script = isRun ? ownWords.find((word) => !isHarmless(word)) : nameOfVerb(manager, verb)
  if (script === undefined || script.startsWith('-')) return undefined
  const isElsewhere = ownWords.some((word) =>
    /^-(?:-workspaces?|w|ws|-prefix|C|-dir|r|-recursive|-filter|-cwd)(?:=|$)/.test(word),
  )
  if (isElsewhere) return undefined
  const needsSeparator = manager === 'npm' && !rest.includes('--')
  return { script, separator: needsSeparator ? ['--'] : [] }
}

function isHarmless(word: string): boolean {
  return /^(?:-s|--silent|-q|--quiet|--if-present|--loglevel=\w+)$/.test(word)
}

function separatorOf(words: readonly string[]): number {
  const at = words.indexOf('--')
  return at < 0 ? words.length : at
}

/** `bun test` is a runner of its own. */
function nameOfVerb(manager: string, verb: string): string | undefined {
  if (manager === 'bun' && verb === 'test') return undefined
  if (manager === 'npm') return Object.hasOwn(shortNames, verb) ? shortNames[verb] : undefined
  return verb === '' ? undefined : (shortNames[verb] ?? verb)
}

const manifest = z.looseObject({ scripts: z.record(z.string(), z.string()) })
const longestManifest = 1024 * 1024

/** The scripts of a folder's package.json; none where it has none or cannot be read. */
export async function scriptsIn(folder: string): Promise<Readonly<Record<string, string>>> {
  try {
    const text = await readBounded(join(folder, 'package.json'))
    return manifest.parse(JSON.parse(text)).scripts
  } catch {
    return {}
  }
}

async function readBounded(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(longestManifest), 0, longestManifest, 0)
    return buffer.subarray(0, bytesRead).toString()
  } finally {
    await file.close()
  }
}
