import { UsageError } from '@donecheck/engine/base'
import { nearest } from '@donecheck/core/base'
import { runVariable } from '@donecheck/engine/process'
import { configKeys, parseConfig, textKeys, type Config } from './schema.ts'

const fleetVariables = ['DONECHECK_FLEET', 'DONECHECK_GIT_CREDENTIALS']

const otherVariables = ['DONECHECK_API_KEY', ...fleetVariables, runVariable]

/** Values are JSON except for text keys; empty variables count as unset. */
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

const lineKeys = ['until', 'checks', 'heldOut']

/** A command such as `true` is text although it is valid JSON. */
function isText(key: string, value: string): boolean {
  return textKeys.includes(key) || (lineKeys.includes(key) && !value.trimStart().startsWith('['))
}

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
