/** What may run without asking. */
export { gateByApproval } from './gate-by-approval.ts'
export type { ApprovalMode } from './gate-by-approval.ts'
export { policyGate } from './policy-gate.ts'
export type { PolicyGate } from './policy-gate.ts'
export type { PolicyGateOptions } from './gate-options.ts'
export { approvalPolicies } from '../gate-ports.ts'
export { asksForUnknown, checkedApprovalPolicy, nameOfPolicy } from './approval-policy.ts'
export type { ApprovalPolicy, Granularity, QuestionKind } from './approval-policy.ts'
export { examineScript } from './examine-script.ts'
export type { CommandReport, ScriptReport } from './examine-script.ts'
export { explain, explainMatch } from './explain/explain.ts'
export { floorRules } from './floor/match-floor.ts'
export type { FloorRule } from './floor/floor-rule.ts'
export { isHarmless as onlyReads } from './harmless/harmless-commands.ts'
export { lintRules } from './lint/lint-rules.ts'
export type { LintFinding, LintKind } from './lint/lint-finding.ts'

/** Rules: in files, in TypeScript, in configuration. */
export { readRules } from './rules/read-rules.ts'
export type { InvalidRules, ReadOptions, ReadRules } from './rules/read-rules.ts'
export { loadRules } from './rules/load-rules.ts'
export type { LoadedRules, RulePlace, RuleProblem } from './rules/load-rules.ts'
export { parseRules } from './rules/parse-rules.ts'
export type { InvalidRuleList, ParsedRules } from './rules/parse-rules.ts'
export { hostExecutable, networkRule, pathRule, prefixRule } from './rules/typed-rules.ts'
export type {
  ExampleInput,
  HostExecutableInput,
  NetworkRuleInput,
  PathRuleInput,
  PatternInput,
  PrefixRuleInput,
} from './rules/typed-rules.ts'
export type {
  ArgumentPredicate,
  HostExecutable,
  NetworkRule,
  PathRule,
  PatternToken,
  PolicyRule,
  PrefixMatch,
  PrefixRule,
  RuleDecision,
  RuleLayer,
  RuleSource,
} from './rules/rule.ts'
export { policyOf } from './rules/match/policy.ts'
export type { Policy } from './rules/match/policy.ts'
export { decisionOf, matchPrefixRules } from './rules/match/match-prefix-rules.ts'
export type { MatchOptions } from './rules/match/match-prefix-rules.ts'
export { checkOutput } from './rules/check-output.ts'
export type { CheckedMatch, CheckOutput } from './rules/check-output.ts'
export { appendAmendment } from './rules/amend/append-amendment.ts'
export type { Appended } from './rules/amend/append-amendment.ts'
export type { AmendmentRule } from './rules/amend/rule-line.ts'
export { isTooGeneral, proposeAmendment } from './rules/amend/propose-amendment.ts'
export type { ProposalOptions } from './rules/amend/propose-amendment.ts'
