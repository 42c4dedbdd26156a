import type { JudgeEvidence, JudgeQuote } from '@donecheck/core/internal/events/verdicts'
import type { RunEvent } from '@donecheck/core/internal/events'

export interface JudgeRequest {
  readonly task: string
  readonly rubric: string
  /** Lowest sufficient score. Absent if none is needed. */
  readonly minScore?: number
  readonly answer: string
  readonly workFolder: string | null
  /** Events of the run, oldest first; may be empty. */
  readonly events: readonly RunEvent[]
}

export interface JudgeAnswer {
  /** `abstained`: undecided, so the verdict is `error`. */
  readonly kind: JudgeEvidence['said']
  readonly reason: string
  /** Failure category, such as `incomplete`; only for `not-met`. */
  readonly category?: string
  readonly score?: number
  readonly quotes: readonly JudgeQuote[]
  /** No answer: no key, server or money. Only for `abstained`. */
  readonly unavailable?: true
  /** Sum of all tries, if known. */
  readonly tokens?: number
  /** Charged to the judge's account, never the agent's (I8). */
  readonly costUsd: number | null
  /** Votes of a panel's judges. */
  readonly votes?: readonly JudgeEvidence[]
}

export interface Judge {
  readonly name: string
  /** Model family, such as `claude`, if known. */
  readonly family?: string
  readonly members?: readonly Judge[]
  /** Hex SHA-256 of the model and its fixed prompt: the key of its measurements. */
  readonly identity?: string
  judge(request: JudgeRequest, signal: AbortSignal): Promise<JudgeAnswer>
}
