import { UsageError } from '@donecheck/engine/base'
import { nearest } from '@donecheck/core/base'
import { runVariable } from '@donecheck/engine/process'
import { configKeys, parseConfig, textKeys, type Config } from './schema.ts'

/** Where a fleet is, and who its workers are to hosts of repositories. */
const fleetVariables = ['DONECHECK_FLEET', 'DONECHECK_GIT_CREDENTIALS']

/** Variables with that prefix that are not keys of the configuration: what we have started carries the last one. */
const otherVariables = ['DONECHECK_API_KEY', ...fleetVariables, runVariable]

/**
 * `DONECHECK_MAX_TOKENS` → `maxTokens`. Numbers, booleans, lists and tables are written as in JSON. An empty variable is
 * taken as not set.
 */
export function configFromEnvironment(environment: Readonly<Record<string, string | undefined>>): Config {
  const given: Record<string, unknown> = {}
  for (const [variable, value] of Object.entries(environment)) {
    const isOurs = variable.startsWith('DONECHECK_') && !otherVariables.includes(variable)
    if (!isOurs || value === undefined || value === '') continue
    const key = keyOf(variable)
    given[key] = isText(key, value) ? value : parseValue(value)
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

/** Keys whose values are lines, or lists of them. */
const lineKeys = ['until', 'checks', 'heldOut']

/** A command such as `true` is a text, although it reads as JSON. */
function isText(key: string, value: string): boolean {
  return textKeys.includes(key) || (lineKeys.includes(key) && !value.trimStart().startsWith('['))
}

/** `maxTokens` → `DONECHECK_MAX_TOKENS`. */
export function variableOf(key: string): string {
  return `DONECHECK_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
}

function parseValue(value: string): unknown {
  try {
    return JSON.parse(value) as unknown
  } catch {
    return value
  }
}
