import { UsageError } from '../errors.ts'
import { configKeys, nearest, parseConfig, type Config } from './schema.ts'

/** Variables with that prefix that are not keys of the configuration. */
const otherVariables = ['DONECHECK_API_KEY']

/** `DONECHECK_MAX_TOKENS` → `maxTokens`. A value that reads as JSON is taken as such, any other as text. */
export function configFromEnvironment(environment: Readonly<Record<string, string | undefined>>): Config {
  const given: Record<string, unknown> = {}
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith('DONECHECK_') || otherVariables.includes(variable) || value === undefined)
      continue
    given[keyOf(variable)] = read(value)
  }
  return parseConfig(given, 'environment')
}

function keyOf(variable: string): string {
  const key = configKeys.find((candidate) => variableOf(candidate) === variable)
  if (key !== undefined) return key
  const near = nearest(variable, configKeys.map(variableOf))
  throw new UsageError(
    `environment: unknown variable ${variable}${near === undefined ? '' : `; did you mean ${near}?`}`,
  )
}

function variableOf(key: string): string {
  return `DONECHECK_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

function read(value: string): unknown {
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}
