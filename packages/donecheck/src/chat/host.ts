/** What a session needs of the command around it: runs begun from its configuration, and what other commands do. */
import type { RunEvent } from '@donecheck/core/events'
import type { RunState } from '@donecheck/core/state'
import type { TopUp } from '@donecheck/engine/compose'
import type { Approver } from '@donecheck/engine/ports/gate'
import type { RunSummary, Store } from '@donecheck/engine/ports/store'
import type { Line } from '@donecheck/engine/report'
import type { KeptTrees } from '@donecheck/engine/workspace'

/** Told of a run while it goes on. */
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
      /** What stays below the task, however it is worded: what was done before. Empty: nothing was. */
      readonly context: string
    }
  | { readonly kind: 'resume'; readonly runId: string; readonly topUp: TopUp | undefined }

export interface Work {
  /** Asks the run to stop; once more ends the process. */
  readonly interrupt: () => void
  /** Resolves when it has ended and all is written. Rejects where it could not begin, or broke. */
  readonly ended: Promise<void>
}

export interface ChatHost {
  readonly workFolder: string
  readonly store: Store

  readonly trees: KeptTrees
  /** Who says so, for the record. */
  readonly person: string
  /** Words of earlier runs of this folder, the latest first. */
  earlierWords(): Promise<readonly string[]>
  begin(beginning: Beginning, watcher: Watcher, approver: Approver): Work
  /** What new runs are driven by, such as `openai/gpt-5`; empty: nothing is chosen. */
  drive(): string
  /** Models and agents that could be chosen, as they are typed. */
  drives(): Promise<readonly string[]>
  /** For the next message. @throws {UsageError} for words that name none */
  chooseDrive(words: string): Promise<void>
  /** Checks of new runs, as they were given. */
  checks(): readonly string[]
  /** For new runs. @returns whether it was no check before */
  addCheck(command: string): Promise<boolean>
  /** What new runs may use, in lines. */
  budget(): readonly Line[]
  /** Amounts such as `turns=10,tokens=50000`. @throws {UsageError} for others */
  topUp(words: string): TopUp
  /** Of new runs. */
  setBudget(amounts: TopUp): void
  /** Shows or changes the goal, as `donecheck goal` does: `words` are those after the command, without the run. */
  goal(runId: string, words: string): Promise<readonly Line[]>
  /** Why a run ended as it did, or why it is not done. */
  explain(runId: string): Promise<readonly Line[]>
  /** Runs of this folder, the latest first. */
  runs(): Promise<readonly RunSummary[]>
  /** @throws {UsageError} for none or several */
  findRun(words: string): Promise<string>
  /** Allows changes of the checks that wait in a run at rest. Empty: all of them. */
  allowChanges(runId: string, paths: readonly string[]): Promise<readonly string[]>
}

/** How lines are coloured; without colour every function gives its text back. */
export interface Theme {
  readonly paint: (line: Line) => string
  /** The one colour that leads the eye. */
  readonly accent: (text: string) => string
  readonly quiet: (text: string) => string
}
