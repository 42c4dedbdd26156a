import type { Ending, Outcome, ToolUse } from '../records.ts'
import { detailsOf, isPlainObject, textOf } from '../values.ts'
import { processActionOf } from './call-kinds.ts'
import { classicStableJson } from './classic-stable-json.ts'
import { textOfError } from './errors.ts'
import { pollOutcome } from './poll-outcome.ts'
import { sha256 } from './sha256.ts'

/** Undefined: nothing is recorded. Only `process` has a hash of its own; `exec` counts with all its details. */
export function classicOutcome(use: ToolUse, ending: Ending): Outcome | undefined {
  if ('error' in ending && ending.error !== undefined) {
    return { resultHash: `error:${digest(textOfError(ending.error, classicStableJson))}` }
  }
  const result = 'result' in ending ? ending.result : undefined
  if (result === undefined) return undefined
  if (!isPlainObject(result)) return { resultHash: digest(result) }
  const details = detailsOf(result)
  const text = textOf(result)
  const action = processActionOf(use)
  return { resultHash: digest(action === undefined ? { details, text } : pollOutcome(action, details, text)) }
}

function digest(value: unknown): string {
  return sha256(classicStableJson(value))
}
