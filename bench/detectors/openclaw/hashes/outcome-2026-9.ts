import type { Ending, Outcome, ToolUse } from '../records.ts'
import { detailsOf, isPlainObject, textOf, type PlainObject } from '../values.ts'
import { processActionOf } from './call-kinds.ts'
import { textOfError, unknownToolIn } from './errors.ts'
import { execOutcome } from './exec-outcome.ts'
import { pollOutcome } from './poll-outcome.ts'
import { isSend, withoutVolatileIds } from './send-outcome.ts'
import { sha256 } from './sha256.ts'
import { stableJson } from './stable-json.ts'
import { withoutMarkIds } from './wrapper-marks.ts'

/** Undefined: nothing is recorded. */
export function outcomeOf2026(
  use: ToolUse,
  ending: Ending,
  isDockedSend: (use: ToolUse) => boolean,
): Outcome | undefined {
  if ('error' in ending && ending.error !== undefined) return failed(ending.error)
  const result = 'result' in ending ? ending.result : undefined
  if (result === undefined) return undefined
  if (!isPlainObject(result)) return { resultHash: digest(result) }
  const details = detailsOf(result)
  const isVeto = details['status'] === 'blocked' && details['deniedReason'] === 'tool-loop'
  if (isVeto) return { outcomeKind: 'tool-loop-veto' }
  return specialOutcome(use, details, textOf(result), isDockedSend)
}

function specialOutcome(
  use: ToolUse,
  details: PlainObject,
  text: string,
  isDockedSend: (use: ToolUse) => boolean,
): Outcome {
  const ofExec = use.toolName === 'exec' ? execOutcome(details, text, digest) : undefined
  if (ofExec !== undefined) return ofExec
  if (use.toolName === 'write' && details['changed'] === false) {
    return { resultHash: digest({ status: 'unchanged' }), noProgress: true }
  }
  const action = processActionOf(use)
  if (action !== undefined) return { resultHash: digest(pollOutcome(action, details, text)) }
  if (isSend(use, isDockedSend)) return { resultHash: digest(withoutVolatileIds(details)) }
  return { resultHash: digest({ details, text }) }
}

function failed(error: unknown): Outcome {
  const text = textOfError(error, stableJson)
  return { resultHash: `error:${digest(text)}`, noProgress: true, unknownToolName: unknownToolIn(text) }
}

function digest(value: unknown): string {
  return sha256(stableJson(value, withoutMarkIds))
}
