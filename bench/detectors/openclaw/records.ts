/** What the loop detection of OpenClaw keeps and says, in its own words, so that ours and the real one can be compared. */

/** A call as its history has it. Parameters and results are whatever a tool took and gave. */
export interface ToolUse {
  readonly toolName: string
  readonly params: unknown
}

/** How a call ended: exactly one of the two. `result: undefined` is a result that nothing is known of. */
export type Ending = { readonly result: unknown } | { readonly error: unknown }

export interface CallIds {
  readonly toolCallId?: string | undefined
  /** Blank counts as absent. */
  readonly runId?: string | undefined
}

/** What is kept of an ending. At least one of the first two is there. */
export interface Outcome {
  readonly resultHash?: string
  readonly outcomeKind?: 'terminal-exec-failure' | 'tool-loop-veto'
  readonly failureIdentityHash?: string
  readonly unknownToolName?: string | undefined
  readonly noProgress?: true
}

export interface LoopRecord {
  readonly toolName: string
  readonly argsHash: string
  readonly toolCallId: string | undefined
  readonly runId: string | undefined
  outcome: Outcome | undefined
}

/** One session's. */
export interface LoopState {
  /** Oldest first. */
  history: LoopRecord[]
}

export type LoopDetectorName =
  | 'unknown_tool_repeat'
  | 'global_circuit_breaker'
  | 'known_poll_no_progress'
  | 'ping_pong'
  | 'generic_repeat'
  | 'argument_churn'

export interface Stuck {
  readonly stuck: true
  readonly level: 'warning' | 'critical'
  readonly detector: LoopDetectorName
  readonly count: number
  /** Warnings of one key are told once per ten counts. */
  readonly warningKey: string
  readonly pairedToolName?: string
  readonly livenessSignal?: 'argument_churn'
}

export type Verdict = { readonly stuck: false } | Stuck

export const notStuck: Verdict = { stuck: false }
