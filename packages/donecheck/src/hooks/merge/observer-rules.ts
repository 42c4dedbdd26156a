/** Points at which is only looked: any answer but none is a mistake. */
import { z } from 'zod'
import type { PointRules } from './point-rules.ts'
import { fieldReader } from './read-fields.ts'

type ObserverPoint = 'before_verification' | 'on_transition' | 'on_error' | 'run_ended'

function observerRules<Point extends ObserverPoint>(): PointRules<Point> {
  return {
    nothing: {},
    read: fieldReader(z.strictObject({})),
    effectOf: () => ({ effect: 'none' }),
    merge: (merged) => merged,
    refuse: (merged) => merged,
    after: (input) => input,
    isDecided: () => false,
  }
}

export const beforeVerificationRules = observerRules<'before_verification'>()
export const onTransitionRules = observerRules<'on_transition'>()
export const onErrorRules = observerRules<'on_error'>()
export const runEndedRules = observerRules<'run_ended'>()
