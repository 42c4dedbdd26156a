/** What was measured of a judge, under what it is kept, and whether its word may decide. */
import { z } from 'zod'
import { canonicalJson } from '@donecheck/core/base'
import { sha256, wilsonInterval } from '../../base/index.ts'
import type { Judge } from '../../ports/judges.ts'

const share = z.number().min(0).max(1)
const count = z.number().int().nonnegative()

/** `undecided`: it abstained, or quoted what stands nowhere. */
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
  /** `pass` for the cases that pass. */
  category: z.string(),
  cases: count,
  /** It said pass of a pass, fail of a fail. */
  agreed: count,
  /** Of them: it named this category too. */
  named: count,
})

export const calibrationSchema = z.strictObject({
  version: z.literal(1),
  judge: z.string(),
  /** See `calibrationKey`. */
  key: z.string(),
  measuredAtMs: z.number(),
  /** Labels that it gave an answer to. */
  labels: count,
  agreed: count,
  /** Of the labels: neither pass nor fail, which is no agreement. */
  undecided: count,
  /** It could not be asked: no label at all. */
  broken: count,
  agreement: z.strictObject({ share, low: share, high: share }),
  /** Null: nothing could differ. */
  kappa: z.number().nullable(),
  categories: z.array(categoryRow),
  /** Null: unknown for one of them at least. */
  costUsdPerVerdict: z.number().nonnegative().nullable(),
  secondsPerVerdict: z.number().nonnegative(),
  disagreements: z.array(word),
})
export type Calibration = z.output<typeof calibrationSchema>

/** One case that was put to a judge. */
export interface Measured {
  /** The label, and what the judge said. */
  readonly word: z.output<typeof word>
  readonly costUsd: number | null
  readonly durationMs: number
}

/**
 * Under what a measurement is kept: SHA-256, hex, over model, prompt and rubric. Undefined: the judge does not say what it is,
 * so that nothing can be kept of it.
 */
export function calibrationKey({ identity }: Judge, rubric: string): string | undefined {
  return identity === undefined ? undefined : sha256(canonicalJson({ identity, rubric: rubric.trim() }))
}

interface Measurement extends Pick<Calibration, 'judge' | 'key' | 'measuredAtMs' | 'broken'> {
  readonly measured: readonly Measured[]
}

export function calibrationOf({ judge, key, measuredAtMs, measured, broken }: Measurement): Calibration {
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

/** What each of two raters says of one case, in any words. */
export type RatedPair = readonly [one: string, other: string]

/**
 * Agreement beyond chance, after Cohen (1960): 1 is full agreement, 0 what two raters reach who know nothing of the cases and
 * keep their shares of each word, below 0 less than that. Null where chance alone gives full agreement: of no case, or where
 * both always say the same one word.
 */
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

/** What a judge must reach before its verdict may be required. */
const minLabels = 100
const minAgreement = 0.7

export type Trust =
  | { readonly kind: 'calibrated' }
  /** As the end of a sentence about the judge. */
  | { readonly kind: 'uncalibrated'; readonly reason: string }

/**
 * Whether a judge may decide by itself: measured on at least 100 labels, agreeing on at least 70 % of them, and beyond what
 * chance gives, so that one which always says the same is found out.
 */
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
