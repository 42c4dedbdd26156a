import type { ProtectOptions } from '../../../analysis/protect/index.ts'
import type { ApprovalPolicy } from '../approval-policy.ts'
import type { CommandLocation } from '../built-in-rules/built-in-rule.ts'
import type { CompiledPolicy } from './policy.ts'

/** What a line is looked at with. */
export interface GateContext {
  readonly policy: CompiledPolicy
  readonly approval: ApprovalPolicy
  readonly isConfined: boolean
  /** What no rule knows is left to the permissions of whoever runs it. */
  readonly leavesUnknown?: boolean
  /** No rule is proposed. */
  readonly isForOneCall?: boolean
  readonly protect: ProtectOptions
  readonly place: CommandLocation
  /** Prefixes that a person lets out of the sandbox for this session. */
  readonly mayLeave: readonly (readonly string[])[]
  /** Absolute; outside of the work folder, and free. */
  readonly writableFolders: readonly string[]
  readonly canBeMadeAgain: (absolutePath: string) => boolean
  /** Command lines of the run's own checks. */
  readonly ownChecks: readonly string[]
}
