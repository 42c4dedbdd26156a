import type { RunEvent } from '@donecheck/core/internal/events'
import type { RunState } from '@donecheck/core/internal/state'
import type { TopUp } from '@donecheck/engine/internal/loop/compose'
import type { Approver } from '@donecheck/engine/internal/ports/gate'
import type { RunSummary, Store } from '@donecheck/engine/internal/ports/store'
import type { Line } from '@donecheck/engine/display'
import type { KeptTrees } from '@donecheck/engine/internal/checks/workspace'

export interface Watcher {
  readonly event: (event: RunEvent, state: RunState) => void
  readonly text: (piece: string) => void
  readonly output: (from: string, piece: string) => void
  readonly notice: (message: string) => void
}

export type Beginning =
  | {
      readonly kind: 'new'
      readonly task: string
      /** What this session did before; empty for the first run. It stays when the task is reworded. */
      readonly context: string
    }
  | { readonly kind: 'resume'; readonly runId: string; readonly topUp: TopUp | undefined }

export interface Work {
  /** Asks the run to stop; a second call ends the process. */
  readonly interrupt: () => void
  readonly ended: Promise<void>
}

export interface ChatHost {
  readonly workFolder: string
  readonly store: Store

  readonly trees: KeptTrees
  readonly person: string
  earlierWords(): Promise<readonly string[]>
  begin(beginning: Beginning, watcher: Watcher, approver: Approver): Work
  /** Such as `openai/gpt-5`; empty if nothing is chosen. */
  agent(): string
  agents(): Promise<readonly string[]>
  /** @throws {UsageError} if the words name no agent or model */
  chooseAgent(words: string): Promise<void>
  checks(): readonly string[]
  /** @returns false if it was a check already */
  addCheck(command: string): Promise<boolean>
  budget(): readonly Line[]
  /** @throws {UsageError} unless it has the form `turns=10,tokens=50000` */
  topUp(words: string): TopUp
  setBudget(amounts: TopUp): void
  /** @param words those after `donecheck goal`, without the run */
  goal(runId: string, words: string): Promise<readonly Line[]>
  explain(runId: string): Promise<readonly Line[]>
  runs(): Promise<readonly RunSummary[]>
  findRun(words: string): Promise<string>
  /** @param paths all waiting changes if empty */
  allowChanges(runId: string, paths: readonly string[]): Promise<readonly string[]>
}

export interface Theme {
  readonly paint: (line: Line) => string
  readonly accent: (text: string) => string
  readonly quiet: (text: string) => string
}
