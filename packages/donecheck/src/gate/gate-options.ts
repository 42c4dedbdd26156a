import type { SandboxDescription } from '../gate-ports.ts'
import type { ProtectOptions } from '../protect/index.ts'
import type { Responses } from '../tamper/index.ts'
import type { ApprovalPolicy } from './approval-policy.ts'
import type { PolicyRule } from './rules/rule.ts'

export interface PolicyGateOptions {
  /** Absolute. */
  readonly workFolder: string
  /** Of all layers. The floor is always there and need not be given. */
  readonly rules: readonly PolicyRule[]
  readonly approval: ApprovalPolicy
  readonly sandbox: Pick<SandboxDescription, 'isConfined'>
  /** What is done where it cannot be told what would run. Default: `prompt`. */
  readonly whenUndecidable?: 'prompt' | 'forbid' | 'allow'
  /** `shadow`: everything is allowed, and the decision says what it would have been. Default: `on`. */
  readonly mode?: 'on' | 'shadow'
  /** The rule file of the user, where answers are kept. Absent: none is, and a rule lasts as long as the gate. */
  readonly keep?: { readonly file: string }
  /** Absolute; null or absent: not known, and `~` stands for it. */
  readonly homeFolder?: string | null
  /** Absolute; folders outside of the work folder that commands may write to without a question, beside those for temporary files. */
  readonly writableFolders?: readonly string[]
  /** What decides whether the work is done; see `tamper/`. */
  readonly protect?: Partial<ProtectOptions>
  /** What is done about each kind of tampering. Default: as the guard does. */
  readonly responses?: Responses
  /** Text of a file before the run (null: it was not there); undefined: not known, and what the gate saw first counts. */
  readonly untouched?: (path: string) => Promise<string | null | undefined>
  /**
   * It is made for one call, and gone afterwards: what takes long to load is loaded only where it is needed, and of changed files
   * those are compared that decide whether work is done. The others are compared when the checks are asked. No rule is proposed.
   */
  readonly isForOneCall?: boolean
  /** Whether a file is there now. Default: a look at the disk. */
  readonly isThere?: (absolutePath: string) => boolean
  /**
   * Whether what lies there can be made again, with all that is in it, such as a build folder of which nothing is kept: in a
   * sandbox nobody is asked before it is removed. Default: nothing can.
   */
  readonly canBeMadeAgain?: (absolutePath: string) => boolean
}
