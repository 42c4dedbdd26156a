/** What one author proposes: which of its checks stand on their own. */
import type { FactOf } from '@donecheck/core/events'
import type { Candidate, Solution } from './agreement.ts'
import type { BaselineTree } from './baseline-tree.ts'
import { problemWithProject, type ProjectCheck } from './project-checks.ts'
import { problemOfCheckFile, problemOfSolution, type Proposal, type ProposedCheck } from './proposal.ts'
import type { Fault } from '../probe/index.ts'
import type { Bench } from './trial.ts'
import { sealedVerifier, solutionOf, tryCheck, type CheckTrial, type TriedSolution } from './try-check.ts'
import { messageOf, given } from '../../base/index.ts'

type DroppedCheck = FactOf<'checks-sealed'>['dropped'][number]

export interface Judging {
  readonly bench: Bench
  readonly tree: BaselineTree
  readonly project: readonly ProjectCheck[]
  /** Before any of it is run. */
  readonly permit: (check: ProposedCheck, author: string) => Promise<Permission>
}

export type Permission =
  /** `by`: the person who was shown it. */
  { readonly kind: 'permitted'; readonly by?: string } | { readonly kind: 'denied'; readonly reason: string }

export interface Judged {
  readonly candidates: readonly Candidate[]
  readonly solution?: Solution
  readonly dropped: readonly DroppedCheck[]
}

/** Of the faults in an author's solution its acceptance checks together must notice so many. */
const minPower = 0.5

/** Never rejects: what could not be tried is dropped. */
export async function judgeProposal(
  author: string,
  { checks, solution: files }: Proposal,
  judging: Judging,
): Promise<Judged> {
  const { bench, tree, project } = judging
  const unfit = problemOfSolution(files, tree.isOfChecks)
  if (unfit !== undefined)
    return { candidates: [], dropped: dropAll(author, checks.length, noSolution(unfit)) }
  const { permitted, dropped } = await permittedOf(author, checks, judging)
  if (permitted.length === 0) return { candidates: [], dropped }
  const refused = await problemWithProject(files, project, bench).catch(notTried)
  if (refused !== undefined) {
    const others = dropAll(author, permitted.length, noSolution(refused))
    return { candidates: [], dropped: [...dropped, ...others] }
  }
  const solution = solutionOf(files, (path) => tree.read(path))
  const tried = await tryAll(permitted, solution, bench)
  return {
    candidates: tried.fit.map(({ check, by }) => candidateOf(check, author, by)),
    dropped: [...dropped, ...tried.reasons.map((reason) => ({ author, reason }))],
    solution: { author, files },
  }
}

interface PermittedCheck {
  readonly check: ProposedCheck
  readonly by: string | undefined
}

async function permittedOf(
  author: string,
  checks: readonly ProposedCheck[],
  { tree, permit, bench }: Judging,
): Promise<{ readonly permitted: readonly PermittedCheck[]; readonly dropped: readonly DroppedCheck[] }> {
  const permitted: PermittedCheck[] = []
  const dropped: DroppedCheck[] = []
  const taken = new Set(tree.paths)
  for (const check of checks) {
    const reason = problemBeforehand(check, taken)
    const permission: Permission =
      reason === undefined ? await permit(check, author) : { kind: 'denied', reason }
    if (permission.kind === 'denied') {
      dropped.push({ author, reason: permission.reason })
      continue
    }
    permitted.push({ check, by: permission.by })
    for (const { path } of check.files) taken.add(path)
  }
  return { permitted, dropped }
}

/** What can be said of it without running it. */
function problemBeforehand(
  { files, command }: ProposedCheck,
  taken: ReadonlySet<string>,
): string | undefined {
  const [misplaced] = files.flatMap(({ path }) => problemOfCheckFile(path, taken) ?? [])
  if (misplaced !== undefined) return misplaced
  const doubt = sealedVerifier('the check', command).doubt?.()
  return doubt?.kind === 'certain'
    ? 'it proves nothing: its command succeeds whatever the work is like'
    : undefined
}

interface TriedChecks {
  readonly fit: readonly PermittedCheck[]
  /** Why the others are dropped. */
  readonly reasons: readonly string[]
}

async function tryAll(
  permitted: readonly PermittedCheck[],
  solution: TriedSolution,
  bench: Bench,
): Promise<TriedChecks> {
  const fit: PermittedCheck[] = []
  const reasons: string[] = []
  const noticed = new Set<Fault>()
  for (const one of permitted) {
    const trial = await tryCheck(one.check, solution, bench).catch((error: unknown): CheckTrial => ({
      kind: 'unfit',
      reason: notTried(error),
    }))
    if (trial.kind === 'unfit') reasons.push(trial.reason)
    else fit.push(one)
    for (const fault of trial.kind === 'fit' ? trial.noticed : []) noticed.add(fault)
  }
  const { faults } = solution
  if (faults.length === 0 || noticed.size / faults.length >= minPower) return { fit, reasons }
  const guards = fit.filter(({ check }) => check.kind === 'guard')
  const weak = `the checks of its author notice only ${noticed.size} of ${faults.length} faults that were planted in their own solution`
  const weakOnes = Array.from({ length: fit.length - guards.length }, () => weak)
  return { fit: guards, reasons: [...reasons, ...weakOnes] }
}

function candidateOf(
  { kind, title, command, files }: ProposedCheck,
  author: string,
  approvedBy: string | undefined,
): Candidate {
  return { kind, author, title, command, files, ...given({ approvedBy }) }
}

function noSolution(why: string): string {
  return `its author's own solution is none: ${why}`
}

function dropAll(author: string, count: number, reason: string): readonly DroppedCheck[] {
  return Array.from({ length: count }, () => ({ author, reason }))
}

export function notTried(error: unknown): string {
  return `it could not be tried: ${messageOf(error)}`
}
