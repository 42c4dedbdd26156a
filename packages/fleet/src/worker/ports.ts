/** What whoever runs a worker gives to it: how a run is opened, and where it works. */
import type { Caps } from '@donecheck/core/budgets'
import type { ParentRun } from '@donecheck/core/events'
import type { SteppedRun } from '@donecheck/engine/compose'
import type { Tool } from '@donecheck/engine/ports/loop'
import type { Store } from '@donecheck/engine/ports/store'
import type { FleetClient, FleetRequest } from '../coordinator/index.ts'
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
  /** Of what it is a part; undefined: it is a run of its own. */
  readonly part: RunPart | undefined
}

/** As its parent has announced it. */
export interface RunPart {
  readonly parent: ParentRun
  /** Carved for it: it must begin with these. */
  readonly caps: Caps
  /** Names of the checks of the part of the goal that it is; those of its parent as a whole are not for it. */
  readonly checks: readonly string[]
}

export interface OpeningPlace extends RunPlace {
  /** Another worker had the run and is taken for lost: its lease is not waited for. */
  readonly replaces: boolean
  /** What the run must record and tell its drive before anything else, such as that work is lost. Undefined: nothing. */
  readonly notice: string | undefined
  /** For a drive that brings none of its own: with them it hands parts of its task to other workers. */
  readonly tools: readonly Tool[]
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

/** What a worker knows beside. */
export interface PerformanceParts extends RunParts {
  readonly client: Pick<FleetClient, 'submit' | 'cancel' | 'run'>
  readonly version: string
}
