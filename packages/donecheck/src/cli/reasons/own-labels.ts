import { exitCodeOf, outcomeOf, resumableOutcomes } from '@donecheck/core/internal/decide/stops'
import type { ContinueReason, Outcome, StopReason } from '@donecheck/core/internal/events/transitions'
import type { DetectorName } from '@donecheck/core/internal/events/settings'
import type { RefusalLabel } from '@donecheck/core/internal/events/gate'
import type { CapName } from '@donecheck/core/internal/budgets'

/** `tampered` is reported apart from other failures. */
type EndName = StopReason | 'tampered'

type Resume = 'yes' | 'with-top-up' | 'no'

export interface EndLabel {
  readonly name: EndName
  readonly reason: StopReason
  readonly outcome: Outcome
  readonly exitCode: number
  readonly resume: Resume
  readonly meaning: string
  readonly next: string
}

interface Words {
  readonly meaning: string
  readonly next: string
}

/** The compiler requires every reason. */
const words: Readonly<Record<EndName, Words>> = {
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
    meaning: 'The agent used tokens and brought less and less.',
    next: 'Look at what is still open, then say more precisely what is wanted.',
  },
  loop_detected: {
    meaning: 'The agent repeated itself without progress, and warnings did not help.',
    next: 'See in the timeline what was repeated, take that obstacle away, and start a new run.',
  },
  stagnated: {
    meaning: 'For many turns nothing was better than the best so far.',
    next: 'Read the checks that stayed open: mend what holds them up, or make the task smaller.',
  },
  model_ended: {
    meaning: 'The agent ended by itself, and no check could decide.',
    next: 'Judge the work yourself, and name a check that can fail.',
  },
  blocked: {
    meaning:
      'The agent or a check needs something that it cannot get; the exit code is 2 where a check was asked for that can never be answered.',
    next: 'Provide what the message names, then resume the run; where the check is wrong, name another in a new run.',
  },
  awaiting_approval: {
    meaning: 'A person must decide; the run sleeps until then.',
    next: 'Decide, then resume the run.',
  },
  permission_denied: {
    meaning: 'The calls of the agent were refused, and there was no other way.',
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

/** Outcome, exit code and resumability come from the stop order. */
export const endLabels: readonly EndLabel[] = namesOf(words).map((name) => {
  const reason = name === 'tampered' ? 'verifier_failed_unrecoverable' : name
  const outcome = outcomeOf[reason]
  return {
    name,
    reason,
    outcome,
    exitCode: exitCodeOf[outcome],
    resume: resumeOf(reason, outcome),
    ...words[name],
  }
})

function resumeOf(reason: StopReason, outcome: Outcome): Resume {
  if (resumableOutcomes.includes(outcome)) return 'yes'
  return reason === 'hard_cap' ? 'with-top-up' : 'no'
}

const turnMeanings: Readonly<Record<ContinueReason, string>> = {
  tool_calls: 'The agent works: it asked for tools, and their results go back to it.',
  verifier_feedback: 'The work is not proven: what is open was told to the agent.',
  reply_feedback: 'The reply was judged and falls short: what is wrong was told to the agent.',
  nudge_budget_left: 'The agent stopped by itself with budget left, and was asked to go on.',
  max_output_recovery: 'The reply was cut off at its length, and the agent was asked to go on from there.',
  approval_given: 'A person allowed what the run was waiting for.',
  goal_changed: 'The goal was changed while the run went on.',
  steering: 'A message of the user reached the agent between two turns.',
}

export const capMeanings: Readonly<Record<CapName, string>> = {
  iterations: 'No further turn was allowed.',
  model_calls:
    'No further call of the model was allowed; retries count, calls that the provider refused do not.',
  tool_calls: 'No further tool call was allowed.',
  tokens: 'The next model call would not have fitted into the tokens left.',
  cost: 'The next model call might have cost more than was left.',
  wall_clock: 'The time for the run was up.',
  blocked_stops:
    'The stops of the agent were blocked so often, and its checks came to no better score than before.',
}

export const detectorMeanings: Readonly<Record<DetectorName, string>> = {
  generic_repeat: 'The same call gave the same result again and again.',
  known_poll_no_progress: 'A tool that asks for a state was asked again and again, and the state stayed.',
  ping_pong: 'Two calls took turns, and both gave what they had given before.',
  global_circuit_breaker: 'A long row of calls of any kind brought no progress.',
  argument_churn: 'The arguments changed from call to call, and the result stayed.',
  cycle: 'A round of several calls was repeated with the same results.',
  same_failure: 'One and the same failure came back, whatever was called.',
  repeated_reply: 'The model said the same again and again.',
  failed_check_repeat: 'The same checks failed again and again in the same way.',
}

const refusalMeanings: Readonly<Record<RefusalLabel, string>> = {
  policy_forbidden: 'A rule of the policy forbids the command.',
  dangerous_command: 'A built-in rule: it destroys what cannot be had back.',
  opaque_command: 'Nobody can say what the command would run, and the policy takes no such command.',
  approval_required: 'It must be asked for.',
  approval_unavailable:
    'It must be asked for, and nobody is asked: by the approval policy, or because nobody is there.',
  approval_denied: 'Whoever was asked said no.',
  outside_work_folder: 'It would change something outside of the work folder.',
  protected_file: 'It would change what decides whether the work is done.',
  invalid_patch: 'The patch does not apply as a whole, so nothing of it was written.',
  hook_denied: 'A registered hook forbids it, or failed and fails closed.',
  gate_failed: 'The gate itself failed, and a gate that fails allows nothing.',
}

export const labelTables = {
  cap: capMeanings,
  detector: detectorMeanings,
  turn: turnMeanings,
  refusal: refusalMeanings,
} as const

export interface Reason {
  readonly name: string
  readonly kind: 'end' | keyof typeof labelTables
  readonly meaning: string
  readonly end?: EndLabel
}

export function findReason(name: string): Reason | undefined {
  const end = endLabels.find((one) => one.name === name)
  if (end !== undefined) return { name, kind: 'end', meaning: end.meaning, end }
  for (const kind of ['cap', 'detector', 'turn', 'refusal'] as const) {
    const meaning = Object.entries(labelTables[kind]).find(([known]) => known === name)?.[1]
    if (meaning !== undefined) return { name, kind, meaning }
  }
  return undefined
}

/** The table is total over the union. */
function namesOf<Name extends string>(table: Readonly<Record<Name, unknown>>): readonly Name[] {
  return Object.keys(table) as Name[]
}
