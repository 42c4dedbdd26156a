import { canonicalJson } from '../../../base/index.ts'
import { lineSketch } from '../texts/line-sketch.ts'
import { maskVolatile } from '../texts/mask-volatile.ts'
import { textHash } from '../texts/text-hash.ts'

/** Keys are left out of no longer result. */
const maxParsedLength = 256 * 1024
/** Of a longer result, a page or a log, the words in the middle are what it is about: its first and its last line say how it went. */
const maxAnswerLength = 1000
/** Characters of a line that are looked at. */
const lookedThrough = 300

/** What an edit that was made says first; what follows is the text that was written. */
const madeWords =
  /^\W*(?:the file\s.{1,300}?\s(?:has|was)\b|(?:file|patch|changes?)\s(?:created|written|applied|saved)|(?:successfully|edited|updated|created|wrote|written|saved|applied|replaced)\b)/i
/** How a page or a log ends that ends in a failure. */
const failedEnding =
  /^\s*(?:[\w.]*(?:error|exception)\b|.{0,100}\bexit(?:ed)?\s(?:with\s)?(?:code|status)\s?[1-9])/i
const failureWords =
  /\b(?:error|errors|traceback|exception|not found|no such file|failed|failure|invalid|cannot|could not|unable to|permission denied|usage:|unknown tool|please (?:re)?try)\b/i
/** A line such as `IndentationError: …`, which is all that some programs say. */
const exceptionLine = /^[\w.]*(?:Error|Exception)(?::|$)/m

/** What a result says, as rules compare it. */
export interface OutcomeReading {
  readonly outcome: string
  /** Null: it did not fail. */
  readonly failure: string | null
  /** Alike for results that say nearly the same (`saysNearlyTheSame`). */
  readonly lines: string
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
  const isFailure = failed ?? speaksOfFailure(text.trim())
  const isPlain = volatileKeys.length === 0 || text.length > maxParsedLength
  const reported = isPlain ? text : withoutKeys(text, volatileKeys)
  const outcome = textHash(`${isFailure ? 'failed' : 'ok'}\n${maskVolatile(reported, isFailure)}`)
  return { outcome, failure: isFailure ? outcome : null, lines: lineSketch(reported) }
}

function speaksOfFailure(text: string): boolean {
  if (madeWords.test(text)) return false
  if (text.length <= maxAnswerLength) return holdsFailure(text)
  const firstLine = /^[^\n]*/.exec(text.slice(0, lookedThrough))?.[0] ?? ''
  const lastLine = text.slice(Math.max(text.lastIndexOf('\n') + 1, text.length - lookedThrough))
  return holdsFailure(firstLine) || failedEnding.test(lastLine)
}

/** A count of none is good news. */
function holdsFailure(text: string): boolean {
  const reported = text.replace(/\b(?:0|no)\s{1,3}(?:failed|failures?|errors?)\b/gi, '')
  return failureWords.test(reported) || exceptionLine.test(reported)
}

function withoutKeys(text: string, keys: readonly string[]): string {
  try {
    const value: unknown = JSON.parse(text, (key, entry: unknown) => (keys.includes(key) ? undefined : entry))
    return canonicalJson(value)
  } catch {
    return text
  }
}

/** Characters that say more than that something was done. */
const enough = 80

/** How much a result says: an acknowledgement such as `ok` is the same for everything that is done, a page of text is not. */
export type AmountSaid = 'nothing' | 'little' | 'enough'

/** @param text a result; blanks around it say nothing */
export function amountSaid(text: string): AmountSaid {
  if (text.length > 4 * enough) return 'enough'
  const { length } = text.trim()
  return length === 0 ? 'nothing' : length < enough ? 'little' : 'enough'
}
