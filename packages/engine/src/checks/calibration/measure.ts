import type { Clock } from '../../ports/loop.ts'
import type { Judge } from '../../ports/judges.ts'
import { UsageError, given } from '../../base/index.ts'
import { hear } from '../verify/opinions/judging/index.ts'
import { calibrationKey, calibrationOf, type Calibration, type Measured } from './calibration.ts'
import { eventsOf } from './case-events.ts'
import type { LabelledCase } from './labelled-case.ts'

export interface MeasureOptions {
  readonly rubric: string
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Cases at a time. Default 4. */
  readonly atOnce?: number
  /** After each case. */
  readonly onCase?: (done: number) => void
}

/**
 * Puts every case to a judge, as a run would: with the same rubric, to which the rules of the case are added, and quotes that
 * are looked up. An abstention counts as no agreement; a judge that could not be asked, as no label.
 * @throws {UsageError} for no case, and for a judge that does not say what it is, or does not answer
 * @throws the signal's reason after an abort
 */
export async function measureJudge(
  judge: Judge,
  cases: readonly LabelledCase[],
  { rubric, clock, signal, atOnce = 4, onCase }: MeasureOptions,
): Promise<Calibration> {
  const key = calibrationKey(judge, rubric)
  if (key === undefined)
    throw new UsageError(`${judge.name} does not say what it is (identity), so nothing can be kept of it`)
  if (cases.length === 0) throw new UsageError('there is no labelled case to measure with; give --labels')
  const results: (Measured | Unanswered)[] = []
  // The same case twice is one label.
  const waiting = [...new Map(cases.map((one) => [one.id, one])).values()]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      signal.throwIfAborted()
      results.push(await measureCase(judge, next, { rubric, clock, signal }))
      if (isSilent(results)) waiting.splice(0)
      onCase?.(results.length)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  signal.throwIfAborted()
  const measured = results
    .filter((one) => 'word' in one)
    .toSorted((one, other) => (one.word.id < other.word.id ? -1 : 1))
  if (measured.length === 0) throw neverAnswered(judge, results)
  return calibrationOf({
    judge: judge.name,
    key,
    measuredAtMs: clock.nowMs(),
    measured,
    broken: results.length - measured.length,
  })
}

type CaseOptions = Required<Pick<MeasureOptions, 'rubric' | 'clock' | 'signal'>>

/** The judge could not be asked, and why. */
interface Unanswered {
  readonly problem: string
}

/** So many cases without any answer, and nobody is there. */
const patience = 10

function isSilent(results: readonly (Measured | Unanswered)[]): boolean {
  return results.length >= patience && results.every((one) => 'problem' in one)
}

/** What was measured before is not replaced by nothing. */
function neverAnswered({ name }: Judge, results: readonly (Measured | Unanswered)[]): UsageError {
  const [first] = results.filter((one) => 'problem' in one)
  return new UsageError(`${name} could not be asked about any case: ${first?.problem ?? 'no reason'}`)
}

async function measureCase(
  judge: Judge,
  labelled: LabelledCase,
  { rubric, clock, signal }: CaseOptions,
): Promise<Measured | Unanswered> {
  const { id, label, category, task, answer, rules } = labelled
  const startedAtMs = clock.nowMs()
  const request = {
    task,
    rubric: withRules(rubric, rules),
    answer,
    workFolder: null,
    events: eventsOf(labelled),
  }
  const heard = await hear(judge, request, [], signal).catch((error: unknown) => ({ problem: String(error) }))
  if (!('answer' in heard)) return heard
  if (heard.answer.unavailable === true) return { problem: heard.answer.reason }
  const { kind, reason, category: saidCategory, costUsd } = heard.answer
  return {
    word: {
      id,
      label,
      ...given({ category }),
      said: words[kind],
      ...given({ saidCategory }),
      reason,
    },
    costUsd,
    durationMs: Math.max(0, clock.nowMs() - startedAtMs),
  }
}

const words = { met: 'pass', 'not-met': 'fail', abstained: 'undecided' } as const

function withRules(rubric: string, rules: readonly string[]): string {
  if (rules.length === 0) return rubric
  return `${rubric}\n\nRules of this case:\n${rules.map((rule) => `- ${rule}`).join('\n')}`
}
