import { UsageError, type OptionKeys } from '../../../../base/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import type { Verifier, VerifierReport } from '../../../../ports/checks.ts'
import { type VerifierOptions, verifierKeys } from '../../reports/describe-verifier.ts'
import { undecidedReport } from '../../reports/undecided.ts'
import { verifierBy, type UserVerifier } from '../../reports/verifier-of.ts'
import { readSource } from './read-source.ts'
import { inputsOf, readsOf, showSource, sourceOf, type TextSource } from './source.ts'
import { withinTime } from './within-time.ts'

export interface SourceCheckOptions extends VerifierOptions {
  /** Default: what is checked, in words. */
  readonly name?: string
  /** Default: the answer. */
  readonly source?: TextSource
  /** Matching and comparing that takes longer is broken off: `error`. Nothing else runs meanwhile. Default 1 000. */
  readonly matchTimeoutMs?: number
}

export const sourceCheckKeys: OptionKeys<SourceCheckOptions> = {
  ...verifierKeys,
  name: true,
  source: true,
  matchTimeoutMs: true,
}

export interface SourceCheck {
  /** What is checked, in words, such as `contains "done"`; the source is added. */
  readonly title: string
  /** Kind and options as JSON; undefined where a function of the user is among them. */
  readonly definition: JsonValue | undefined
  readonly options: SourceCheckOptions
  /** Looks at what was read. Time-bound, so it must not wait for anything. */
  readonly judge: (value: unknown, label: string) => VerifierReport
}

/** A verifier over one source: reads it, judges it within the time bound, and adds what was read to the evidence. */
export function sourceCheck(check: SourceCheck): Verifier {
  const { title, definition, options, judge } = check
  const source = sourceOf(options.source)
  const matchTimeoutMs = matchTimeoutOf(options)
  const ask: UserVerifier = async (context, signal) => {
    const read = await readSource(source, context, signal)
    if (read.kind === 'not-read') return read.report
    const judged = withinTime(matchTimeoutMs, () => judge(read.value, showSource(source)))
    const report = judged.kind === 'done' ? judged.value : tooSlow(title, matchTimeoutMs)
    return { ...report, evidence: [...read.evidence, ...report.evidence] }
  }
  const inputs = inputsOf(source, definition)
  return {
    ...verifierBy(nameOf(title, source, options), ask, {
      ...options,
      looksAt: 'work-folder',
      reads: readsOf(source),
    }),
    ...(inputs === undefined ? {} : { inputs }),
  }
}

/** The name that the user gave, or the title and the source. */
export function nameOf(title: string, source: TextSource, { name }: SourceCheckOptions): string {
  return name ?? `${title}, in ${showSource(source)}`
}

/** @throws {UsageError} for a bound that no match could keep */
export function matchTimeoutOf({ matchTimeoutMs = 1000 }: SourceCheckOptions): number {
  if (Number.isInteger(matchTimeoutMs) && matchTimeoutMs > 0 && matchTimeoutMs <= 60_000)
    return matchTimeoutMs
  throw new UsageError(
    `matchTimeoutMs is ${matchTimeoutMs}; give whole milliseconds from 1 to 60000, for nothing else runs meanwhile`,
  )
}

export function tooSlow(title: string, timeoutMs: number): VerifierReport {
  return undecidedReport(
    `${title}: matching did not end within ${timeoutMs / 1000} s; simplify the pattern or give matchTimeoutMs`,
  )
}
