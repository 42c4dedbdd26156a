import { planOf, type Fault } from './plan.ts'
import {
  undecidedReport,
  type ProbeChange,
  type ProbeTrees,
  type Verifier,
  type VerifierContext,
  type VerifierReport,
} from '../../ports/checks.ts'
import { UsageError, assertKnownKeys, messageOf, optionKeys } from '../../base/index.ts'
import type { VerifierDescription } from '@donecheck/core/settings'
import { reportOf, type Tried } from './report.ts'
import { problemWithoutFault, timeLimit, tryFault, type Trial, type TrialResult } from './trial.ts'

export interface PowerProbeOptions {
  /** The checks whose power is measured: those that read the work tree. Others, and probes, are left out. */
  readonly checks: readonly Verifier[]
  readonly trees: ProbeTrees
  /** Share of planted faults that the checks must catch, 0 to 1. Absent: it is measured and decides nothing. */
  readonly minPower?: number
  /** Faults in single lines, beside the whole change taken back. Default 8. */
  readonly maxMutants?: number
  /** After it no further fault is tried. Default 600. */
  readonly maxSeconds?: number
  /** The checks are taken for hung with one fault in the tree. Default: five times what they took without it, and 10 more. */
  readonly maxSecondsPerFault?: number
}

const powerProbeKeys = optionKeys<PowerProbeOptions>()(
  'checks! trees! minPower maxMutants maxSeconds maxSecondsPerFault',
)

const defaultMaxMutants = 8
const defaultMaxSeconds = 600

/**
 * Shows that the checks are able to fail: in copies of the work tree it takes the change back, and plants faults in the
 * lines that were changed, and asks the checks about each. It reads the snapshot of the baseline tree and the work
 * tree, which is never touched, and proves which share of these faults the checks catch. A check that does not end with
 * a fault in the tree has caught it; one that cannot decide has not. A change without any source is `skipped`. Where the
 * checks do not pass in a copy without any fault, nothing can be said: `error`.
 *
 * A check seems stronger than it is where it is flaky, where a fault keeps the work from compiling, and where it
 * compares the source itself. Some faults change nothing that matters (see `mutantsOf`), so that a bound of 1 may be out
 * of reach.
 * @throws {UsageError} for a bound that is none, and where no check reads the work tree
 */
export function powerProbe(options: PowerProbeOptions): Verifier {
  assertKnownKeys(options, powerProbeKeys, 'powerProbe')
  assertOptions(options)
  const description: VerifierDescription = {
    name: 'power probe',
    required: options.minPower !== undefined,
    weight: 1,
    deterministic: true,
    reads: 'workspace',
    role: 'probe',
  }
  return {
    description,
    // It runs the checks many times: another one beside it would meet its time limit.
    exclusive: true,
    async verify(context, signal) {
      try {
        signal.throwIfAborted()
        return await probe(options, context, signal)
      } catch (error) {
        if (signal.aborted) return undecidedReport('interrupted')
        return undecidedReport(`the power probe could not look: ${messageOf(error)}`)
      }
    },
  }
}

function assertOptions({ checks, minPower, ...options }: PowerProbeOptions): void {
  if (treeChecks(checks).length === 0)
    throw new UsageError(
      'the power probe has no check that reads the work tree; give it one, such as a command',
    )
  if (minPower !== undefined && !(minPower >= 0 && minPower <= 1))
    throw new UsageError(`minPower is ${minPower}; give a share between 0 and 1`)
  const { maxMutants = defaultMaxMutants, maxSeconds = defaultMaxSeconds, maxSecondsPerFault = 1 } = options
  if (!Number.isInteger(maxMutants) || maxMutants < 0)
    throw new UsageError(`maxMutants is ${maxMutants}; give a whole number, 0 or more`)
  for (const [name, seconds] of Object.entries({ maxSeconds, maxSecondsPerFault }))
    if (!(seconds > 0)) throw new UsageError(`${name} is ${seconds}; give a time in seconds, more than 0`)
}

function treeChecks(checks: readonly Verifier[]): readonly Verifier[] {
  return checks.filter(
    ({ description: { reads, role } }) => reads === 'workspace' && role !== 'probe' && role !== 'guard',
  )
}

async function probe(
  { checks, trees, minPower, ...options }: PowerProbeOptions,
  context: VerifierContext,
  signal: AbortSignal,
): Promise<VerifierReport> {
  const changes = await trees.changes(context.runId, signal)
  const plan = planOf(changes, options.maxMutants ?? defaultMaxMutants)
  if (plan.faults.length === 0) return nothingToPlant(changes, minPower)
  const deadline = timeLimit((options.maxSeconds ?? defaultMaxSeconds) * 1_000)
  try {
    const trials = trialsOf(treeChecks(checks), { trees, context, signal, deadline: deadline.signal })
    const startedMs = performance.now()
    const problem = await problemOfAny(trials)
    if (problem !== undefined)
      return undecidedReport(
        `the checks do not pass in a clean copy of the work tree, so nothing can be said of their power (files that git ignores are not in it): ${problem}`,
      )
    const usualMs = performance.now() - startedMs
    const { maxSecondsPerFault } = options
    const limitMs = maxSecondsPerFault === undefined ? 5 * usualMs + 10_000 : maxSecondsPerFault * 1_000
    const tried: Tried[] = []
    for (const fault of plan.faults) tried.push({ fault, result: await tryInAny(fault, trials, limitMs) })
    return reportOf(tried, plan.notes, minPower)
  } finally {
    deadline.clear()
  }
}

/** The files of held-out checks are laid for those checks alone, as they are at the end of a run. */
function trialsOf(checks: readonly Verifier[], { trees, ...rest }: Omit<Trial, 'checks'>): readonly Trial[] {
  const { heldOutCopy } = trees
  if (heldOutCopy === undefined) return [{ ...rest, trees, checks }]
  const isHidden = ({ description }: Verifier) => description.role === 'held-out'
  const trials = [
    { ...rest, trees, checks: checks.filter((check) => !isHidden(check)) },
    { ...rest, trees: { ...trees, copy: heldOutCopy }, checks: checks.filter(isHidden) },
  ]
  return trials.filter((trial) => trial.checks.length > 0)
}

async function problemOfAny(trials: readonly Trial[]): Promise<string | undefined> {
  for (const trial of trials) {
    const problem = await problemWithoutFault(trial)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Caught where one of them catches it; what one of them could not decide nobody knows. */
async function tryInAny({ overlay }: Fault, trials: readonly Trial[], limitMs: number): Promise<TrialResult> {
  const results: TrialResult[] = []
  for (const trial of trials) {
    const result: TrialResult = trial.deadline.aborted
      ? { kind: 'undecided', reason: 'the time of the power probe was over' }
      : await tryFault(overlay, trial, limitMs)
    if (result.kind === 'caught') return result
    results.push(result)
  }
  return results.find(({ kind }) => kind === 'undecided') ?? { kind: 'survived' }
}

const shownPaths = 5

/** A bound that could not be measured is not met. */
function nothingToPlant(changes: readonly ProbeChange[], minPower: number | undefined): VerifierReport {
  const paths = changes.map(({ path }) => path)
  const shown = paths.slice(0, shownPaths).join(', ')
  const more = paths.length > shownPaths ? ` and ${paths.length - shownPaths} more` : ''
  const changed =
    paths.length === 0
      ? 'nothing was changed'
      : `only tests, documents and the like were changed: ${shown}${more}`
  const why = `there is no changed source to plant a fault in: ${changed}`
  const common = { canRetry: true, qualifiers: [], evidence: [] }
  if (minPower === undefined) return { ...common, status: 'skipped', reason: why }
  const reason = `the power of ${minPower} could not be measured, so it is not met: ${why}`
  return { ...common, status: 'failed', reason }
}
