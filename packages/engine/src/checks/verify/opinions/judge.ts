import { familyOf } from '@donecheck/core/internal/base'
import type { Evidence, MeasureEvidence, VerdictQualifier } from '@donecheck/core/internal/events/verdicts'
import type { RunEvent } from '@donecheck/core/internal/events'
import { z } from 'zod'
import { UsageError, given } from '../../../base/index.ts'
import type { Judge, JudgeAnswer } from '../../../ports/judges.ts'
import type { Verifier, VerifierResult } from '../../../ports/checks.ts'
import { namedOptions, readOptions, verifierBy, type Ask } from '../reports/verifier-of.ts'
import { relativePath } from '../work-tree/files.ts'
import { familiesOf, hear, voteOf, type HeardAnswer } from './judging.ts'
import { showValue, failedReport, passedReport, undecidedResult } from '../reports/reports.ts'

const judgedByOptions = namedOptions.extend({
  rubric: z.string().trim().min(1, 'must say what must be fulfilled'),
  /** Above 0 up to 1. A lower score fails; a missing score is undecided. */
  minScore: z.number().gt(0).max(1).optional(),
  /** Files of the work folder that quotes may come from. */
  quotesFrom: z.array(z.string()).optional(),
  /** Default: the answer. */
  reads: z.enum(['workspace', 'answer']).optional(),
  /** Every verdict says that its judge is not calibrated. Default false. */
  uncalibrated: z.boolean().optional(),
})
export type JudgedByOptions = Readonly<z.infer<typeof judgedByOptions>>

/**
 * A judge decides whether a rubric is met, after deterministic checks, which veto. Every quote must exist;
 * claims of tests or files need one from the record. Not met or below `minScore`: `failed`. Abstention,
 * invalid answer or invented quote: `error`. No answer in time: `infrastructure`. US dollars.
 * @throws {UsageError} for an empty rubric, an invalid limit, or an outside file
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

function reportOf({ answer, problem }: HeardAnswer, name: string, minScore = 0): VerifierResult {
  const { kind, reason, score, category, unavailable } = answer
  if (problem !== undefined) return undecidedResult(problem)
  const words = reason.trim() === '' ? 'without a reason' : reason
  // No turn of the agent can make the judge available.
  if (unavailable === true)
    return { ...undecidedResult(`${name} could not be asked: ${words}`, 'infrastructure'), canRetry: false }
  if (kind === 'abstained') return undecidedResult(`${name} cannot tell: ${words}`)
  const scored = given({ score })
  const mark = category === undefined ? '' : ` [${category}]`
  if (kind === 'not-met') return { ...failedReport(`${name}: not met${mark}: ${words}`), ...scored }
  if (minScore > 0 && score === undefined)
    return undecidedResult(`${name} gave no score, and ${minScore} is wanted: ${words}`)
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

/** The agent may have changed on resume. */
function isKin(families: readonly string[], events: readonly RunEvent[]): boolean {
  const agents = events.flatMap((event) =>
    event.type === 'run-started' || event.type === 'run-resumed' ? (event.agent ?? []) : [],
  )
  const family = familyOf(agents.at(-1)?.name ?? '')
  return family !== undefined && families.includes(family)
}
