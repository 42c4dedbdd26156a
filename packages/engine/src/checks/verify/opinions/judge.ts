import { familyOf } from '@donecheck/core/internal/base'
import type { Evidence, MeasureEvidence, VerdictQualifier } from '@donecheck/core/internal/events/verdicts'
import type { RunEvent } from '@donecheck/core/internal/events'
import { z } from 'zod'
import { UsageError, given } from '../../../base/index.ts'
import type { Judge, JudgeAnswer } from '../../../ports/judges.ts'
import type { Verifier, VerifierReport } from '../../../ports/checks.ts'
import { namedOptions, readOptions, verifierBy, type Ask } from '../reports/verifier-of.ts'
import { relativePath } from '../work-tree/files.ts'
import { familiesOf, hear, voteOf, type HeardAnswer } from './judging.ts'
import { showValue, failedReport, passedReport, undecidedReport } from '../reports/reports.ts'

const judgedByOptions = namedOptions.extend({
  /** What the answer or the work must fulfil. */
  rubric: z.string().trim().min(1, 'must say what must be fulfilled'),
  /** Above 0, up to 1: a lower score is not enough, and a judge that gives none has not decided. */
  minScore: z.number().gt(0).max(1).optional(),
  /** Files of the work folder in which quotes may stand too. */
  quotesFrom: z.array(z.string()).optional(),
  /** Default: the answer. */
  reads: z.enum(['workspace', 'answer']).optional(),
  /** Every verdict says that its word was not measured enough. Default false. */
  uncalibrated: z.boolean().optional(),
})
export type JudgedByOptions = Readonly<z.infer<typeof judgedByOptions>>

/**
 * A judge decides whether a rubric is met. Deterministic checks run first and veto it. Every quote must stand where
 * it says: in the event or file that it names, else in the answer or in `quotesFrom`. If the answer claims tests or
 * files, a pass needs a quote of the record that shows them. Not met, or a score below `minScore`: `failed`. An
 * abstention, a throw, nonsense, a missing score or a made-up quote: `error`. No answer in time: `error` with
 * `infrastructure`. A judge of the drive's family: `same-family`. Costs are US dollars.
 * @throws {UsageError} for an empty rubric, an invalid bound, or a file outside of the work folder
 */
export function judgedBy(judge: Judge, written: JudgedByOptions): Verifier {
  const options = readOptions(judgedByOptions, written, 'judgedBy')
  const { rubric, minScore, reads = 'answer', uncalibrated = false } = options
  if (typeof judge.judge !== 'function')
    throw new UsageError(`the judge is ${showValue(judge)}; give one that has "judge"`)
  const files = (options.quotesFrom ?? []).map((path) => relativePath(path))
  const name = options.name ?? judge.name
  const families = familiesOf(judge)
  const ask: Ask = async (context, signal) => {
    const { task, finalText: answer, workFolder, events = () => [] } = context
    const request = { task, rubric, answer, workFolder, events: events(), ...given({ minScore }) }
    const heard = await hear(judge, request, files, signal)
    const report = reportOf(heard, name, minScore)
    const marks: readonly VerdictQualifier[] = [
      ...(isKin(families, request.events) ? ['same-family' as const] : []),
      ...(uncalibrated ? ['uncalibrated' as const] : []),
    ]
    const { costUsd } = heard.answer
    return {
      ...report,
      qualifiers: [...report.qualifiers, ...marks],
      evidence: evidenceOf(judge, heard.answer, minScore),
      ...(costUsd === null ? {} : { costUsd }),
    }
  }
  const looksAt = reads === 'answer' ? 'work-folder' : 'checked-tree'
  const verifier = verifierBy(name, ask, { ...options, reads, looksAt, deterministic: false })
  if (families.length === 0) return verifier
  return { ...verifier, description: { ...verifier.description, families } }
}

function reportOf({ answer, problem }: HeardAnswer, name: string, minScore = 0): VerifierReport {
  const { kind, reason, score, category, unavailable } = answer
  if (problem !== undefined) return undecidedReport(problem)
  const words = reason.trim() === '' ? 'without a reason' : reason
  // No turn of the agent makes a silent judge speak.
  if (unavailable === true)
    return { ...undecidedReport(`${name} could not be asked: ${words}`, 'infrastructure'), canRetry: false }
  if (kind === 'abstained') return undecidedReport(`${name} cannot tell: ${words}`)
  const scored = given({ score })
  const mark = category === undefined ? '' : ` [${category}]`
  if (kind === 'not-met') return { ...failedReport(`${name}: not met${mark}: ${words}`), ...scored }
  if (minScore > 0 && score === undefined)
    return undecidedReport(`${name} gave no score, and ${minScore} is wanted: ${words}`)
  if (score !== undefined && score < minScore)
    return { ...failedReport(`${name}: met with ${score} only, not ${minScore}: ${words}`), ...scored }
  return { ...passedReport(`${name}: met: ${words}`), ...scored }
}

function evidenceOf(judge: Judge, answer: JudgeAnswer, minScore: number | undefined): readonly Evidence[] {
  const { score, votes } = answer
  const bound = given({ bound: minScore })
  const measures: readonly MeasureEvidence[] =
    score === undefined ? [] : [{ kind: 'measure', name: 'score', value: score, ...bound }]
  return [...measures, ...(votes ?? [voteOf(judge, answer)])]
}

/** The drive may be another one since the run was resumed. */
function isKin(families: readonly string[], events: readonly RunEvent[]): boolean {
  const drives = events.flatMap((event) =>
    event.type === 'run-started' || event.type === 'run-resumed' ? (event.drive ?? []) : [],
  )
  const family = familyOf(drives.at(-1)?.name ?? '')
  return family !== undefined && families.includes(family)
}
