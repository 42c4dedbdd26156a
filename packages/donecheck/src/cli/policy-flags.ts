import type { GateKind } from '../events/index.ts'
import type { ApprovalPolicy } from '../gate/index.ts'

/** Flags of `donecheck policy` as commander gives them. */
export interface PolicyFlags {
  readonly rules?: readonly string[]
  /** Nothing but the floor and `rules`. */
  readonly rulesOnly?: boolean
  readonly projectRules?: 'trusted' | 'tighten' | 'off'
  readonly config?: string
  readonly pretty?: boolean
  readonly resolveHostExecutables?: boolean
  readonly script?: string
  readonly approval?: Extract<ApprovalPolicy, string>
  readonly undecidable?: GateKind
  readonly workdir?: string
  readonly unconfined?: boolean
  readonly json?: boolean
}
