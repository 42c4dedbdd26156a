export { type CommandReport, examineScript, gateByApproval, type ScriptReport } from './examine.ts'
export { policyGate } from './policy-gate.ts'
export { gateChoices, type GateChoices, type PolicyGateOptions } from './context.ts'
export { approvalPolicies } from '../../ports/gate.ts'
export { type ApprovalPolicy, asksForUnknown, nameOfPolicy } from './objections.ts'
export { findGuardedWord } from './built-in-rules/own-commands.ts'
export { explain, explainMatch } from './explain/explain.ts'

export {
  loadRules,
  readRules,
  type LoadedRules,
  type RuleFileLocation,
  type RuleProblem,
} from './rules/read-rules.ts'
export { hostExecutable, parseRules, pathRule, prefixRule } from './rules/make-rule.ts'
export type { PolicyRule, PrefixRule, RuleLayer } from './rules/rule.ts'
export { checkOutput, matchPrefixRules, policyOf, type CheckOutput } from './rules/match-prefix-rules.ts'
