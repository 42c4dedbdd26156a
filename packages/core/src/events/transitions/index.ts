/** Why a turn continued or a run stopped. */
import { z } from 'zod'
import type { Recorded } from '../../base/index.ts'
import { capNames } from '../../budgets/index.ts'
import { verdictStatus } from '../verdicts/index.ts'
import { continueReasons, lastChecks, outcomes, stopReasons, summarySources } from './words.ts'

export { continueReasons, lastChecks, outcomes, stopReasons, summarySources } from './words.ts'
export type { ContinueReason, LastCheck, Outcome, StopReason, SummarySource } from './words.ts'

const text = z.string()
const capName = z.enum(capNames)

/** The end that a rule asks for. A rule cannot ask for success. */
export type StopCause = Recorded<typeof stopCause>
export const stopCause = z.discriminatedUnion('reason', [
  z.object({ reason: z.literal('hard_cap'), cap: capName }),
  z.object({ reason: z.literal('loop_detected'), detector: text }),
  z.object({ reason: z.enum(['stagnated', 'diminishing', 'permission_denied', 'blocked']) }),
])

/** A verdict in one line; the whole of it is in the `verdict-given` event. */
export type VerdictLine = Recorded<typeof verdictLine>
const verdictLine = z.object({ verifier: text, status: verdictStatus })

export type ContinueTransition = Recorded<typeof continueTransition>
const continueTransition = z.object({
  kind: z.literal('continue'),
  reason: z.enum(continueReasons),
  /** Rules that had something to say on this turn. */
  findings: z.array(text),
  verdicts: z.array(verdictLine),
})

export const outcome = z.enum(outcomes)

export type StopTransition = Recorded<typeof stopTransition>
export const stopTransition = z.object({
  kind: z.literal('stop'),
  reason: z.enum(stopReasons),
  outcome,
  /** One sentence for a person. */
  message: text,
  /** Which cap, when the reason is `hard_cap`. */
  cap: capName.exactOptional(),
  /** Which cap was reached, when the last check at that cap passed and the run is `task_complete`. */
  atCap: capName.exactOptional(),
  /** Which rule, when a detector ended the run. */
  detector: text.exactOptional(),
  /** Blocked by how a check was asked for, not by something that is missing: exit code 2. */
  misuse: z.literal(true).exactOptional(),
  lastCheck: z.enum(lastChecks).exactOptional(),
  /** What is done, what is left and how to go on, where the run was ended early. */
  summary: text.exactOptional(),
  summaryBy: z.enum(summarySources).exactOptional(),
  findings: z.array(text),
  verdicts: z.array(verdictLine),
})

export type Transition = Recorded<typeof transition>
export const transition = z.discriminatedUnion('kind', [continueTransition, stopTransition])
