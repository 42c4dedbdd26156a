/** What may run without asking. */
export { gateByApproval } from './gate-by-approval.ts'
export { policyGate } from './policy-gate.ts'
export { gateChoiceKeys, type GateChoices, type PolicyGateOptions } from './gate-options.ts'
export { approvalPolicies } from '../../ports/gate.ts'
export { asksForUnknown, nameOfPolicy, type ApprovalPolicy } from './approval-policy.ts'
export { findGuardedWord } from './built-in-rules/own-commands.ts'
export { examineScript, type CommandReport, type ScriptReport } from './examine-script.ts'
export { explain, explainMatch } from './explain/explain.ts'

/** Rules: in files, in TypeScript, in configuration. */
export { readRules } from './rules/read-rules.ts'
export { loadRules, type LoadedRules, type RuleFileLocation, type RuleProblem } from './rules/load-rules.ts'
export { parseRules } from './rules/parse-rules.ts'
export { hostExecutable, pathRule, prefixRule } from './rules/typed-rules.ts'
export type { PolicyRule, PrefixRule, RuleLayer } from './rules/rule.ts'
export { matchPrefixRules, policyOf } from './rules/match/match-prefix-rules.ts'
export { checkOutput, type CheckOutput } from './rules/check-output.ts'
