import type { GateKind } from '../../events/index.ts'
import type { ProtectOptions } from '../../protect/index.ts'
import type { ApprovalPolicy } from '../approval-policy.ts'
import type { FloorPlace } from '../floor/floor-rule.ts'
import type { CompiledPolicy } from './policy.ts'

/** What a line is looked at with. */
export interface Surroundings {
  readonly policy: CompiledPolicy
  readonly approval: ApprovalPolicy
  readonly isConfined: boolean
  /** What no rule knows is left to the permissions of whoever runs it. */
  readonly leavesUnknown?: boolean
  readonly whenUndecidable: GateKind
  readonly protect: ProtectOptions
  readonly place: FloorPlace
  /** Prefixes that a person lets out of the sandbox for this session. */
  readonly mayLeave: readonly (readonly string[])[]
  /** Absolute; outside of the work folder, and free. */
  readonly writableFolders: readonly string[]
  readonly canBeMadeAgain: (absolutePath: string) => boolean
}
