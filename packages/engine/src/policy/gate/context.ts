import type { SandboxDescription } from '@donecheck/core/internal/events'
import { isAbsolute, resolve } from 'node:path'
import type { ProtectOptions } from '../../analysis/protect/index.ts'
import { optionKeys, type OptionKeys, realPathsOnce, UsageError, given } from '../../base/index.ts'
import type { CommandLocation } from './built-in-rules/file-location.ts'
import { type CompiledPolicy, compilePolicy } from './decide/policy.ts'
import { type ApprovalPolicy, checkApprovalPolicy } from './objections.ts'
import type { PolicyRule, PrefixRule } from './rules/rule.ts'
import type { GateRequest, Approval, Amendment } from '../../ports/gate.ts'

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

/** What every request is looked at with. @throws {UsageError} for options that cannot be meant */
export function gateContextOf(options: PolicyGateOptions, rules: LearnedRules): () => GateContext {
  const { homeFolder = null, writableFolders = [] } = options
  const { canBeMadeAgain = () => false, isForOneCall = false, ownChecks = [] } = options
  if (!isAbsolute(options.workFolder))
    throw new UsageError(`the work folder of a gate must be absolute, not "${options.workFolder}"`)
  const workFolder = resolve(options.workFolder)
  const protect: ProtectOptions = { protect: [], mayChange: [], checkCommands: [], ...options.protect }
  const approval = checkApprovalPolicy(options.approval)
  const { isConfined } = options.sandbox
  const place = { workFolder, folder: workFolder, homeFolder }
  const settings = {
    ...{ approval, isConfined, protect, canBeMadeAgain, writableFolders },
    ownChecks,
  }
  let policy: CompiledPolicy | undefined
  return () => {
    // Rules that were learned are another list.
    if (policy?.rules !== rules.all()) policy = compilePolicy(rules.all())
    const now = { ...place, realPath: realPathsOnce() }
    return { ...settings, place: now, isForOneCall, policy, mayLeave: rules.mayLeave() }
  }
}

interface LearnedRules {
  /** Another list as soon as there is a further rule. */
  all(): readonly PolicyRule[]
  /** Prefixes that may run outside of the sandbox, for this session. */
  mayLeave(): readonly (readonly string[])[]
  /**
   * Effective at once, and kept where there is a file for it.
   * @throws where it could not be kept; it is effective all the same
   */
  keep(request: GateRequest, approval: Approval, amendment: Amendment): Promise<void>
}

export function learnedRules(given: readonly PolicyRule[], file: string | undefined): LearnedRules {
  let rules = given
  let leaving: readonly (readonly string[])[] = []
  return {
    all: () => rules,
    mayLeave: () => leaving,
    async keep({ action }, { approved }, { prefix }) {
      const rule = ruleOf(prefix, approved, file)
      if (rule === undefined) return
      rules = [...rules, rule]
      // A rule of a file never leaves the sandbox: for that a person is asked again in the next session.
      if (approved && action?.kind === 'command' && action.escalation !== undefined)
        leaving = [...leaving, prefix]
      if (file === undefined) return
      const { appendAmendment } = await import('./rules/read-rules.ts')
      await appendAmendment(file, { prefix, decision: rule.decision })
    },
  }
}

function ruleOf(
  prefix: readonly string[],
  approved: boolean,
  file: string | undefined,
): PrefixRule | undefined {
  const [first, ...rest] = prefix.map((word) => [word] as const)
  if (first === undefined) return undefined
  return {
    kind: 'prefix',
    pattern: [first, ...rest],
    decision: approved ? 'allow' : 'forbidden',
    source: { layer: 'user', ...given({ file }) },
    match: [],
    notMatch: [],
  }
}
