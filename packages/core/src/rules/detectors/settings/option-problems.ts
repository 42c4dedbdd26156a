/** What is wrong with what a user has written: what it was, and what was probably meant. */
import { nearest } from '../../../base/index.ts'
import type { ToolTraits } from '../../../events/settings/index.ts'

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value as it can stand in a sentence. */
export function formatOutcome(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return `${value}`
  const hasJson = typeof value === 'string' || typeof value === 'boolean' || typeof value === 'object'
  return hasJson ? JSON.stringify(value) : `a ${typeof value}`
}

/** @param what the names are names of, such as `detector` */
export function problemOfNames(
  what: string,
  names: readonly string[],
  known: readonly string[],
): string | undefined {
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return undefined
  const near = nearest(unknown, known)
  const way = near === undefined ? `there are: ${known.join(', ')}` : `did you mean "${near}"?`
  return `there is no ${what} "${unknown}" of loop detection; ${way}`
}

const flags = ['poll', 'readOnly', 'mutating', 'idempotent'] as const satisfies readonly (keyof ToolTraits)[]
const keyLists = ['volatileArguments', 'volatileResults'] as const satisfies readonly (keyof ToolTraits)[]

/** Undefined: nothing is wrong with them. */
export function problemOfTools(tools: Readonly<Record<string, ToolTraits>> | undefined): string | undefined {
  if (tools === undefined) return undefined
  const given: unknown = tools
  if (!isObject(given))
    return `tools must be an object such as { read_file: { readOnly: true } }, not ${formatOutcome(given)}`
  return Object.entries(tools)
    .map(([tool, traits]) => problemOfTraits(`tools.${tool}`, traits))
    .find((problem) => problem !== undefined)
}

function problemOfTraits(place: string, traits: unknown): string | undefined {
  if (!isObject(traits))
    return `${place} must be an object such as { readOnly: true }, not ${formatOutcome(traits)}`
  const unknown = problemOfNames(`trait (${place})`, Object.keys(traits), [...flags, ...keyLists])
  if (unknown !== undefined) return unknown
  for (const [trait, value] of Object.entries(traits)) {
    const problem = problemOfTrait(trait, value)
    if (problem !== undefined) return `${place}.${trait} must be ${problem}, not ${formatOutcome(value)}`
  }
  return traits['readOnly'] === true && traits['mutating'] === true
    ? `${place} cannot be readOnly and mutating at once: leave one of them out`
    : undefined
}

function problemOfTrait(trait: string, value: unknown): string | undefined {
  const isFlag = flags.some((flag) => flag === trait)
  if (isFlag) return typeof value === 'boolean' ? undefined : 'true or false'
  const isKeys = Array.isArray(value) && value.every((key) => typeof key === 'string')
  return isKeys ? undefined : 'a list of keys such as ["requestId"]'
}
