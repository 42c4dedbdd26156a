/** From authors to sealed checks: asked, shown to whoever is there, tried, compared with each other. */
import type { FactOf } from '@donecheck/core/events'
import type { Verifier } from '../../ports/checks.ts'
import { whatDisagrees, type Candidate, type Solution } from './agreement.ts'
import { askAuthor } from './ask-author.ts'
import type { AuthorRequest, CheckAuthor } from './author.ts'
import { judgeProposal, notTried, type Judging } from './judge-proposal.ts'
import type { KeptCheck } from './kept.ts'
import { projectOnBaseline } from './project-checks.ts'

export interface SealRequest extends Omit<Judging, 'project'> {
  readonly authors: readonly CheckAuthor[]
  readonly request: AuthorRequest
  /** The project's own: required, of the work tree. */
  readonly projectChecks: readonly Verifier[]
}

export interface SealResult extends Pick<FactOf<'checks-sealed'>, 'authors' | 'dropped'> {
  readonly checks: readonly KeptCheck[]
}

/** Never rejects for what an author does: whoever cannot be asked or understood is named, and so is every check that is dropped. */
export async function sealChecks(request: SealRequest): Promise<SealResult> {
  const { bench, projectChecks } = request
  const { signal } = bench
  const asked = await Promise.all(request.authors.map((author) => askAuthor(author, request.request, signal)))
  const isAnswered = asked.some(({ proposal }) => proposal !== undefined)
  const project = isAnswered ? await projectOnBaseline(projectChecks, bench) : []
  const candidates: Candidate[] = []
  const solutions: Solution[] = []
  const dropped: FactOf<'checks-sealed'>['dropped'][number][] = []
  for (const { author, proposal } of asked) {
    if (proposal === undefined) continue
    const judged = await judgeProposal(author.name, proposal, { ...request, project })
    candidates.push(...judged.candidates)
    if (judged.solution !== undefined) solutions.push(judged.solution)
    dropped.push(...judged.dropped)
  }
  const disagreeing = await whatDisagrees(candidates, solutions, bench).catch(
    (error: unknown) => new Map(candidates.map((candidate) => [candidate, notTried(error)])),
  )
  return {
    authors: asked.map(({ author }) => author),
    checks: candidates
      .filter((candidate) => !disagreeing.has(candidate))
      .map((candidate, index) => ({ name: `sealed ${index + 1}`, ...candidate })),
    dropped: [
      ...dropped,
      ...candidates.flatMap((candidate) => {
        const reason = disagreeing.get(candidate)
        return reason === undefined ? [] : [{ author: candidate.author, reason }]
      }),
    ],
  }
}
