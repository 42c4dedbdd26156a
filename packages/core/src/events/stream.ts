/** How a run's events are read and written: types only. The stores implement them. */
import type { RunEvent } from './event.ts'

/** Sequence number of the last event that the writer has seen; 0 for a stream that must not exist yet. */
export type ExpectedSequence = number

export type AppendResult =
  | { readonly kind: 'appended' }
  /** Somebody else wrote: the stream stands at `actualSequence`. */
  | { readonly kind: 'conflict'; readonly actualSequence: number }
  /** The writer's lease was taken over by another. */
  | { readonly kind: 'fenced'; readonly message: string }

/** One run in a list, from its latest events. */
export interface RunSummary {
  readonly runId: string
  readonly startedAtMs: number
  readonly updatedAtMs: number
  readonly events: number
  readonly task: string
  readonly workFolder: string | null
  /** Undefined while the run has not stopped. */
  readonly reason: string | undefined
  readonly outcome: string | undefined
  /** It was recorded elsewhere: nothing of it was observed by whoever keeps it. */
  readonly imported?: true
}

export type ReadResult = readonly RunEvent[]
