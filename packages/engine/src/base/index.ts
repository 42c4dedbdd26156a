export { codeOf, CorruptEventError, messageOf, RunHeldError, StoreError, UsageError } from './errors.ts'
export { distrustSettings, distrustWords, gitEnvironment } from './distrusted-git.ts'
export { assertShape, explainIssue, suggestKey } from './explain-issue.ts'
export { type Fence, fenceAround, sha256 } from './sha256.ts'
export { given, isJsonList, jsonOf, readJson } from './values.ts'
export { randomNumbers, wilsonInterval, type Interval } from './intervals.ts'
export {
  assertKnownKeys,
  assertOptions,
  assertText,
  optionKeys,
  type OptionKeys,
  type OptionShape,
} from './option-keys.ts'
export {
  type HomeEnvironment,
  realPath,
  realPathsOnce,
  roomPlaces,
  scratchPlace,
  stateHome,
} from './paths.ts'
export { donecheckVersion } from './version.ts'
export { withinTime } from './within-time.ts'
