/** Options of a policy that can never decide, as a sentence for the user who wrote them. */
import { nearest } from '../../base/index.ts'

/** @param checks names of the required checks */
export function problemOfQuorum(options: unknown, checks: readonly string[]): string | undefined {
  const atLeast = fieldOf(options, 'atLeast')
  if (typeof atLeast !== 'number' || !Number.isInteger(atLeast) || atLeast < 1)
    return `quorum: atLeast is ${formatValue(atLeast)}; give a whole number of checks, 1 or more`
  if (atLeast <= checks.length) return undefined
  return `quorum: atLeast is ${atLeast}, and there are ${checks.length} required checks; give ${checks.length} or less, or add checks`
}

/** @param checks names of the required checks */
export function problemOfWeights(options: unknown, checks: readonly string[]): string | undefined {
  const threshold = fieldOf(options, 'threshold')
  if (typeof threshold !== 'number' || !(threshold > 0 && threshold <= 1))
    return `weightedScore: threshold is ${formatValue(threshold)}; give a number above 0, up to 1`
  const weights = fieldOf(options, 'weights')
  if (weights === undefined) return undefined
  if (typeof weights !== 'object' || weights === null || Array.isArray(weights))
    return `weightedScore: weights is ${formatValue(weights)}; give an object such as { "npm test": 2 }`
  const [wrong] = Object.entries(weights).flatMap(([check, weight]) => problemOfWeight(check, weight, checks))
  return wrong
}

function problemOfWeight(check: string, weight: unknown, checks: readonly string[]): readonly string[] {
  if (!checks.includes(check)) {
    const near = nearest(check, checks)
    const hint =
      near === undefined ? `the checks are ${checks.join(', ') || 'none'}` : `did you mean "${near}"?`
    return [`weightedScore: weights names "${check}", which is not a required check; ${hint}`]
  }
  const isWeight = typeof weight === 'number' && weight >= 0 && Number.isFinite(weight)
  return isWeight ? [] : [`weightedScore: the weight of "${check}" is ${formatValue(weight)}; give 0 or more`]
}

function fieldOf(options: unknown, name: string): unknown {
  return typeof options === 'object' && options !== null ? Reflect.get(options, name) : undefined
}

function formatValue(value: unknown): string {
  const text: unknown = JSON.stringify(value)
  return value === undefined || typeof text !== 'string' ? 'not given' : text
}
