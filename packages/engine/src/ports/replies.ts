import type { SettledReply } from '@donecheck/core/internal/state'

export interface Reply extends Pick<SettledReply, 'text' | 'ending' | 'attempt' | 'message'> {
  readonly runId: string
  /** The judge accepted it. If false, tell the reader. */
  readonly isVerified: boolean
}

/** Delivers a reply, at most once per run. A throw is recorded and changes nothing. */
export type DeliverReply = (reply: Reply, signal: AbortSignal) => Promise<void> | void
