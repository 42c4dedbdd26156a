/** What every house stands on: errors, fields that are given, option keys, JSON texts, digests, intervals, real paths, how git is asked, the folder of our state. */
export { codeOf, CorruptEventError, messageOf, RunHeldError, StoreError, UsageError } from './errors.ts'
export { distrustSettings, distrustWords, gitEnvironment } from './distrusted-git.ts'
export { assertShape, explainIssue } from './explain-issue.ts'
export { fenceAround, type Fence } from './fence.ts'
export { given } from './given.ts'
export { bootstrapRatio, randomNumbers, wilsonInterval, type Interval, type RatioPart } from './intervals.ts'
export { isJsonList, jsonOf, readJson } from './json-text.ts'
export {
  assertKnownKeys,
  assertList,
  assertObject,
  assertText,
  optionKeys,
  type OptionKeys,
} from './option-keys.ts'
export { realPath, realPathsOnce } from './real-path.ts'
export { sha256 } from './sha256.ts'
export { stateHome, type HomeEnvironment } from './state-home.ts'
export { donecheckVersion } from './version.ts'
