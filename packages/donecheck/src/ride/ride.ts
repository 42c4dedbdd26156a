/** A loop that a host owns: it tells what happens, and is told what to do. */
import type { AgentLoopOptions } from '../compose.ts'
import type { HostAnswer, HostEvent } from '../agents/index.ts'
import type { RunState, StopTransition } from '../events/index.ts'

/** All that a loop of our own can be given, but for what the host brings itself. */
export interface RideOptions extends Omit<AgentLoopOptions, 'drive' | 'tools' | 'wrapUp' | 'allowConcurrent'> {
  /** Who rides, such as `claude-code` or `ai-sdk`. */
  readonly agent: string
  /** The host's own name for its session. Default: a new one. */
  readonly sessionId?: string
  /** What a check that cannot decide means at the claim: the agent is held (default), or let go. It never counts as passed. */
  readonly onBrokenCheck?: 'hold' | 'let-go'
  /** The claim of a turn that left the tree as it was: checked (default), or let go as not verified. */
  readonly whenUnchanged?: 'verify' | 'let-go'
}

export interface Ride {
  /**
   * What happened in, what the host is to do out. Never rejects for anything that the agent does; one event at a time.
   * @param signal aborts a verification: it counts as broken
   */
  observe(event: HostEvent, signal?: AbortSignal): Promise<HostAnswer>
  /** Undefined before the first prompt. */
  readonly state: RunState | undefined
  /** How the latest run of this session ended; undefined while it is going on. */
  readonly end: StopTransition | undefined
}
