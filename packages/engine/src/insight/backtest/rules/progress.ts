/** Stagnation over recorded steps: what the checks said after each turn, against the best so far. */
import { stagnationLevel } from '@donecheck/core/soft-verifiers'
import {
  noActivity,
  verificationRecord,
  withVerification,
  type Activity,
  type VerificationRecord,
} from '@donecheck/core/activity'
import { standardStagnation, type StagnationSettings } from '@donecheck/core/settings'
import type { Verdict } from '@donecheck/core/verdicts'
import type { CheckedTurn } from '../../recordings/index.ts'
import type { Watch } from './watch.ts'

/** Before the next turn, as a run does it. */
export function stagnationWatch(settings: StagnationSettings): Watch {
  let activity: Activity = noActivity
  return {
    observe(step) {
      if (step.kind !== 'reply' || step.checked === undefined) return undefined
      const newest = recordOf(step.checked, step.turn, activity.verifications, settings)
      activity = withVerification(activity, newest)
      const level = stagnationLevel(activity.verifications, settings)
      return level === undefined ? undefined : { level, rule: 'stagnation', before: true }
    },
  }
}

/** @param turn the one after it, counted from 0: so many turns had been made */
export function recordOf(
  { tree, claimed, verdicts }: CheckedTurn,
  turn: number,
  earlier: readonly VerificationRecord[],
  stagnation: StagnationSettings = standardStagnation,
): VerificationRecord {
  const isUnchanged = tree !== undefined && tree === earlier.at(-1)?.tree
  const checks = Object.fromEntries(
    verdicts.map((verdict) => [verdict.verifier, { latest: verdict, baselineVerdict: undefined }]),
  )
  const settings = { soft: { stagnation }, verifiers: verdicts.map(voterOf) }
  return verificationRecord(
    { sequence: turn, turn, tree, isUnchanged, claimed, isIdle: false, settings, checks },
    earlier,
  )
}

function voterOf({ verifier }: Verdict) {
  return { name: verifier, weight: 1, required: true, role: 'check' } as const
}
