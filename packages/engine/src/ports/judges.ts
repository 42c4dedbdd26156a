import type { JudgeEvidence, JudgeQuote } from '@donecheck/core/internal/events/verdicts'
import type { RunEvent } from '@donecheck/core/internal/events'

export interface JudgeRequest {
  readonly task: string
  /** What the answer or the work must fulfil. */
  readonly rubric: string
  /** A score is needed, and from this one on the rubric counts as fulfilled. Absent: none is needed. */
  readonly minScore?: number
  readonly answer: string
  readonly workFolder: string | null
  /** What has happened in the run, the oldest first; empty where no run asks. */
  readonly events: readonly RunEvent[]
}

export interface JudgeAnswer {
  /** `abstained`: it cannot tell, so the verdict is `error`. */
  readonly kind: JudgeEvidence['said']
  readonly reason: string
  /** What is wrong, in one word of a list, such as `incomplete`; only of `not-met`. */
  readonly category?: string
  /** 0 to 1. */
  readonly score?: number
  readonly quotes: readonly JudgeQuote[]
  /** Nobody has answered: no key, no server, no money left. Only of `abstained`. */
  readonly unavailable?: true
  /** Of all its tries; absent: none were used, or nobody knows. */
  readonly tokens?: number
  /** On the judge's own account, never on the drive's (I8). */
  readonly costUsd: number | null
  /** Of a panel: what each of its judges said. */
  readonly votes?: readonly JudgeEvidence[]
}

export interface Judge {
  /** For people, such as the name of a model. */
  readonly name: string
  /** Of its model, such as `claude`. Absent: not known. */
  readonly family?: string
  /** The judges of a panel. */
  readonly members?: readonly Judge[]
  /** SHA-256, hex, of the model and of all that it is told beside rubric and case: what a measurement of it is kept under. */
  readonly identity?: string
  judge(request: JudgeRequest, signal: AbortSignal): Promise<JudgeAnswer>
}
