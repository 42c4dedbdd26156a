export { codeOf, CorruptEventError, messageOf, RunHeldError, StoreError, UsageError } from './errors.ts'
export { distrustSettings, distrustWords, gitEnvironment } from './distrusted-git.ts'
export { assertShape, explainIssue } from './explain-issue.ts'
export { type Fence, fenceAround, sha256 } from './sha256.ts'
export { given, isJsonList, jsonOf, readJson } from './values.ts'
export { randomNumbers, wilsonInterval, type Interval } from './intervals.ts'
export { assertKnownKeys, assertText, optionKeys, suggestKey, type OptionKeys } from './option-keys.ts'
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
