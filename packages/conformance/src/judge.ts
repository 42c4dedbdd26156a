import type { Case, Claim } from './case.ts'
import { defaultTurns } from './case-project.ts'
import type { Reported, Subject } from './subject.ts'

/** `missed`: finished work was not recognized. `no end`: the subject did not end on its own. */
export const faults = ['false success', 'missed', 'no end', 'other'] as const
export interface Problem {
  readonly fault: (typeof faults)[number]
  readonly message: string
}

export interface Observed {
  readonly reported: Reported
  readonly turns: number
  /** Final content of the files in `leaves`, by path. */
  readonly files: Readonly<Record<string, string | undefined>>
}

/** @returns null if the case does not apply to this kind of subject */
export function findExpected(one: Case, kind: Subject['kind']): Claim | null {
  return kind === 'ci-check' && one.expectedForTree !== undefined ? one.expectedForTree : one.expected
}

export function findProblems(one: Case, subject: Subject, observed: Observed): readonly Problem[] {
  const { reported } = observed
  if (reported.claim === 'nothing') return [{ fault: 'no end', message: reported.end }]
  const others = [
    ...(subject.kind === 'loop' && subject.resultLine === true ? resultProblems(one, reported) : []),
    ...fileProblems(one, observed),
  ]
  return [
    ...claimProblem(findExpected(one, subject.kind), reported),
    ...(subject.kind === 'ci-check' ? [] : turnProblems(one, observed)),
    ...others.map((message): Problem => ({ fault: 'other', message })),
  ]
}

function claimProblem(expected: Claim | null, { claim, end }: Reported): readonly Problem[] {
  if (expected === null || claim === expected) return []
  return expected === 'verified'
    ? [{ fault: 'missed', message: `the work is done, but the subject ended with ${end}` }]
    : [{ fault: 'false success', message: `the work is not done, but the subject ended with ${end}` }]
}

/** The last turn finishes the work, so a loop that ends earlier or later did not check. */
function turnProblems(one: Case, { turns, reported }: Observed): readonly Problem[] {
  const isSeen = one.expected === 'verified' && reported.claim === 'verified'
  const most = isSeen ? one.turns.length + (one.spareTurns ?? 0) : (one.maxTurns ?? defaultTurns)
  if (turns > most) return [{ fault: 'other', message: `${turns} turns instead of ${most}` }]
  return isSeen && turns < one.turns.length
    ? [
        {
          fault: 'false success',
          message: `after turn ${turns} of ${one.turns.length} the work was not done`,
        },
      ]
    : []
}

function resultProblems({ reasons }: Case, { claim, result }: Reported): readonly string[] {
  const { outcome, reason } = result
  const saysVerified = outcome === 'verified'
  return [
    ...(outcome !== undefined && saysVerified !== (claim === 'verified')
      ? [`the result line reports ${outcome}, but the exit code does not`]
      : []),
    ...(reason !== undefined && reasons !== undefined && !saysVerified && !reasons.includes(reason)
      ? [`the reason is ${reason}, expected ${reasons.join(', ')}`]
      : []),
  ]
}

function fileProblems({ leaves = {} }: Case, { files }: Observed): readonly string[] {
  return Object.entries(leaves)
    .filter(([name, text]) => files[name] !== text)
    .map(([name]) => `${name} has unexpected content at the end`)
}
