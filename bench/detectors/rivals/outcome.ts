import type { CallStep } from '../detector.ts'

/** Whether the call failed. Where the source does not say, a result that begins as an error message does counts as one. */
export function hasFailed({ isError, result }: CallStep): boolean {
  return isError ?? (result !== null && /^\s*(error\b|\{"error")/i.test(result))
}

/** One text for the call without regard to the order of its arguments. */
export function callKey({ tool, argsDigest }: CallStep): string {
  return `${tool}:${argsDigest}`
}

/**
 * The same for rivals that compare `JSON.stringify` of the arguments: another order of keys is another call. The digest
 * stands beside it because recorded arguments may be cut. They hash this text; equality is the same without.
 */
export function orderedCallKey({ tool, args, argsDigest }: CallStep): string {
  return `${tool}:${JSON.stringify(args)}:${argsDigest}`
}
