import type { Prompts } from '../core/index.ts'
import type { Approver, Clock, Drive, Gate, Tool, Verifier, Workspace } from '../ports.ts'

/** Every door that the loop may open. */
export interface World {
  readonly drive: Drive
  readonly tools: readonly Tool[]
  readonly gate: Gate
  readonly approver: Approver
  readonly verifiers: readonly Verifier[]
  readonly workspace: Workspace | null
  readonly clock: Clock
  readonly prompts: Prompts
  /** The user's interrupt; its reason names who asked. */
  readonly signal: AbortSignal
  /** Pieces of the drive's text while they come in. */
  readonly onText: (piece: string) => void
}
