/** What the gate, rules and hooks said of a call. */
export {
  amendmentScopes,
  gateKinds,
  gateSeverity,
  hookEffects,
  hookPoints,
  isReportedAtOnce,
  refusalLabels,
} from './gate-kinds.ts'
export type { AmendmentScope, GateKind, HookEffect, HookPoint, RefusalLabel } from './gate-kinds.ts'
