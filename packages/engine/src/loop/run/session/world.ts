import type { VerifierDescription } from '@donecheck/core/settings'
import type { CommandCheck } from '@donecheck/core/goal'
import type { Prompts } from '@donecheck/core/prompts'
import type { EpochMs, RunEvent } from '@donecheck/core/events'
import type { Approver, Gate } from '../../../ports/gate.ts'
import type { Clock, Drive, Ids, Tool, Workspace } from '../../../ports/loop.ts'
import type { Memory } from '../../../ports/memory.ts'
import type { DeliverReply } from '../../../ports/replies.ts'
import type { Guard, Verifier, FaultTrial } from '../../../ports/checks.ts'
import type { Hooks } from '../../../ports/callbacks.ts'
import type { Store, RememberedVerdicts } from '../../../ports/store.ts'
import type { Policy } from '@donecheck/core/policies'
import type { Waiver } from '@donecheck/core/verdicts'
import type { Session } from './session.ts'

/** Checks that come while the run goes on. */
export interface MoreChecks {
  /** @throws {UsageError} for a command that can be no check */
  readonly describe: (checks: readonly CommandCheck[]) => readonly VerifierDescription[]
  /** All that have come so far, and the guard and the trial of faults that know them too. */
  readonly make: (checks: readonly CommandCheck[]) => Pick<World, 'verifiers' | 'guard' | 'checking'>
}

/** What a run waits for while nobody works at it. */
export type Waiting =
  | { readonly kind: 'time'; readonly untilMs: EpochMs; readonly because: 'retry' | 'goal' }
  /** The answer to a question that is kept in the store. */
  | { readonly kind: 'question'; readonly id: string }
  /** The end of another run. */
  | { readonly kind: 'run'; readonly runId: string; readonly untilMs: EpochMs | null }

/** Every door that the loop may open. */
export interface World {
  readonly drive: Drive
  readonly tools: readonly Tool[]
  readonly gate: Gate
  readonly approver: Approver
  readonly hooks: Hooks
  /** What happened so far in this run, for hooks. */
  readonly history: () => readonly RunEvent[]
  readonly verifiers: readonly Verifier[]
  /** Null: the checks look at the work folder as it is. */
  readonly guard: Guard | null
  /** Null: the run goes on with the checks that it began with. */
  readonly moreChecks: MoreChecks | null
  readonly checking: Checking
  /** Null: replies are delivered as they come. */
  readonly replies: { readonly judge?: Verifier; readonly deliver?: DeliverReply } | null
  readonly workspace: Workspace | null
  /** Null: nothing is remembered of earlier runs. */
  readonly memory: Memory | null
  readonly clock: Clock
  /** For the names of sub-runs. */
  readonly ids: Ids
  /** Where this run is kept, and its sub-runs are. */
  readonly store: Store
  readonly prompts: Prompts
  /** The user's interrupt; its reason names who asked. */
  readonly signal: AbortSignal
  /**
   * Where somebody else waits for this run: ends the step, which records nothing more and is done once more when that is over.
   * Absent: the loop waits itself.
   */
  readonly suspend?: (waiting: Waiting) => void
  /** What of a tool's output is compared with earlier ones; absent, and where it throws: the output as it is. */
  readonly normaliseResult?: (tool: string, output: string) => string
  /** Pieces of the drive's text while they come in. */
  readonly onText: (piece: string) => void
  /** What a check (by its name) or a call (by its id) prints while it runs. */
  readonly onOutput: (from: string, piece: string) => void
}

/** The doors that stand in the way of a call. */
export type Clearing = Pick<
  World,
  'drive' | 'tools' | 'hooks' | 'history' | 'gate' | 'approver' | 'signal' | 'suspend'
>

/** A waiver, or a place in quarantine, of one check. */
export interface CheckWaiver extends Waiver {
  /** Name of the verifier. */
  readonly check: string
}

/** Somebody says by name that a check is able to fail, whatever its line looks like. */
export interface TrustedCheck {
  /** Name of the verifier. */
  readonly check: string
  readonly by: string
}

/** How checks are asked, beside which. */
export interface Checking {
  readonly policy: Policy
  /** Checks at a time; 1: one after the other. */
  readonly maxParallel: number
  /** The first failure that decides breaks the other checks off. False: they run to their end, and all that is red is told. */
  readonly failFast: boolean
  /** Null: nothing is remembered and nothing learned. */
  readonly verdicts: RememberedVerdicts | null
  /** Checks that are not asked. */
  readonly waivers: readonly CheckWaiver[]
  /** Checks that may be flaky meanwhile. */
  readonly quarantine: readonly CheckWaiver[]
  readonly trusted: readonly TrustedCheck[]
  /** Null: nothing can be planted, so that a check that is in doubt is refused. */
  readonly faults: FaultTrial | null
}

/** The waiver of this check that holds on the day; one that has expired is none. */
export function waiverOf(
  check: string,
  waivers: readonly CheckWaiver[],
  nowMs: number,
): CheckWaiver | undefined {
  const today = new Date(nowMs).toISOString().slice(0, 10)
  return waivers.find((waiver) => waiver.check === check && today <= waiver.until)
}

/** Where something is asked: of which run, through which doors, and until when. */
export interface EffectContext {
  readonly session: Session
  readonly world: Clearing
  readonly signal: AbortSignal
}
