import type { VerifierDescription } from '@donecheck/core/internal/events/settings'
import type { CommandCheck } from '@donecheck/core/internal/goal'
import type { Prompts } from '@donecheck/core/internal/decide/prompts'
import type { EpochMs, RunEvent } from '@donecheck/core/internal/events'
import type { Approver, Gate } from '../../../ports/gate.ts'
import type { Clock, Agent, Ids, Tool, Workspace } from '../../../ports/loop.ts'
import type { Memory } from '../../../ports/memory.ts'
import type { DeliverReply } from '../../../ports/replies.ts'
import type { FaultTrial, Guard, Verifier } from '../../../ports/checks.ts'
import type { Hooks } from '../../../ports/callbacks.ts'
import type { Store, RememberedVerdicts } from '../../../ports/store.ts'
import type { Aggregator } from '@donecheck/core/internal/decide/aggregate'
import type { Waiver } from '@donecheck/core/internal/events/verdicts'
import type { LiveRun } from './session.ts'

export interface MoreChecks {
  /** @throws {UsageError} for a command that cannot be a check */
  readonly describe: (checks: readonly CommandCheck[]) => readonly VerifierDescription[]
  readonly make: (checks: readonly CommandCheck[]) => Pick<World, 'verifiers' | 'guard'>
}

export type Waiting =
  | { readonly kind: 'time'; readonly untilMs: EpochMs; readonly because: 'retry' | 'goal' }
  | { readonly kind: 'question'; readonly id: string }
  | { readonly kind: 'run'; readonly runId: string; readonly untilMs: EpochMs | null }

export interface World {
  readonly agent: Agent
  readonly tools: readonly Tool[]
  readonly gate: Gate
  readonly approver: Approver
  readonly hooks: Hooks
  readonly history: () => readonly RunEvent[]
  readonly verifiers: readonly Verifier[]
  /** Null if checks run in the work folder itself. */
  readonly guard: Guard | null
  /** Null if the set of checks is fixed. */
  readonly moreChecks: MoreChecks | null
  readonly checking: Checking
  readonly replies: { readonly judge?: Verifier; readonly deliver?: DeliverReply } | null
  readonly workspace: Workspace | null
  /** Null without memory. */
  readonly memory: Memory | null
  readonly clock: Clock
  readonly ids: Ids
  readonly store: Store
  readonly prompts: Prompts
  /** The user's interrupt; the reason names who asked. */
  readonly signal: AbortSignal
  /** Ends the step, to be repeated after the wait. If absent, the loop waits itself. */
  readonly suspend?: (waiting: Waiting) => void
  readonly onText: (piece: string) => void
  readonly onOutput: (from: string, piece: string) => void
}

export type Clearing = Pick<
  World,
  'agent' | 'tools' | 'hooks' | 'history' | 'gate' | 'approver' | 'signal' | 'suspend'
>

export interface CheckWaiver extends Waiver {
  readonly check: string
}

/** A user vouches that the check can fail. */
export interface TrustedCheck {
  readonly check: string
  readonly by: string
}

export interface Checking {
  readonly aggregate: Aggregator
  readonly maxParallel: number
  readonly failFast: boolean
  readonly verdicts: RememberedVerdicts | null
  readonly waivers: readonly CheckWaiver[]
  readonly quarantine: readonly CheckWaiver[]
  readonly trusted: readonly TrustedCheck[]
  /** Used without a guard; null without a work folder. */
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
  readonly session: LiveRun
  readonly world: Clearing
  readonly signal: AbortSignal
}
