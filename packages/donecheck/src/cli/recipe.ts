import { parseConfig, type Config } from '../config/index.ts'
import type { JsonValue } from '../events/index.ts'

/** What only matters to the process that runs, not to the run. */
const passing: readonly (keyof Config)[] = ['store', 'outputFormat', 'workdir', 'allowConcurrent']

/** The configuration as it is recorded with the run: the agent cannot change it, and resume needs nothing else. */
export function recipeOf(config: Config): JsonValue {
  const kept = Object.entries(config).filter(([key]) => !passing.some((name) => name === key))
  return JSON.parse(JSON.stringify(Object.fromEntries(kept))) as JsonValue
}

/** @throws {UsageError} when the run was not started by this command */
export function configFromRecipe(recipe: JsonValue, runId: string): Config {
  return parseConfig(recipe ?? {}, `the record of run ${runId}`)
}
