import type { FindingEvidence, TestCase, Verdict } from '@donecheck/core/internal/events/verdicts'
import type { Outcome } from '@donecheck/core/internal/events/transitions'
import type { VerifierDescription } from '@donecheck/core/internal/events/settings'
import { stripVTControlCharacters } from 'node:util'

export interface CheckedReport {
  /** Last verdict of every check, in display order. */
  readonly verdicts: readonly Verdict[]
  readonly verifiers?: readonly VerifierDescription[]
  readonly outcome?: Outcome
  readonly version: string
}

/** `broken`: undecided or waiting. `left-out`: has no vote (skipped, shadow, waived or optional). */
type CheckResult = 'passed' | 'failed' | 'broken' | 'left-out'

export function checkResultOf(verdict: Verdict, { verifiers = [] }: CheckedReport): CheckResult {
  if (verdict.status === 'passed') return 'passed'
  const isOptional = verifiers.some(({ name, required }) => name === verdict.verifier && !required)
  const isOut = verdict.qualifiers.includes('shadow') || verdict.qualifiers.includes('waived')
  if (isOptional || isOut || verdict.status === 'skipped') return 'left-out'
  return verdict.status === 'failed' ? 'failed' : 'broken'
}

/** Such as `failed (flaky, cached)`. */
export function statusWords({ status, qualifiers }: Verdict): string {
  return qualifiers.length === 0 ? status : `${status} (${qualifiers.join(', ')})`
}

export interface Placed {
  readonly path: string
  readonly line?: number
}

/** Undefined if the location is outside the work folder. */
export function placeOf(path: string | undefined, line: number | undefined): Placed | undefined {
  const relative = path === undefined ? undefined : relativePath(path)
  if (relative === undefined) return undefined
  const isLine = line !== undefined && Number.isSafeInteger(line) && line > 0
  return isLine ? { path: relative, line } : { path: relative }
}

export function findingsOf({ evidence }: Verdict): readonly FindingEvidence[] {
  return evidence.filter((entry) => entry.kind === 'finding')
}

export function failedTestsOf({ evidence }: Verdict): readonly TestCase[] {
  return evidence.flatMap((entry) => (entry.kind === 'tests' ? entry.failed : []))
}

/** The `donecheck.config` entry that waives the finding, or who has waived it. */
export function waiverWords({ rule, path, waiver }: FindingEvidence): string {
  if (waiver !== undefined)
    return `Waived by ${plainLine(waiver.by, 100)} until ${plainLine(waiver.until, 20)}: ${plainLine(waiver.reason, 500)}`
  const place = path === undefined ? '' : `path: ${quoteText(path)}, `
  const entry = `{ rule: ${quoteText(rule)}, ${place}by: "…", until: "YYYY-MM-DD", reason: "…" }`
  return `To let it pass until a day: waive: [${entry}] in donecheck.config`
}

function quoteText(text: string): string {
  return JSON.stringify(plainLine(text, 300))
}

// C0 without tab and line feed, DEL, C1, bidirectional marks and noncharacters.
const notPlain =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/g

/** Removes escape sequences and control characters except tab and line feed; the result is valid XML 1.0. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(notPlain, '')
    .toWellFormed()
}

/** @param maxLength UTF-16 units */
export function plainLine(text: string, maxLength: number): string {
  const line = plainText(text).replace(/\s+/g, ' ').trim()
  // Cutting a surrogate pair leaves half of it.
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1).toWellFormed()}…`
}

/** Path below the folder with `/`; undefined if absolute, empty or outside. */
export function relativePath(path: string): string | undefined {
  const plain = plainText(path).replaceAll('\\', '/')
  if (/[\n\t]/.test(plain) || plain.startsWith('/') || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(plain))
    return undefined
  const parts = plain.split('/').filter((part) => part !== '' && part !== '.')
  return parts.length === 0 || parts.includes('..') ? undefined : parts.join('/')
}
