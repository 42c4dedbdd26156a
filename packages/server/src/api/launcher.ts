/** The door to whatever starts runs: the service knows no command. */
import type { StartRequest, TopUpRequest } from './shapes/runs.ts'

export interface RunLauncher {
  /**
   * Begins a run under this id, in a process that outlives the service.
   * @throws {UsageError} where it cannot be begun so; nothing was started then
   */
  start(runId: string, request: StartRequest): Promise<LaunchedRun>
  /** Goes on with one that has stopped. @throws {UsageError} as `start` */
  resume(runId: string, topUp: TopUpRequest): Promise<LaunchedRun>
  /** Ends one wherever it is. Absent: its process is interrupted, where it is one of this machine. */
  cancel?(runId: string, by: string): Promise<void>
}

export interface LaunchedRun {
  /** Resolves when its process has ended, to what it said last. */
  readonly ended: Promise<string>
  /** It may not begin for long: nobody waits for that. */
  readonly isQueued?: true
}
