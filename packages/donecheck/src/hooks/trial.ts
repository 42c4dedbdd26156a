/** A hook is run once before anything depends on it. */
import type { Clock } from '../ports.ts'
import { madeUpInputs, type MadeUpNames } from './made-up.ts'
import { rulesOfPoints } from './merge/rules-of-points.ts'
import { isFor, runOne } from './run-one.ts'
import type { RegisteredHook } from './registered-hook.ts'

export interface TrialProblem {
  readonly kind: 'unproven' | 'no-match' | 'failed'
  readonly problem: string
}

/** Undefined: it does what it must, or was not to be run and can be for something. Never rejects. */
export async function trialProblem(
  hook: RegisteredHook,
  names: MadeUpNames,
  clock: Clock,
): Promise<TrialProblem | undefined> {
  const { point, sample, matcher } = hook
  const { input: given = {}, expect } = typeof sample === 'object' ? sample : {}
  const tries = madeUpInputs[point](names)
    .map((input) => ({ ...input, ...given }))
    .map((input) => ({ input, match: isFor(hook, input) }))
  const input = tries.find(({ match }) => match === true)?.input
  if (input === undefined) {
    if (typeof sample === 'object') return mismatch(tries.map(({ match }) => match))
    return matcher.kind === 'predicate' ? unproven : undefined
  }
  if (sample === undefined) return undefined
  const rules = rulesOfPoints[point]
  const done = await runOne({ ...hook, isWatched: false }, input, { rules, clock, match: true })
  if (done.kind === 'failed') return { kind: 'failed', problem: `its self-test failed: ${done.problem}` }
  const { effect } = done.shown
  if (expect === undefined || effect === expect) return undefined
  return { kind: 'failed', problem: `its self-test was to end in "${expect}", and ended in "${effect}"` }
}

function mismatch(matches: readonly ReturnType<typeof isFor>[]): TrialProblem {
  const failed = matches.find((match) => typeof match === 'object')
  if (failed !== undefined)
    return { kind: 'failed', problem: `its matcher failed on its own sample: ${failed.problem}` }
  return { kind: 'no-match', problem: 'its matcher does not match its own sample' }
}

const unproven: TrialProblem = {
  kind: 'unproven',
  problem: 'its matcher is for no tool without arguments; give it a selfTest with an input that it is for',
}
