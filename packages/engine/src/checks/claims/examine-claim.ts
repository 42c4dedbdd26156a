import { maxClaimProblems, type ClaimProblem } from '@donecheck/core/events'
import { parseProblem } from './parse-problem.ts'
import { isAbsolute, relative, resolve } from 'node:path'
import { readdir } from 'node:fs/promises'

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
    const detail = signal.aborted ? undefined : await brokenSource(workFolder, path)
    if (detail !== undefined) problems.push({ kind: 'does-not-parse', path, detail })
  }
  for (const path of claimed)
    if (!signal.aborted && (await isMissing(workFolder, path, signal)))
      problems.push({ kind: 'not-there', path, detail: 'there is no such file' })
  return problems.slice(0, maxClaimProblems)
}

async function brokenSource(workFolder: string, path: string): Promise<string | undefined> {
  const inside = pathInside(workFolder, path)
  return inside === undefined ? undefined : parseProblem(workFolder, inside)
}

async function isMissing(workFolder: string, path: string, signal: AbortSignal): Promise<boolean> {
  const inside = pathInside(workFolder, path)
  return inside !== undefined && (await isSomewhere(workFolder, inside, signal)) === 'nowhere'
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
 * Whether the folder holds a file of that path anywhere: whoever names a file may leave out the folders above it.
 * @returns `unknown` where not all of it could be looked through
 */
async function isSomewhere(
  folder: string,
  path: string,
  signal: AbortSignal,
): Promise<'there' | 'nowhere' | 'unknown'> {
  const waiting = ['']
  let seen = 0
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    const entries = await readdir(`${folder}/${below}`, { withFileTypes: true }).catch(() => undefined)
    if (entries === undefined || signal.aborted) return 'unknown'
    seen += entries.length
    if (seen > maxEntries) return 'unknown'
    for (const entry of entries) {
      const inside = below === '' ? entry.name : `${below}/${entry.name}`
      if (`/${inside}`.endsWith(`/${path}`)) return 'there'
      // What a link leads to is not known from here.
      if (entry.isSymbolicLink() && path.includes(`${entry.name}/`)) return 'unknown'
      if (entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules') waiting.push(inside)
    }
  }
  return 'nowhere'
}
