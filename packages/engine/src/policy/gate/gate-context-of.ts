import { isAbsolute, resolve } from 'node:path'
import { UsageError, realPathsOnce } from '../../base/index.ts'
import type { GateDecision } from '../../ports/gate.ts'
import type { ProtectOptions } from '../../analysis/protect/index.ts'
import type { LearnedRules } from './answers/learned-rules.ts'
import { checkApprovalPolicy, type ApprovalPolicy } from './approval-policy.ts'
import { compilePolicy, type CompiledPolicy } from './decide/policy.ts'
import { settle } from './decide/settle.ts'
import type { GateContext } from './decide/gate-context.ts'
import type { Examined } from './examine.ts'
import type { PolicyGateOptions } from './gate-options.ts'

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

/** What follows from all that was found, under this approval policy. */
export function gateDecisionOf(examined: Examined, approval: ApprovalPolicy): GateDecision {
  const { objections, matches, whenFine, isLeaving, amendment } = examined
  const settled = settle(objections, approval, whenFine)
  return {
    ...settled,
    ...(settled.kind === 'allow' && examined.isOwnCheck === true && { isOwnCheck: true as const }),
    ...(matches.length > 0 && { matches }),
    ...(settled.kind === 'prompt' && amendment !== undefined && { amendment }),
    ...(settled.kind !== 'forbidden' && isLeaving && { outsideSandbox: true as const }),
  }
}
