import type { CallIds, Ending, ToolUse, Verdict } from './records.ts'

/** One session of a loop detection of this family, ours or the real one: detect, then record the call, then its ending. */
export interface LoopSession {
  /** For a call that is not yet recorded. */
  readonly detect: (use: ToolUse, ids?: CallIds) => Verdict
  readonly recordCall: (use: ToolUse, ids?: CallIds) => void
  readonly recordOutcome: (use: ToolUse, ending: Ending, ids?: CallIds) => void
  /** Calls that are kept. */
  readonly size: () => number
}
