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

export type VerdictLine = Recorded<typeof verdictLine>
const verdictLine = z.object({ verifier: text, status: verdictStatus })

export type ContinueTransition = Recorded<typeof continueTransition>
const continueTransition = z.object({
  kind: z.literal('continue'),
  reason: z.enum(continueReasons),
  findings: z.array(text),
  verdicts: z.array(verdictLine),
})

export const outcome = z.enum(outcomes)

export type StopTransition = Recorded<typeof stopTransition>
export const stopTransition = z.object({
  kind: z.literal('stop'),
  reason: z.enum(stopReasons),
  outcome,
  message: text,
  cap: capName.exactOptional(),
  /** The cap that was reached if the last check passed there (`task_complete`). */
  atCap: capName.exactOptional(),
  detector: text.exactOptional(),
  /** Blocked by a wrong configuration rather than something missing: exit code 2. */
  misuse: z.literal(true).exactOptional(),
  lastCheck: z.enum(lastChecks).exactOptional(),
  /** Set if the run ended early: what is done, what is left, how to continue. */
  summary: text.exactOptional(),
  summaryBy: z.enum(summarySources).exactOptional(),
  findings: z.array(text),
  verdicts: z.array(verdictLine),
})

export type Transition = Recorded<typeof transition>
export const transition = z.discriminatedUnion('kind', [continueTransition, stopTransition])
