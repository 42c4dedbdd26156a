import type { MeasureEvidence } from '@donecheck/core/internal/events/verdicts'
import { z } from 'zod'
import { assertText } from '../../../base/index.ts'
import type { Verifier, VerifierResult } from '../../../ports/checks.ts'
import type { Embedder } from '../../../system/models/index.ts'
import { failedReport, passedReport, showThrown, unanswerable, undecidedResult } from '../reports/reports.ts'
import { readOptions } from '../reports/verifier-of.ts'
import { ofText, sourceCheck, sourceOptions } from './source.ts'

const similarityOptions = sourceOptions.extend({
  /** Without one, every verdict is `error`. */
  model: z.custom<Embedder>((given) => typeof given === 'object').optional(),
  /** Minimum cosine, above 0 up to 1. Default 0.7. */
  threshold: z.number().gt(0).max(1).optional(),
})
type SimilarityOptions = Readonly<z.infer<typeof similarityOptions>>

/**
 * The cosine of text and reference embeddings reaches the threshold. Measures topic and wording, not truth.
 * Below it, or empty: `failed`. No usable model: `error`.
 * @throws {UsageError} for an empty reference or invalid threshold
 */
export function similarity(reference: string, given: SimilarityOptions = {}): Verifier {
  const options = readOptions(similarityOptions, given, 'similarity')
  assertText(reference, 'the reference of similarity', 'a text to compare with')
  const { model, threshold = 0.7 } = options
  return sourceCheck({
    title: 'similar to the reference',
    options,
    traits: { deterministic: false },
    judge: ofText((text, label, { signal }) => {
      if (model === undefined)
        return unanswerable('there is no embedding model to compare with; name one', 'unverifiable')
      if (text.trim() === '') return failedReport(`${label} is empty`)
      return compare([reference, text], model, threshold, signal)
    }),
  })
}

async function compare(
  texts: readonly [string, string],
  model: Embedder,
  threshold: number,
  signal: AbortSignal,
): Promise<VerifierResult> {
  const vectors = await embed(texts, model, signal)
  if (typeof vectors === 'string')
    return undecidedResult(`${model.modelId} could not compare: ${vectors}`, 'infrastructure')
  const value = cosineOf(...vectors)
  if (value === undefined)
    return undecidedResult(`${model.modelId} gave vectors that cannot be compared`, 'infrastructure')
  const measure: MeasureEvidence = { kind: 'measure', name: 'similarity', value, bound: threshold }
  const words = `similarity ${value.toFixed(3)} by ${model.modelId}`
  const score = Math.max(0, value)
  return value >= threshold
    ? { ...passedReport(`${words}, at least ${threshold}`, measure), score }
    : { ...failedReport(`${words}; at least ${threshold} is wanted`, measure), score }
}

type Vector = readonly number[]

/** Returns a text if it fails. Loads the SDK lazily, because that is slow. */
async function embed(
  values: readonly [string, string],
  model: Embedder,
  abortSignal: AbortSignal,
): Promise<readonly [Vector, Vector] | string> {
  try {
    const { embedMany } = await import('ai')
    const { embeddings } = await embedMany({ model, values: [...values], abortSignal })
    const [one, other] = embeddings
    return one === undefined || other === undefined ? 'it gave no two vectors' : [one, other]
  } catch (error) {
    return showThrown(error)
  }
}

/** -1 to 1; undefined for unusable vectors. */
function cosineOf(one: Vector, other: Vector): number | undefined {
  if (one.length !== other.length) return undefined
  const cosine = dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other))
  return Number.isFinite(cosine) ? Math.min(1, Math.max(-1, cosine)) : undefined
}

function dot(one: Vector, other: Vector): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)
}
