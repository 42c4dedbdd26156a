import type { SandboxDescription } from '@donecheck/core/events'
import type { ProtectOptions } from '../../analysis/protect/index.ts'
import type { ApprovalPolicy } from './approval-policy.ts'
import type { PolicyRule } from './rules/rule.ts'
import { type OptionKeys, optionKeys } from '../../base/index.ts'

export interface PolicyGateOptions {
  /** Absolute. */
  readonly workFolder: string
  /** Of all layers. The built-in rules are always there and need not be given. */
  readonly rules: readonly PolicyRule[]
  readonly approval: ApprovalPolicy
  readonly sandbox: Pick<SandboxDescription, 'isConfined'>
  /** `shadow`: everything is allowed, and the decision says what it would have been. Default: `on`. */
  readonly mode?: 'on' | 'shadow'
  /** The rule file of the user, where answers are kept. Absent: none is, and a rule lasts as long as the gate. */
  readonly keep?: { readonly file: string }
  /** Absolute; null or absent: not known, and `~` stands for it. */
  readonly homeFolder?: string | null
  /** Absolute; folders outside of the work folder that commands may write to without a question, beside those for temporary files. */
  readonly writableFolders?: readonly string[]
  /** Which files decide whether the work is done: of their changes, what no honest work does is refused. */
  readonly protect?: Partial<ProtectOptions>
  /**
   * It is made for one call, and gone afterwards: what takes long to load is loaded only where it is needed. No rule is
   * proposed.
   */
  readonly isForOneCall?: boolean
  /**
   * Whether what lies there can be made again, with all that is in it, such as a build folder of which nothing is kept: in a
   * sandbox nobody is asked before it is removed. Default: nothing can.
   */
  readonly canBeMadeAgain?: (absolutePath: string) => boolean
  /**
   * Command lines of the run's own checks. The agent may run each of them, exactly as it is, without a question, unless a rule
   * forbids it or approval is `all`: donecheck runs the same lines itself.
   */
  readonly ownChecks?: readonly string[]
}

/** What of a gate can be chosen where its place is known. */
export type GateChoices = Partial<Omit<PolicyGateOptions, 'workFolder' | 'sandbox'>>

export const gateChoiceKeys = optionKeys<GateChoices>()(
  'rules approval mode keep homeFolder writableFolders protect isForOneCall canBeMadeAgain ownChecks',
)

export const policyGateKeys: OptionKeys<PolicyGateOptions> = {
  ...gateChoiceKeys,
  workFolder: 'needed',
  rules: 'needed',
  approval: 'needed',
  sandbox: 'needed',
}
