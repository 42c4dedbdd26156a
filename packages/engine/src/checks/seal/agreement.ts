/** Whether sealed checks stand beside each other, and whether every author's checks take every author's solution. */
import type { TextFile } from './author.ts'
import type { KeptCheck } from './kept.ts'
import { askIn, overlayOf, type Bench } from './trial.ts'
import { sealedVerifier } from './try-check.ts'

/** One that passed its own experiments, and has no name yet. */
export type Candidate = Omit<KeptCheck, 'name'>

export interface Solution {
  readonly author: string
  readonly files: readonly TextFile[]
}

/**
 * All of them in one copy for each solution, as they will be laid at the end.
 * @returns why, for each that is red there
 * @throws where no copy can be made
 */
export async function whatDisagrees(
  candidates: readonly Candidate[],
  solutions: readonly Solution[],
  bench: Bench,
): Promise<ReadonlyMap<Candidate, string>> {
  const reasons = new Map<Candidate, string>()
  const isAlone = candidates.length < 2 && solutions.length < 2
  if (candidates.length === 0 || isAlone) return reasons
  const files = candidates.map((candidate) => candidate.files)
  const verifiers = candidates.map(({ command }) => sealedVerifier('the check', command))
  for (const solution of solutions) {
    const reports = await askIn(overlayOf(solution.files, ...files), verifiers, bench)
    for (const [index, candidate] of candidates.entries())
      if (reports[index]?.status !== 'passed' && !reasons.has(candidate))
        reasons.set(
          candidate,
          solution.author === candidate.author
            ? 'it is red beside the other sealed checks'
            : `it disagrees with ${solution.author}, whose solution it does not take`,
        )
  }
  return reasons
}
