import type { Evidence } from '@donecheck/core/verdicts'
import type { VerifierReport } from '../../ports/checks.ts'
import type { Fault } from './plan.ts'
import type { TrialResult } from './trial.ts'

/** A fault, and what came of it. */
export interface Tried {
  readonly fault: Fault
  readonly result: TrialResult
}

interface Counts {
  readonly caught: number
  readonly survived: number
  readonly undecided: number
}

/**
 * The share of faults that the checks caught, of those that could be tried. With a bound it is `passed` only where the bound
 * is kept even if all others had not been caught, `failed` where it is not kept even if they had been, and else `error`.
 * Without one it is enough that one fault was caught.
 */
export function reportOf(
  tried: readonly Tried[],
  notes: readonly string[],
  minPower: number | undefined,
): VerifierReport {
  const counts = countsOf(tried)
  const { caught, survived } = counts
  const decided = caught + survived
  const score = decided === 0 ? {} : { score: caught / decided }
  return {
    ...statement(counts, tried, minPower),
    ...score,
    canRetry: true,
    qualifiers: [],
    evidence: [...measuresOf(counts, tried, minPower), ...[...notes, ...linesOf(tried)].map(note)],
  }
}

function countsOf(tried: readonly Tried[]): Counts {
  const count = (kind: TrialResult['kind']) => tried.filter(({ result }) => result.kind === kind).length
  return { caught: count('caught'), survived: count('survived'), undecided: count('undecided') }
}

function statement(
  counts: Counts,
  tried: readonly Tried[],
  minPower: number | undefined,
): Pick<VerifierReport, 'status' | 'reason'> {
  const { caught, survived, undecided } = counts
  const said = sentence(counts, minPower)
  const isEnough = (of: number) => (minPower === undefined ? of > 0 : of / tried.length >= minPower)
  const status = isEnough(caught) ? 'passed' : isEnough(caught + undecided) ? 'error' : 'failed'
  const [unclear] = tried.flatMap(({ result }) => (result.kind === 'undecided' ? [result.reason] : []))
  const doubt = unclear === undefined ? '' : `; ${undecided} could not be tried: ${unclear}`
  const advice = survived === 0 || status === 'passed' ? '' : `; ${adviceFor(tried)}`
  return { status, reason: `${said}${doubt}${advice}` }
}

function sentence({ caught, survived }: Counts, minPower: number | undefined): string {
  const decided = caught + survived
  const wanted = minPower === undefined ? '' : `; wanted: ${minPower}`
  const share = decided === 0 ? '' : ` (power ${(caught / decided).toFixed(2)}${wanted})`
  return `the checks caught ${caught} of ${decided} planted faults${share}`
}

const shownFaults = 5

/** For the drive: which tests are missing. */
function adviceFor(tried: readonly Tried[]): string {
  const survivors = tried.flatMap(({ fault, result }) => (result.kind === 'survived' ? [fault] : []))
  const shown = survivors.slice(0, shownFaults).map(({ description }) => description)
  const more = survivors.length > shownFaults ? `; and ${survivors.length - shownFaults} more` : ''
  return `add a test that fails when ${shown.join('; or when ')}${more}`
}

function measuresOf(
  { caught, survived }: Counts,
  tried: readonly Tried[],
  minPower: number | undefined,
): readonly Evidence[] {
  const decided = caught + survived
  const mutants = tried.filter(({ fault, result }) => fault.kind === 'mutant' && result.kind !== 'undecided')
  const caughtMutants = mutants.filter(({ result }) => result.kind === 'caught')
  const power = { kind: 'measure', name: 'power', value: caught / decided } as const
  return [
    ...(decided === 0 ? [] : [minPower === undefined ? power : { ...power, bound: minPower }]),
    { kind: 'measure', name: 'mutants planted', value: mutants.length },
    { kind: 'measure', name: 'mutants caught', value: caughtMutants.length },
  ]
}

const maxNotes = 100

function linesOf(tried: readonly Tried[]): readonly string[] {
  const order = { survived: 0, undecided: 1, caught: 2 } as const
  const sorted = tried.toSorted((one, other) => order[one.result.kind] - order[other.result.kind])
  return sorted.slice(0, maxNotes).map(lineOf)
}

function lineOf({ fault: { description }, result }: Tried): string {
  switch (result.kind) {
    case 'caught':
      return `caught by ${result.by}: ${description}`
    case 'survived':
      return `survived: ${description}`
    case 'undecided':
      return `not known (${result.reason}): ${description}`
  }
}

function note(text: string): Evidence {
  return { kind: 'note', text }
}
