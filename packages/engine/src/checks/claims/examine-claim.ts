import { readdir } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { maxClaimProblems, type ClaimProblem } from '@donecheck/core/events'
import { readBytes } from '../../system/files/index.ts'

export interface ClaimRequest {
  /** Files that were changed and that a parser may know; as calls named them. */
  readonly sources: readonly string[]
  /** Files that the claim says were written. */
  readonly claimed: readonly string[]
}

/**
 * Looks into the work folder for what contradicts the claim outright. What cannot be read, told or looked through in time is no
 * contradiction: only what is sure is named. Never rejects.
 */
export async function examineClaim(
  { sources, claimed }: ClaimRequest,
  workFolder: string,
  signal: AbortSignal,
): Promise<readonly ClaimProblem[]> {
  const problems: ClaimProblem[] = []
  for (const path of sources) {
    const inside = pathInside(workFolder, path)
    if (inside === undefined || signal.aborted) continue
    const detail = await parseProblem(workFolder, inside)
    if (detail !== undefined) problems.push({ kind: 'does-not-parse', path, detail })
  }
  for (const path of claimed) {
    const inside = pathInside(workFolder, path)
    if (inside !== undefined && !signal.aborted && (await isNowhere(workFolder, inside, signal)))
      problems.push({ kind: 'not-there', path, detail: 'there is no such file' })
  }
  return problems.slice(0, maxClaimProblems)
}

/** Relative to the folder, `/` between its parts. Undefined: it leads out of the folder, or into what git and package managers keep. */
function pathInside(folder: string, path: string): string | undefined {
  const inside = relative(folder, resolve(folder, path)).replaceAll('\\', '/')
  const isOutside = inside === '' || inside === '..' || inside.startsWith('../') || isAbsolute(inside)
  return isOutside || /(?:^|\/)(?:\.git|node_modules)(?:\/|$)/.test(inside) ? undefined : inside
}

/** A tree with more entries is not looked through. */
const maxEntries = 20_000

/**
 * Whether the folder surely holds no file of that path anywhere: whoever names a file may leave out the folders above it.
 * @returns false, too, where not all of it could be looked through
 */
async function isNowhere(folder: string, path: string, signal: AbortSignal): Promise<boolean> {
  const waiting = ['']
  let seen = 0
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    const entries = await readdir(`${folder}/${below}`, { withFileTypes: true }).catch(() => undefined)
    if (entries === undefined || signal.aborted) return false
    seen += entries.length
    if (seen > maxEntries) return false
    for (const entry of entries) {
      const inside = below === '' ? entry.name : `${below}/${entry.name}`
      if (`/${inside}`.endsWith(`/${path}`)) return false
      // What a link leads to is not known from here.
      if (entry.isSymbolicLink() && path.includes(`${entry.name}/`)) return false
      if (entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules') waiting.push(inside)
    }
  }
  return true
}

const maxBytes = 1024 * 1024
const script = /\.(?:[cm]?[jt]s|[jt]sx)$/
/** JSON of which some readers allow more than the standard does. */
const looseJson =
  /(?:^|\/)(?:[tj]sconfig[^/]*|\.[^/]+|devcontainer|settings|launch|tasks|extensions|deno|biome|wrangler|turbo|nx|angular|api-extractor)\.json$|(?:^|\/)\.(?:vscode|devcontainer)\//
/** Files that are there to be broken, or to be filled in. */
const meantBroken =
  /(?:^|\/)[^/]*(?:fixture|invalid|broken|malformed|bad|template|snapshot|testdata|__mocks__)[^/]*(?:\/|\.|$)/i

/**
 * What the parser says of a source of JavaScript, TypeScript or JSON that is no program, in half a sentence. Undefined: it parses,
 * it is in another language, or that cannot be told.
 */
async function parseProblem(folder: string, path: string): Promise<string | undefined> {
  const isJson = path.endsWith('.json') && !looseJson.test(path)
  if (meantBroken.test(path) || !(isJson || script.test(path))) return undefined
  const file = await readBytes(join(folder, path), maxBytes)
  if (file.kind !== 'file') return undefined
  const text = file.bytes.toString('utf8').replace(/^\uFEFF/, '')
  if (isJson) return problemOf(() => JSON.parse(text))
  // The parser is large: it is loaded for who needs it.
  const { parseJavaScript } = await import('../../analysis/source/index.ts')
  return problemOf(() => parseJavaScript(path, text))
}

/** A text that nests too deep for the parser may be a program. */
function problemOf(parse: () => unknown): string | undefined {
  try {
    parse()
    return undefined
  } catch (error) {
    return error instanceof SyntaxError ? (error.message.split('\n')[0] ?? '').slice(0, 200) : undefined
  }
}
