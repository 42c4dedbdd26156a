import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { canonicalJson } from '@donecheck/core/internal/base'
import { sha256, wilsonInterval, UsageError, given } from '../../base/index.ts'
import type { Judge } from '../../ports/judges.ts'
import type { Clock } from '../../ports/loop.ts'
import { hear } from '../verify/opinions/judging.ts'
import { eventsOf, parseCases, type LabelledCase } from './labelled-cases.ts'

const share = z.number().min(0).max(1)
const count = z.number().int().nonnegative()

/** `undecided`: abstained, or invented a quote. */
const said = z.enum(['pass', 'fail', 'undecided'])

const word = z.strictObject({
  id: z.string(),
  label: z.enum(['pass', 'fail']),
  category: z.string().exactOptional(),
  said,
  saidCategory: z.string().exactOptional(),
  reason: z.string(),
})

const categoryRow = z.strictObject({
  /** `pass` for cases that pass. */
  category: z.string(),
  cases: count,
  /** Passes judged as pass, fails as fail. */
  agreed: count,
  /** Of these, with the right category. */
  named: count,
})

const calibrationSchema = z.strictObject({
  version: z.literal(1),
  judge: z.string(),
  key: z.string(),
  measuredAtMs: z.number(),
  labels: count,
  agreed: count,
  /** Labels judged neither pass nor fail; counts as no agreement. */
  undecided: count,
  /** Cases without an answer, which give no label. */
  broken: count,
  agreement: z.strictObject({ share, low: share, high: share }),
  /** Null if the labels cannot differ. */
  kappa: z.number().nullable(),
  categories: z.array(categoryRow),
  /** Null if any is unknown. */
  costUsdPerVerdict: z.number().nonnegative().nullable(),
  secondsPerVerdict: z.number().nonnegative(),
  disagreements: z.array(word),
})
export type Calibration = z.output<typeof calibrationSchema>

interface Measured {
  readonly word: z.output<typeof word>
  readonly costUsd: number | null
  readonly durationMs: number
}

/** SHA-256 over model, prompt and rubric; undefined if the judge has no identity. */
export function calibrationKey({ identity }: Judge, rubric: string): string | undefined {
  return identity === undefined ? undefined : sha256(canonicalJson({ identity, rubric: rubric.trim() }))
}

interface Measurement extends Pick<Calibration, 'judge' | 'key' | 'measuredAtMs' | 'broken'> {
  readonly measured: readonly Measured[]
}

function calibrationOf({ judge, key, measuredAtMs, measured, broken }: Measurement): Calibration {
  const labels = measured.length
  const agreed = measured.filter(isAgreed).length
  const costs = measured.map(({ costUsd }) => costUsd)
  const known = costs.filter((cost) => cost !== null)
  return {
    version: 1,
    judge,
    key,
    measuredAtMs,
    labels,
    agreed,
    undecided: measured.filter(({ word }) => word.said === 'undecided').length,
    broken,
    agreement: { share: labels === 0 ? 0 : agreed / labels, ...wilsonInterval(agreed, labels) },
    kappa: cohenKappa(measured.map(({ word }) => [word.label, word.said])),
    categories: categoriesOf(measured),
    costUsdPerVerdict: known.length < costs.length || labels === 0 ? null : sum(known) / labels,
    secondsPerVerdict: labels === 0 ? 0 : sum(measured.map(({ durationMs }) => durationMs)) / labels / 1000,
    disagreements: measured.filter((one) => !isAgreed(one)).map(({ word }) => word),
  }
}

/** Labels of two raters for one case. */
export type RatedPair = readonly [one: string, other: string]

/** Cohen's kappa (1960): 1 is full agreement, 0 chance. Null if chance alone gives full agreement. */
export function cohenKappa(pairs: readonly RatedPair[]): number | null {
  const words = new Set(pairs.flat())
  const shareOf = (rater: 0 | 1, word: string) =>
    pairs.filter((pair) => pair[rater] === word).length / pairs.length
  const byChance = [...words].reduce((sum, word) => sum + shareOf(0, word) * shareOf(1, word), 0)
  if (words.size < 2) return null
  const agreed = pairs.filter(([one, other]) => one === other).length / pairs.length
  return (agreed - byChance) / (1 - byChance)
}

function categoriesOf(measured: readonly Measured[]): Calibration['categories'] {
  const byCategory = Map.groupBy(measured, ({ word }) => word.category ?? word.label)
  return [...byCategory]
    .map(([category, cases]) => {
      const agreed = cases.filter(isAgreed)
      const named = agreed.filter(({ word }) => word.saidCategory === word.category)
      return { category, cases: cases.length, agreed: agreed.length, named: named.length }
    })
    .toSorted((one, other) => (one.category < other.category ? -1 : 1))
}

function isAgreed({ word }: Measured): boolean {
  return word.label === word.said
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

const minLabels = 100
const minAgreement = 0.7

export type Trust =
  | { readonly kind: 'calibrated' }
  /** End of a sentence about the judge. */
  | { readonly kind: 'uncalibrated'; readonly reason: string }

/** Whether a judge may decide alone: at least 100 labels, 70% agreement, and better than chance. */
export function trustOf(calibration: Calibration | undefined): Trust {
  if (calibration === undefined) return { kind: 'uncalibrated', reason: 'was never measured' }
  const { labels, agreement, kappa } = calibration
  const shown = `agrees with ${percent(agreement.share)} of ${labels} labels (at least ${percent(agreement.low)}, with 95 % confidence)`
  if (labels < minLabels)
    return { kind: 'uncalibrated', reason: `was measured on ${labels} labels, and ${minLabels} are wanted` }
  if (agreement.share < minAgreement)
    return { kind: 'uncalibrated', reason: `${shown}, and ${percent(minAgreement)} are wanted` }
  if (kappa === null || kappa <= 0)
    return { kind: 'uncalibrated', reason: `${shown}, which is no more than chance gives` }
  return { kind: 'calibrated' }
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1).replace(/\.0$/, '')} %`
}

export interface MeasureOptions {
  readonly rubric: string
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Concurrent cases. Default 4. */
  readonly atOnce?: number
  readonly onCase?: (done: number) => void
}

/**
 * Runs a judge on every case as a run would. An abstention is no agreement; a failed call gives no label.
 * @throws {UsageError} without cases, identity or answers
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
  // Equal ids give one label.
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

interface Unanswered {
  readonly problem: string
}

/** Stops after this number of cases without any answer. */
const patience = 10

function isSilent(results: readonly (Measured | Unanswered)[]): boolean {
  return results.length >= patience && results.every((one) => 'problem' in one)
}

/** Keeps an earlier measurement instead of replacing it with nothing. */
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

/** @param folder of the store @returns the file path */
export function keepCalibration(folder: string, calibration: Calibration): string {
  const file = fileOf(folder, calibration.key)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, `${JSON.stringify(calibration, null, 2)}\n`)
  renameSync(`${file}.new`, file)
  return file
}

/** @returns undefined if none is readable: the judge counts as never measured */
export function readCalibration(folder: string, key: string): Calibration | undefined {
  try {
    const parsed = calibrationSchema.safeParse(JSON.parse(readFileSync(fileOf(folder, key), 'utf8')))
    return parsed.success && parsed.data.key === key ? parsed.data : undefined
  } catch {
    return undefined
  }
}

/** Appends a label; a later one of the same run replaces it on reading. @returns the file path */
export function keepLabel(folder: string, labelled: LabelledCase): string {
  const file = labelsFile(folder)
  mkdirSync(folder, { recursive: true })
  appendFileSync(file, `${JSON.stringify(labelled)}\n`)
  return file
}

/** Empty if no run was labelled. @throws {UsageError} for an unreadable line */
export function keptLabels(folder: string): readonly LabelledCase[] {
  const file = labelsFile(folder)
  return existsSync(file) ? parseCases(readFileSync(file, 'utf8'), file) : []
}

function labelsFile(folder: string): string {
  return join(folder, 'labels.jsonl')
}

function fileOf(folder: string, key: string): string {
  return join(folder, 'calibrations', `${key}.json`)
}
