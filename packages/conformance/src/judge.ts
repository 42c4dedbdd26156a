import type { Case, Claim } from './case.ts'
import { defaultTurns } from './place.ts'
import type { Reported, Subject } from './subject.ts'

/** `missed`: did not see that the work is done. `no end`: did not end by itself. `other`: anything else. */
export const faults = ['false success', 'missed', 'no end', 'other'] as const
export interface Problem {
  readonly fault: (typeof faults)[number]
  readonly message: string
}

export interface Observed {
  readonly reported: Reported
  readonly turns: number
  /** Final content of the files that the case asks for, by name. */
  readonly files: Readonly<Record<string, string | undefined>>
}

/** Null if the case does not apply to this kind of subject. */
export function wantedOf(one: Case, kind: Subject['kind']): Claim | null {
  return kind === 'ci-check' && one.wantedOfTree !== undefined ? one.wantedOfTree : one.wanted
}

export function problemsOf(one: Case, subject: Subject, observed: Observed): readonly Problem[] {
  const { reported } = observed
  if (reported.claim === 'nothing') return [{ fault: 'no end', message: reported.end }]
  const others = [
    ...(subject.kind === 'loop' && subject.resultLine === true ? resultProblems(one, reported) : []),
    ...fileProblems(one, observed),
  ]
  return [
    ...claimProblem(wantedOf(one, subject.kind), reported),
    ...(subject.kind === 'ci-check' ? [] : turnProblems(one, observed)),
    ...others.map((message): Problem => ({ fault: 'other', message })),
  ]
}

function claimProblem(wanted: Claim | null, { claim, end }: Reported): readonly Problem[] {
  if (wanted === null || claim === wanted) return []
  return wanted === 'verified'
    ? [{ fault: 'missed', message: `the work is done, and it ended with ${end}` }]
    : [{ fault: 'false success', message: `nothing shows that the work is done, and it ended with ${end}` }]
}

/** The last turn finishes the work: ending sooner or continuing means that the loop did not check. */
function turnProblems(one: Case, { turns, reported }: Observed): readonly Problem[] {
  const isSeen = one.wanted === 'verified' && reported.claim === 'verified'
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
      ? [`its result says ${outcome}, its exit code does not`]
      : []),
    ...(reason !== undefined && reasons !== undefined && !saysVerified && !reasons.includes(reason)
      ? [`its reason is ${reason}; wanted: ${reasons.join(', ')}`]
      : []),
  ]
}

function fileProblems({ leaves = {} }: Case, { files }: Observed): readonly string[] {
  return Object.entries(leaves)
    .filter(([name, text]) => files[name] !== text)
    .map(([name]) => `${name} is not what it should be in the end`)
}
