/** Every end by name: what it means, what it counts as, and what a person does next. */
import type { Outcome, StopReason } from '../../events/index.ts'
import { exitCodeOf, outcomeOf, resumableOutcomes } from '../stop-order.ts'

/** A stop reason, with tampering told apart from other failures as the stop order does. */
export type EndName = StopReason | 'tampered'

/** Whether a run that ended so may go on: as it is, only with more of what ran out, or never. */
export type Resume = 'yes' | 'with-top-up' | 'no'

export interface EndLabel {
  readonly name: EndName
  /** As it stands in the transition, the result line and the receipt. */
  readonly reason: StopReason
  readonly outcome: Outcome
  readonly exitCode: number
  readonly resume: Resume
  readonly meaning: string
  /** What a person does next. */
  readonly next: string
}

interface Words {
  readonly meaning: string
  readonly next: string
}

/** The compiler asks for a new one. */
const wordsOf: Readonly<Record<EndName, Words>> = {
  task_complete: {
    meaning: 'The required checks passed.',
    next: 'Take the work; "donecheck receipt" prints what was checked on which tree.',
  },
  verifier_failed_unrecoverable: {
    meaning: 'A required check failed, and no further turn can mend it.',
    next: 'Read the verdict, mend the check or the task by hand, and start a new run.',
  },
  tampered: {
    meaning: 'The checks, or what they rest on, were weakened during the run.',
    next: 'Look at the files that the findings name, undo the changes, and start a new run.',
  },
  hard_cap: {
    meaning: 'A cap was reached, and the last check did not pass.',
    next: 'Look at what is still open, then resume with more of what ran out, or make the task smaller.',
  },
  diminishing: {
    meaning: 'The drive used tokens and brought less and less.',
    next: 'Look at what is still open, then say more precisely what is wanted.',
  },
  loop_detected: {
    meaning: 'The drive repeated itself without progress, and warnings did not help.',
    next: 'See in the timeline what was repeated, take that obstacle away, and start a new run.',
  },
  stagnated: {
    meaning: 'For many turns nothing was better than the best so far.',
    next: 'Read the checks that stayed open: mend what holds them up, or make the task smaller.',
  },
  model_ended: {
    meaning: 'The drive ended by itself, and no check could decide.',
    next: 'Judge the work yourself, and name a check that can fail.',
  },
  blocked: {
    meaning:
      'The drive or a check needs something that it cannot get; the exit code is 2 where a check was asked for that can never be answered.',
    next: 'Provide what the message names, then resume the run; where the check is wrong, name another in a new run.',
  },
  awaiting_approval: {
    meaning: 'A person must decide; the run sleeps until then.',
    next: 'Decide, then resume the run.',
  },
  permission_denied: {
    meaning: 'The calls of the drive were refused, and there was no other way.',
    next: 'Allow what the task needs, then resume the run.',
  },
  user_interrupt: {
    meaning: 'Somebody stopped the run: a signal, or a cancel.',
    next: 'Resume the run when you want to go on.',
  },
  error: {
    meaning: 'Something broke that the run could not get over.',
    next: 'Read the message, mend the cause, then resume the run.',
  },
}

/** In the order of the design's table: success, failures, limits, then what waits for somebody. */
const order = [
  'task_complete',
  'verifier_failed_unrecoverable',
  'tampered',
  'hard_cap',
  'diminishing',
  'loop_detected',
  'stagnated',
  'model_ended',
  'blocked',
  'awaiting_approval',
  'permission_denied',
  'user_interrupt',
  'error',
] as const satisfies readonly EndName[]

type Missing = Exclude<EndName, (typeof order)[number]>
/** A name that is missing above is a type error here. */
export const areEndsComplete: [Missing] extends [never] ? true : Missing = true

/** Outcome, exit code and whether it can be resumed come from the stop order: there is no second table. */
export const endLabels: readonly EndLabel[] = order.map((name) => {
  const reason = name === 'tampered' ? 'verifier_failed_unrecoverable' : name
  const outcome = outcomeOf[reason]
  return {
    name,
    reason,
    outcome,
    exitCode: exitCodeOf[outcome],
    resume: resumeOf(reason, outcome),
    ...wordsOf[name],
  }
})

function resumeOf(reason: StopReason, outcome: Outcome): Resume {
  if (resumableOutcomes.includes(outcome)) return 'yes'
  return reason === 'hard_cap' ? 'with-top-up' : 'no'
}
