/** What a user says of his tools, looked at before it is believed. */
import type { ToolTraits } from '../../../events/settings/index.ts'
import { isObject, problemOfNames, formatOutcome } from './custom-outcome.ts'

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
