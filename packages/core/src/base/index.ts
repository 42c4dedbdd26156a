/** What the facts are written with: canonical JSON, text for a screen, closed lists of settings. */
export { canonicalJson, type JsonValue, type Recorded } from './json.ts'
export { firstLines, harmless, oneLine, plural, seconds, thousands, familyOf, nearest } from './text.ts'
export {
  askChoices,
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
  type BreakerCount,
  type CheckKind,
  type CompleteWhen,
  type RepeatCount,
  type RuleMode,
  type SandboxChoice,
  type SandboxDriver,
  type UndecidedReplies,
  type VerifyWhen,
} from './setting-choices.ts'
