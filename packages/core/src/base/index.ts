/** What the facts are written with: canonical JSON, text for a screen, the words of the gate. */
export { canonicalJson } from './canonical-json.ts'
export { amounts, bounds, capNames, capTable, everyAmount, everyCap, isWhole, typedName } from './caps.ts'
export type { Amount, Bound, CapKey, CapName, Caps } from './caps.ts'
export { firstLines, harmless, oneLine, plural, seconds, thousands } from './display-text.ts'
export { familyOf } from './model-family.ts'
export { gateKinds, gateSeverity } from './gate-kinds.ts'
export type { GateKind } from './gate-kinds.ts'
export { nearest } from './nearest.ts'
export {
  breakerCountChoices,
  checkKinds,
  combinationKinds,
  completeWhenChoices,
  repeatCountChoices,
  ruleModes,
  sandboxChoices,
  sandboxDrivers,
  undecidedChoices,
  verifyWhenChoices,
} from './setting-choices.ts'
export type {
  BreakerCount,
  CheckKind,
  CompleteWhen,
  RepeatCount,
  RuleMode,
  SandboxChoice,
  SandboxDriver,
  UndecidedReplies,
  VerifyWhen,
} from './setting-choices.ts'
