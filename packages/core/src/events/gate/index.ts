/** What the gate, rules and hooks said of a call. */
export { amendmentScopes, hookEffects, hookPoints, isReportedAtOnce, refusalLabels } from './gate-facts.ts'
export type {
  AmendmentScope,
  GateDecided,
  HookEffect,
  HookPoint,
  HookRan,
  RefusalLabel,
  RuleMatch,
  SandboxDescription,
} from './gate-facts.ts'
export { gateKinds, gateSeverity } from './gate-kinds.ts'
export type { GateKind } from './gate-kinds.ts'
