export { canonicalJson, type JsonValue, type Recorded } from './json.ts'
export { firstLines, harmless, line, oneLine, plural, seconds, thousands, familyOf, nearest } from './text.ts'
export type { Line, Tone } from './text.ts'
export {
  askChoices,
  combinationKinds,
  completeWhenChoices,
  ruleModes,
  sandboxChoices,
  sandboxDrivers,
  undecidedChoices,
  verifyWhenChoices,
  type CompleteWhen,
  type RuleMode,
  type SandboxChoice,
  type VerifyWhen,
} from './setting-choices.ts'
