import { canonicalJson } from '../../canonical-json.ts'
import { maskedHash } from './mask-volatile.ts'
import { textHash } from './text-hash.ts'

/** Longer results are compared as they are: a text of that length differs in more than its times. */
const longestMasked = 256 * 1024
/** Characters of a result that are looked at for words of failure. */
const lookedThrough = 4000

const failureWords =
  /\b(?:error|errors|traceback|exception|not found|no such file|failed|failure|invalid|cannot|could not|unable to|permission denied|usage:|unknown tool)\b/i

/** What a result says, as rules compare it. */
export interface OutcomeReading {
  readonly outcome: string
  /** Null: it did not fail. */
  readonly failure: string | null
}

/**
 * @param failed null: the source does not say; then the words of the result decide, and only how coarsely it is compared
 *   depends on it
 * @param volatileKeys of a JSON result that mean nothing
 */
export function readOutcome(
  text: string,
  failed: boolean | null,
  volatileKeys: readonly string[] = [],
): OutcomeReading {
  const isFailure = failed ?? speaksOfFailure(text.slice(0, lookedThrough))
  const isPlain = volatileKeys.length === 0 || text.length > longestMasked
  const told = isPlain ? text : withoutKeys(text, volatileKeys)
  const front = isFailure ? 'failed\n' : 'ok\n'
  const outcome = told.length > longestMasked ? textHash(front + told) : maskedHash(front, told, isFailure)
  return { outcome, failure: isFailure ? outcome : null }
}

/** A count of none is good news. */
function speaksOfFailure(text: string): boolean {
  return failureWords.test(text.replace(/\b(?:0|no)\s{1,3}(?:failed|failures?|errors?)\b/gi, ''))
}

function withoutKeys(text: string, keys: readonly string[]): string {
  try {
    const value: unknown = JSON.parse(text, (key, entry: unknown) => (keys.includes(key) ? undefined : entry))
    return canonicalJson(value)
  } catch {
    return text
  }
}
