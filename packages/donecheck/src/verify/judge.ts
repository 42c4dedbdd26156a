import { z } from 'zod'
import { UsageError } from '../errors.ts'
import type { Evidence, MeasureEvidence } from '../events/index.ts'
import type { Judge, JudgeAnswer, Verifier, VerifierContext, VerifierReport } from '../ports.ts'
import { type VerifierOptions, verifierKeys } from './describe-verifier.ts'
import { readFile } from './files/read-file.ts'
import { relativePath } from './files/relative-path.ts'
import { showValue } from './show-value.ts'
import { failed, passed, quoted } from './text/report.ts'
import { undecided } from './undecided.ts'
import { verifierBy } from './verifier-of.ts'
import { assertKnownKeys, type OptionKeys } from '../option-keys.ts'

export interface JudgedByOptions extends VerifierOptions {
  /** Default: the judge's name. */
  readonly name?: string
  /** What the answer or the work must fulfil. */
  readonly rubric: string
  /** Above 0, up to 1: a lower score is not enough, and a judge that gives none has not decided. */
  readonly minScore?: number
  /** Files of the work folder in which quotes may stand too. */
  readonly quotesFrom?: readonly string[]
  /** Default: the answer. */
  readonly reads?: 'workspace' | 'answer'
}

const judgedByKeys: OptionKeys<JudgedByOptions> = {
  ...verifierKeys,
  name: true,
  rubric: 'needed',
  minScore: true,
  quotesFrom: true,
  reads: true,
}

/** Nothing else is an answer of a judge. */
const judgeAnswer = z.object({
  kind: z.enum(['met', 'not-met', 'abstained']),
  reason: z.string(),
  score: z.number().min(0).max(1).optional(),
  quotes: z.array(z.string().refine((quote) => normal(quote) !== '', 'a quote is empty')),
  costUsd: z.number().nonnegative().nullable(),
})

/**
 * A judge is asked whether a rubric is met. Its word alone never passes under a veto of a deterministic check, and those run
 * first. Every quote must stand in the answer, or in one of the named files; white space does not count. It proves what the
 * judge said, no more.
 *
 * Met is `passed`, not met (or a score below `minScore`) is `failed`. An abstention, a throw, nonsense, a missing score or a
 * quote that stands nowhere: `error`; no answer within `timeoutMs` (milliseconds): `error` with `infrastructure`. What it
 * cost, in US dollars, is in the verdict in each case. Never remembered.
 * @throws {UsageError} for an empty rubric, a bound that is none, or a file outside of the work folder
 */
export function judgedBy(judge: Judge, options: JudgedByOptions): Verifier {
  assertKnownKeys(options, judgedByKeys, 'judgedBy')
  const { rubric, minScore, reads = 'answer' } = options
  if (typeof rubric !== 'string' || rubric.trim() === '')
    throw new UsageError(`rubric is ${showValue(rubric)}; say what must be fulfilled`)
  if (minScore !== undefined && !(minScore > 0 && minScore <= 1))
    throw new UsageError(`minScore is ${minScore}; give a number above 0, up to 1`)
  if (typeof judge.judge !== 'function')
    throw new UsageError(`the judge is ${showValue(judge)}; give one that has "judge"`)
  const files = (options.quotesFrom ?? []).map((path) => relativePath(path))
  const name = options.name ?? judge.name
  const ask: Parameters<typeof verifierBy>[1] = async (context, signal) => {
    const { task, finalText: answer, workFolder } = context
    const answered: unknown = await judge.judge({ task, rubric, answer, workFolder }, signal)
    const parsed = judgeAnswer.safeParse(answered)
    if (!parsed.success) return withCost(nonsense(name, answered, parsed.error), costOf(answered))
    const { score, ...others } = parsed.data
    const said = { ...others, ...(score === undefined ? {} : { score }) }
    const unfounded = await unfoundedQuote(said.quotes, files, context, signal)
    const report = unfounded ?? reportOf(said, name, minScore)
    return withCost(
      { ...report, evidence: [...report.evidence, ...evidenceOf(said, minScore)] },
      said.costUsd,
    )
  }
  return verifierBy(name, ask, { ...options, reads, deterministic: false })
}

function reportOf({ kind, reason, score }: JudgeAnswer, name: string, minScore = 0): VerifierReport {
  const words = reason.trim() === '' ? 'without a reason' : reason
  if (kind === 'abstained') return undecided(`${name} cannot tell: ${words}`)
  const scored = score === undefined ? {} : { score }
  if (kind === 'not-met') return { ...failed(`${name}: not met: ${words}`), ...scored }
  if (minScore > 0 && score === undefined)
    return undecided(`${name} gave no score, and ${minScore} is wanted: ${words}`)
  if (score !== undefined && score < minScore)
    return { ...failed(`${name}: met with ${score} only, not ${minScore}: ${words}`), ...scored }
  return { ...passed(`${name}: met: ${words}`), ...scored }
}

function evidenceOf({ quotes, score }: JudgeAnswer, minScore: number | undefined): readonly Evidence[] {
  const bound = minScore === undefined ? {} : { bound: minScore }
  const measures: readonly MeasureEvidence[] =
    score === undefined ? [] : [{ kind: 'measure', name: 'score', value: score, ...bound }]
  return [
    ...measures,
    ...quotes.map((text): Evidence => ({ kind: 'note', text: `quoted: ${quoted(text, 1000)}` })),
  ]
}

/** A quote that was made up puts the whole answer in doubt. */
async function unfoundedQuote(
  quotes: readonly string[],
  files: readonly string[],
  { finalText, workFolder }: VerifierContext,
  signal: AbortSignal,
): Promise<VerifierReport | undefined> {
  const texts = [normal(finalText)]
  for (const path of quotes.length === 0 || workFolder === null ? [] : files) {
    const seen = await readFile(workFolder ?? '', path, signal)
    if (seen.kind !== 'not-seen') texts.push(normal(new TextDecoder().decode(seen.bytes)))
  }
  const unfounded = quotes.find((quote) => !texts.some((text) => text.includes(normal(quote))))
  if (unfounded === undefined) return undefined
  const places = ['the answer', ...files].join(' or ')
  return undecided(`the judge quotes ${quoted(unfounded)}, which does not stand in ${places}`)
}

function normal(text: string): string {
  return text.normalize('NFKC').replace(/\s+/gu, ' ').trim()
}

function nonsense(name: string, answered: unknown, error: z.ZodError): VerifierReport {
  const [issue] = error.issues
  const problem = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not understood'}`
  return undecided(`${name} answered ${showValue(answered)}, which is not understood (${problem})`)
}

/** Money that was spent is told even where the rest is nonsense. */
function costOf(answered: unknown): number | null {
  const cost = z.object({ costUsd: z.number().nonnegative() }).safeParse(answered)
  return cost.success ? cost.data.costUsd : null
}

function withCost(report: VerifierReport, costUsd: number | null): VerifierReport {
  return costUsd === null ? report : { ...report, costUsd }
}
