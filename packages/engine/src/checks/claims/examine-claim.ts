import { maxClaimProblems, type ClaimProblem } from '@donecheck/core/events'
import { isSomewhere } from './is-somewhere.ts'
import { parseProblem } from './parse-problem.ts'
import { pathInside } from './path-inside.ts'

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
