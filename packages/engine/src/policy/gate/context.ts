import type { SandboxDescription } from '@donecheck/core/internal/events'
import { isAbsolute, resolve } from 'node:path'
import type { ProtectOptions } from '../../analysis/protect/index.ts'
import { z } from 'zod'
import { type OptionShape, realPathsOnce, UsageError, given } from '../../base/index.ts'
import { functionShape } from '../../ports/options.ts'
import type { CommandLocation } from './built-in-rules/file-location.ts'
import { type CompiledPolicy, compilePolicy } from './decide/policy.ts'
import { type ApprovalPolicy, checkApprovalPolicy } from './objections.ts'
import type { PolicyRule, PrefixRule } from './rules/rule.ts'
import type { GateRequest, Approval, Amendment } from '../../ports/gate.ts'

export interface PolicyGateOptions {
  readonly workFolder: string
  /** Of all layers; the built-in rules always apply. */
  readonly rules: readonly PolicyRule[]
  readonly approval: ApprovalPolicy
  readonly sandbox: Pick<SandboxDescription, 'isConfined'>
  /** `shadow` allows everything and records what would be decided. Default: `on`. */
  readonly mode?: 'on' | 'shadow'
  /** Stores answers in the user's rule file. Default: rules last as long as the gate. */
  readonly keep?: { readonly file: string }
  /** Absolute; null if unknown. */
  readonly homeFolder?: string | null
  /** Absolute; besides the work folder and temporary folders, commands may write here without a question. */
  readonly writableFolders?: readonly string[]
  /** Files that decide whether the work is done; dishonest changes of them are refused. */
  readonly protect?: Partial<ProtectOptions>
  /** Skips slow loading and rule proposals: the gate is used once. */
  readonly isForOneCall?: boolean
  /** Whether a path can be regenerated, so that a sandbox deletes it without asking. Default: no path. */
  readonly canBeMadeAgain?: (absolutePath: string) => boolean
  /** Check lines, which the agent may run exactly as they are, unless a rule or approval `all` objects. */
  readonly ownChecks?: readonly string[]
}

/** Options of a gate without its location. */
export type GateChoices = Partial<Omit<PolicyGateOptions, 'workFolder' | 'sandbox'>>

const texts = z.array(z.string())

export const policyGateOptions = z.strictObject<OptionShape<PolicyGateOptions>>({
  workFolder: z.string(),
  rules: z.array(z.looseObject({})),
  approval: z.union([z.string(), z.looseObject({})]),
  sandbox: z.looseObject({ isConfined: z.boolean() }),
  mode: z.string().optional(),
  keep: z.looseObject({ file: z.string() }).optional(),
  homeFolder: z.string().nullish(),
  writableFolders: texts.optional(),
  protect: z.partialRecord(z.enum(['protect', 'mayChange', 'checkCommands', 'scripts']), texts).optional(),
  isForOneCall: z.boolean().optional(),
  canBeMadeAgain: functionShape.optional(),
  ownChecks: texts.optional(),
})
export const gateChoices = policyGateOptions.omit({ workFolder: true, sandbox: true }).partial()

export interface GateContext {
  readonly policy: CompiledPolicy
  readonly approval: ApprovalPolicy
  readonly isConfined: boolean
  /** Unknown commands are left to the caller's permissions. */
  readonly leavesUnknown?: boolean
  readonly isForOneCall?: boolean
  readonly protect: ProtectOptions
  readonly place: CommandLocation
  /** Prefixes that a user lets out of the sandbox for this session. */
  readonly mayLeave: readonly (readonly string[])[]
  readonly writableFolders: readonly string[]
  readonly canBeMadeAgain: (absolutePath: string) => boolean
  readonly ownChecks: readonly string[]
}

/** @throws {UsageError} for invalid options */
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
    // Learning a rule creates another list.
    if (policy?.rules !== rules.all()) policy = compilePolicy(rules.all())
    const now = { ...place, realPath: realPathsOnce() }
    return { ...settings, place: now, isForOneCall, policy, mayLeave: rules.mayLeave() }
  }
}

interface LearnedRules {
  all(): readonly PolicyRule[]
  mayLeave(): readonly (readonly string[])[]
  /** Applies at once, and is stored if there is a file. @throws if it cannot be stored */
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
      // A stored rule never leaves the sandbox: the next session asks again.
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
