import type { SettledReply } from '@donecheck/core/internal/state'

export interface Reply extends Pick<SettledReply, 'text' | 'ending' | 'attempt' | 'message'> {
  readonly runId: string
  /** The judge is content with it. Whoever shows it to a person should say where it is not so. */
  readonly isVerified: boolean
}

/** Hands a reply on; called at most once in a run. What it throws is recorded, and changes nothing of the run. */
export type DeliverReply = (reply: Reply, signal: AbortSignal) => Promise<void> | void
