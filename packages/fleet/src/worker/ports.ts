/** What whoever runs a worker gives to it: how a run is opened, and where it works. */
import type { SteppedRun } from '@donecheck/engine/compose'
import type { Store } from '@donecheck/engine/ports/store'
import type { FleetRequest } from '../coordinator/index.ts'
import type { RunFolders } from './folders/index.ts'

export interface RunPlace {
  readonly runId: string
  /** Null: there is nothing to work in. */
  readonly folder: string | null
  /** For what belongs to the run and is no part of its record; null as the folder is. */
  readonly snapshotFolder: string | null
  readonly store: Store
  /** Aborted: the run ends; the reason names who wants it. */
  readonly signal: AbortSignal
}

export interface OpeningPlace extends RunPlace {
  /** Another worker had the run and is taken for lost: its lease is not waited for. */
  readonly replaces: boolean
  /** What the run must record and tell its drive before anything else, such as that work is lost. Undefined: nothing. */
  readonly notice: string | undefined
}

export interface RunOpener {
  /** Begins the run where the store has no event of it, and goes on with it otherwise. Rejects with `UsageError` for what can never be opened. */
  open(request: FleetRequest, place: OpeningPlace): Promise<SteppedRun>
  /** Takes the baseline tree of the guard anew, in a folder that is rebuilt, before the work so far is laid over it. */
  rememberBase(request: FleetRequest, place: RunPlace): Promise<void>
}

export interface RunParts {
  readonly storeOf: (tenant: string) => Promise<Store>
  readonly opener: RunOpener
  /** Null: no run of this worker has a folder. */
  readonly folders: RunFolders | null
  readonly log: (message: string) => void
}
