import { parseConfig, type Config } from '../config/index.ts'
import { UsageError } from '../errors.ts'
import type { JsonValue } from '../events/index.ts'

/** What only matters to the process that runs, not to the run. */
const passing: readonly (keyof Config)[] = ['store', 'outputFormat', 'workdir', 'allowConcurrent']

/** The configuration as it is recorded with the run: the agent cannot change it, and resume needs nothing else. */
export function recipeOf(config: Config): JsonValue {
  const kept = Object.entries(config).filter(([key]) => !passing.some((name) => name === key))
  return JSON.parse(JSON.stringify(Object.fromEntries(kept))) as JsonValue
}

/** @throws {UsageError} when it cannot be followed again: another program recorded it, or it holds a secret */
export function configFromRecipe(recipe: JsonValue, runId: string): Config {
  if (recipe === null)
    throw new UsageError(
      `run ${runId} was not started by this command; resume it with the program that started it`,
    )
  if (JSON.stringify(recipe).includes('[masked:'))
    throw new UsageError(
      `the command lines of run ${runId} held a secret, which is not kept: start a new run, with secrets in the environment instead of the line`,
    )
  return parseConfig(recipe, `the record of run ${runId}`)
}
