/** Whether a proposed check is worth sealing: experiments on copies of the baseline tree, with real commands. */
import type { Evidence } from '@donecheck/core/verdicts'
import { faultTrial, planOf, tryFault, type Fault, type Trial } from '../probe/index.ts'
import type { ProbeTrees, Verifier, VerifierReport } from '../../ports/checks.ts'
import { command } from '../verify/index.ts'
import type { TextFile } from './author.ts'
import type { ProposedCheck } from './proposal.ts'
import { askIn, contextOf, overlayOf, type Bench } from './trial.ts'

/** For one asking of one check. */
const checkTimeoutMs = 120_000
/** For all faults of one check. */
const maxFaultsMs = 300_000
const maxMutants = 8

/** The check as it is asked of copies now, and of the independent tree at the end. */
export function sealedVerifier(name: string, line: string): Verifier {
  return command(line, { name, role: 'held-out', timeoutMs: checkTimeoutMs })
}

/** An author's own, with faults to plant in it. */
export interface TriedSolution {
  readonly files: readonly TextFile[]
  readonly faults: readonly Fault[]
}

/** @param before text of a file of the baseline tree; null: there is none */
export function solutionOf(
  files: readonly TextFile[],
  before: (path: string) => string | null,
): TriedSolution {
  const changes = files.map(({ path, text }) => ({
    path,
    before: before(path),
    after: text,
    isProtected: false,
  }))
  return { files, faults: planOf(changes, maxMutants).faults.filter(({ kind }) => kind === 'mutant') }
}

export type CheckTrial =
  /** With the faults of the solution that it notices. */
  | { readonly kind: 'fit'; readonly noticed: readonly Fault[] }
  | { readonly kind: 'unfit'; readonly reason: string }

/**
 * An acceptance check must be red on the baseline tree for the stated reason, green on its author's own solution, and notice
 * a fault in that. A guard must be green on both, and able to fail.
 * @throws where no copy can be made
 */
export async function tryCheck(
  check: ProposedCheck,
  solution: TriedSolution,
  bench: Bench,
): Promise<CheckTrial> {
  const verifier = sealedVerifier('the check', check.command)
  const [baseline] = await askIn(overlayOf(check.files), [verifier], bench)
  const atBaseline = problemAtBaseline(check, baseline)
  if (atBaseline !== undefined) return { kind: 'unfit', reason: atBaseline }
  const [solved] = await askIn(overlayOf(solution.files, check.files), [verifier], bench)
  if (solved?.status !== 'passed') {
    const reason = `it is not green on its author's own solution: ${solved?.reason ?? 'it said nothing'}`
    return { kind: 'unfit', reason }
  }
  return check.kind === 'acceptance'
    ? noticedIn(check, verifier, solution, bench)
    : ableToFail(check, verifier, bench)
}

function problemAtBaseline(check: ProposedCheck, report: VerifierReport | undefined): string | undefined {
  if (report === undefined || (report.status !== 'passed' && report.status !== 'failed'))
    return `it could not be decided on the baseline tree: ${report?.reason ?? 'it said nothing'}`
  if (check.kind === 'guard')
    return report.status === 'passed'
      ? undefined
      : 'it is a guard, and it is red on the baseline tree: the project is not as its author believes'
  if (report.status === 'passed') return 'it is green on the baseline tree already'
  return wordsOf(report).includes(normal(check.failsWith))
    ? undefined
    : 'it is red on the baseline tree, but not for the stated reason'
}

/** A solution in which no fault can be planted shows nothing either way. */
async function noticedIn(
  { files }: ProposedCheck,
  verifier: Verifier,
  solution: TriedSolution,
  bench: Bench,
): Promise<CheckTrial> {
  const trial: Trial = {
    checks: [verifier],
    trees: withLaid(bench.trees, overlayOf(solution.files, files)),
    context: contextOf(bench, bench.workFolder),
    signal: bench.signal,
    deadline: AbortSignal.timeout(maxFaultsMs),
  }
  const noticed: Fault[] = []
  for (const fault of solution.faults)
    if ((await tryFault(fault.overlay, trial, checkTimeoutMs)).kind === 'caught') noticed.push(fault)
  if (noticed.length > 0 || solution.faults.length === 0) return { kind: 'fit', noticed }
  const reason = `it notices none of ${solution.faults.length} faults that were planted in its author's own solution`
  return { kind: 'unfit', reason }
}

async function ableToFail(
  { files, command }: ProposedCheck,
  verifier: Verifier,
  bench: Bench,
): Promise<CheckTrial> {
  const trial = faultTrial({ trees: withLaid(bench.trees, overlayOf(files)), maxMs: maxFaultsMs })
  const result = await trial.tryToFail(verifier, command, contextOf(bench, bench.workFolder), bench.signal)
  return result.kind === 'red'
    ? { kind: 'fit', noticed: [] }
    : { kind: 'unfit', reason: 'nothing can make it fail' }
}

/** The same trees, with these files laid over each copy before anything else. */
function withLaid(trees: ProbeTrees, laid: ReadonlyMap<string, string | null>): ProbeTrees {
  return { ...trees, copy: (overlay, signal) => trees.copy(new Map([...laid, ...overlay]), signal) }
}

/** All that a person would read of it. */
function wordsOf({ reason, evidence }: VerifierReport): string {
  return normal([reason, ...evidence.flatMap(textsOf)].join('\n'))
}

function textsOf(piece: Evidence): readonly string[] {
  switch (piece.kind) {
    case 'command':
      return [piece.output.head, piece.output.tail]
    case 'tests':
      return piece.failed.flatMap(({ name, message = '' }) => [name, message])
    case 'note':
      return [piece.text]
    case 'authority':
    case 'file':
    case 'finding':
    case 'judge':
    case 'measure':
      return []
  }
}

function normal(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().toLowerCase()
}
