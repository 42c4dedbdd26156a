import type { Evidence } from '@donecheck/core/verdicts'
import { given } from '../../base/index.ts'
import type { VerifierReport } from '../../ports/checks.ts'
import type { Fault } from './plan.ts'
import type { TrialResult } from './trial.ts'

/** A fault, and what came of it. */
export interface Tried {
  readonly fault: Fault
  readonly result: TrialResult
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
  const count = (kind: TrialResult['kind']) => tried.filter(({ result }) => result.kind === kind).length
  const [caught, survived, undecided] = [count('caught'), count('survived'), count('undecided')]
  const decided = caught + survived
  const power = decided === 0 ? undefined : caught / decided
  const isEnough = (of: number) => (minPower === undefined ? of > 0 : of / tried.length >= minPower)
  const status = isEnough(caught) ? 'passed' : isEnough(caught + undecided) ? 'error' : 'failed'
  const wanted = minPower === undefined ? '' : `; wanted: ${minPower}`
  const share = power === undefined ? '' : ` (power ${power.toFixed(2)}${wanted})`
  const [unclear] = tried.flatMap(({ result }) => (result.kind === 'undecided' ? [result.reason] : []))
  const doubt = unclear === undefined ? '' : `; ${undecided} could not be tried: ${unclear}`
  const advice = survived === 0 || status === 'passed' ? '' : `; ${adviceFor(tried)}`
  return {
    status,
    reason: `the checks caught ${caught} of ${decided} planted faults${share}${doubt}${advice}`,
    ...given({ score: power }),
    canRetry: true,
    qualifiers: [],
    evidence: [...measuresOf(power, tried, minPower), ...[...notes, ...linesOf(tried)].map(note)],
  }
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
  power: number | undefined,
  tried: readonly Tried[],
  minPower: number | undefined,
): readonly Evidence[] {
  const mutants = tried.filter(({ fault, result }) => fault.kind === 'mutant' && result.kind !== 'undecided')
  const caughtMutants = mutants.filter(({ result }) => result.kind === 'caught')
  const measured = power === undefined ? [] : [{ value: power, ...given({ bound: minPower }) }]
  return [
    ...measured.map((of): Evidence => ({ kind: 'measure', name: 'power', ...of })),
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
