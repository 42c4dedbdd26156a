import type { VerifierDescription } from '@donecheck/core/internal/events/settings'
import type { CommandCheck } from '@donecheck/core/internal/goal'
import type { Prompts } from '@donecheck/core/internal/decide/prompts'
import type { EpochMs, RunEvent } from '@donecheck/core/internal/events'
import type { Approver, Gate } from '../../../ports/gate.ts'
import type { Clock, Drive, Ids, Tool, Workspace } from '../../../ports/loop.ts'
import type { Memory } from '../../../ports/memory.ts'
import type { DeliverReply } from '../../../ports/replies.ts'
import type { FaultTrial, Guard, Verifier } from '../../../ports/checks.ts'
import type { Hooks } from '../../../ports/callbacks.ts'
import type { Store, RememberedVerdicts } from '../../../ports/store.ts'
import type { Policy } from '@donecheck/core/internal/decide/policies'
import type { Waiver } from '@donecheck/core/internal/events/verdicts'
import type { Session } from './session.ts'

export interface MoreChecks {
  /** @throws {UsageError} for a command that can be no check */
  readonly describe: (checks: readonly CommandCheck[]) => readonly VerifierDescription[]
  readonly make: (checks: readonly CommandCheck[]) => Pick<World, 'verifiers' | 'guard'>
}

export type Waiting =
  | { readonly kind: 'time'; readonly untilMs: EpochMs; readonly because: 'retry' | 'goal' }
  | { readonly kind: 'question'; readonly id: string }
  | { readonly kind: 'run'; readonly runId: string; readonly untilMs: EpochMs | null }

export interface World {
  readonly drive: Drive
  readonly tools: readonly Tool[]
  readonly gate: Gate
  readonly approver: Approver
  readonly hooks: Hooks
  readonly history: () => readonly RunEvent[]
  readonly verifiers: readonly Verifier[]
  /** Null if the checks look at the work folder as it is. */
  readonly guard: Guard | null
  /** Null if the run continues with the checks that it began with. */
  readonly moreChecks: MoreChecks | null
  readonly checking: Checking
  /** Null if replies are delivered as they come. */
  readonly replies: { readonly judge?: Verifier; readonly deliver?: DeliverReply } | null
  readonly workspace: Workspace | null
  /** Null if nothing is remembered of earlier runs. */
  readonly memory: Memory | null
  readonly clock: Clock
  readonly ids: Ids
  readonly store: Store
  readonly prompts: Prompts
  /** The user's interrupt; its reason names who asked. */
  readonly signal: AbortSignal
  /**
   * Where somebody else waits for this run: ends the step, which records nothing more and is done once more when that is over.
   * Absent: the loop waits itself.
   */
  readonly suspend?: (waiting: Waiting) => void
  readonly onText: (piece: string) => void
  /** What a check (by its name) or a call (by its id) prints while it runs. */
  readonly onOutput: (from: string, piece: string) => void
}

export type Clearing = Pick<
  World,
  'drive' | 'tools' | 'hooks' | 'history' | 'gate' | 'approver' | 'signal' | 'suspend'
>

export interface CheckWaiver extends Waiver {
  readonly check: string
}

/** Somebody says by name that a check is able to fail, whatever its line looks like. */
export interface TrustedCheck {
  readonly check: string
  readonly by: string
}

/** How checks are asked, beside which. */
export interface Checking {
  readonly policy: Policy
  readonly maxParallel: number
  readonly failFast: boolean
  /** Null if nothing is remembered. */
  readonly verdicts: RememberedVerdicts | null
  readonly waivers: readonly CheckWaiver[]
  readonly quarantine: readonly CheckWaiver[]
  readonly trusted: readonly TrustedCheck[]
  /** Where no guard has laid a tree. Null if there is no work folder. */
  readonly faults: FaultTrial | null
}

export function waiverOf(
  check: string,
  waivers: readonly CheckWaiver[],
  nowMs: number,
): CheckWaiver | undefined {
  const today = new Date(nowMs).toISOString().slice(0, 10)
  return waivers.find((waiver) => waiver.check === check && today <= waiver.until)
}

export interface EffectContext {
  readonly session: Session
  readonly world: Clearing
  readonly signal: AbortSignal
}
