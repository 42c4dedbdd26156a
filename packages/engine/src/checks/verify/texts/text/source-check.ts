import { UsageError, type OptionKeys } from '../../../../base/index.ts'
import type { JsonValue } from '@donecheck/core/events'
import type { Verifier, VerifierReport } from '../../../../ports/checks.ts'
import { showValue, undecidedReport } from '../../reports/reports.ts'
import { verifierBy } from '../../reports/verifier-of.ts'
import type { TextForm } from './pattern.ts'
import {
  inputsOf,
  readSource,
  readsOf,
  showSource,
  sourceKeys,
  sourceOf,
  type SourceOptions,
} from './source.ts'
import { withinTime } from './within-time.ts'

export interface SourceCheckOptions extends SourceOptions {
  /** Matching and comparing that takes longer is broken off: `error`. Nothing else runs meanwhile. Default 1 000. */
  readonly matchTimeoutMs?: number
}

export const sourceCheckKeys: OptionKeys<SourceCheckOptions> = { ...sourceKeys, matchTimeoutMs: true }

export interface FormedCheckOptions extends SourceCheckOptions, TextForm {}

export const formedCheckKeys: OptionKeys<FormedCheckOptions> = {
  ...sourceCheckKeys,
  caseSensitive: true,
  whitespace: true,
}

interface SourceCheck {
  /** What is checked, in words, such as `contains "done"`; the source is added. */
  readonly title: string
  /** Kind and options as JSON; undefined where a function of the user is among them. */
  readonly definition: JsonValue | undefined
  readonly options: SourceCheckOptions
  /** Looks at what was read. Time-bound until it waits for something. */
  readonly judge: (value: unknown, label: string) => VerifierReport | Promise<VerifierReport>
}

/** A verifier over one source: reads it, judges it within the time bound, and adds what was read to the evidence. */
export function sourceCheck({ title, definition, options, judge }: SourceCheck): Verifier {
  const source = sourceOf(options.source)
  const { matchTimeoutMs = 1000, name = `${title}, in ${showSource(source)}` } = options
  if (!Number.isInteger(matchTimeoutMs) || matchTimeoutMs <= 0 || matchTimeoutMs > 60_000)
    throw new UsageError(
      `matchTimeoutMs is ${matchTimeoutMs}; give whole milliseconds from 1 to 60000, for nothing else runs meanwhile`,
    )
  const verifier = verifierBy(
    name,
    async (context, signal) => {
      const read = await readSource(source, context, signal)
      if (read.kind === 'not-read') return read.report
      const judged = withinTime(matchTimeoutMs, () => judge(read.value, showSource(source)))
      if (judged.kind === 'timed-out')
        return undecidedReport(
          `${title}: matching did not end within ${matchTimeoutMs / 1000} s; simplify the pattern or give matchTimeoutMs`,
        )
      const report = await judged.value
      return { ...report, evidence: [...read.evidence, ...report.evidence] }
    },
    { ...options, looksAt: 'work-folder', reads: readsOf(source) },
  )
  const inputs = inputsOf(source, definition)
  return inputs === undefined ? verifier : { ...verifier, inputs }
}

/** For a check that needs a text: any other value is `error`. */
export function ofText(judge: (text: string, label: string) => VerifierReport): SourceCheck['judge'] {
  return (value, label) =>
    typeof value === 'string'
      ? judge(value, label)
      : undecidedReport(`${label} is ${showValue(value)}, which is no text`)
}
