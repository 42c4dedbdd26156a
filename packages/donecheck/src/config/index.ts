export {
  configFileNames,
  configFromEnvironment,
  configFromFile,
  configSchemaPath,
  variableOf,
} from './file.ts'
export { readGoalFile, readSkill } from './readers.ts'
export { checkName, namedChecks, partBudgetForm, readPartBudget } from './goal/part-budget.ts'
export type { GoalFile } from './goal/goal-file.ts'
export type { SkillFile } from './checks/skill/skill-file.ts'
export type { Condition } from './checks/skill/condition.ts'
export { repliesOfOpenclaw } from './openclaw.ts'
export {
  configFlags,
  configKeys,
  defineConfig,
  keysOfRecords,
  mergeConfigs,
  parseConfig,
  schemaOfFile,
} from './schema.ts'
export type { Config } from './schema.ts'
export type { ConfigFlag, FlagGroup } from './keys/flag.ts'
export { toMilliseconds, waitingMs } from './keys/run.ts'
export type { CheckConfig } from './keys/checks.ts'
export { configPage, kindPage } from './page.ts'
export { readCheckFiles, verifierFor, type CheckSpec } from './checks/spec.ts'
export type { CheckParts, JudgedOptions, NamedOptions } from './checks/check-kind.ts'
