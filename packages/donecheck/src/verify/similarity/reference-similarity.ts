import { UsageError } from '../../errors.ts'
import type { MeasureEvidence } from '../../events/index.ts'
import type { Verifier, VerifierReport } from '../../ports.ts'
import { type VerifierOptions, verifierKeys } from '../describe-verifier.ts'
import { showValue } from '../show-value.ts'
import { failed, passed } from '../text/report.ts'
import { readText } from '../text/read-source.ts'
import { inputsOf, readsOf, showSource, sourceOf, type TextSource } from '../text/source.ts'
import { undecided } from '../undecided.ts'
import { verifierBy } from '../verifier-of.ts'
import { similaritiesOf, type Similarities, type SimilarityModel } from './similarities.ts'
import { wordsOf } from './term-vectors.ts'
import { assertKnownKeys, type OptionKeys } from '../../option-keys.ts'

export interface ReferenceSimilarityOptions extends VerifierOptions {
  /** Default: what is checked, in words. */
  readonly name?: string
  /** Default: the answer. */
  readonly source?: TextSource
  /** Gold samples, one or more. */
  readonly references: readonly string[]
  /** Above 0, up to 1. Default 0.7. */
  readonly threshold?: number
  /** Of the references that must be reached. Default 1: the best one decides. */
  readonly atLeast?: number
  /**
   * An embedding model of the AI SDK. `lexical`: shared words (TF-IDF) instead of meaning; never chosen by itself. Without
   * a model nothing can be decided: `error`.
   */
  readonly model: SimilarityModel | undefined
}

const referenceSimilarityKeys: OptionKeys<ReferenceSimilarityOptions> = {
  ...verifierKeys,
  name: true,
  source: true,
  references: 'needed',
  threshold: true,
  atLeast: true,
  model: true,
}

/**
 * A text is similar to gold samples: the cosine with them reaches the threshold. Reads one source (the answer by default)
 * and asks the model for vectors. It proves likeness, never truth: the opposite in like words is similar too.
 *
 * An empty text is `failed`. A model that is missing, throws, gives wrong vectors, or does not answer within `timeoutMs`
 * (milliseconds): `error` with `infrastructure`. Only a lexical verdict is ever remembered.
 * @throws {UsageError} for no references, an empty one, or a bound that is none
 */
export function referenceSimilarity(options: ReferenceSimilarityOptions): Verifier {
  assertKnownKeys(options, referenceSimilarityKeys, 'referenceSimilarity')
  const { references, threshold, atLeast, model } = checked(options)
  const source = sourceOf(options.source)
  const label = showSource(source)
  const name = options.name ?? `similar to ${references.length} references, in ${label}`
  const ask: Parameters<typeof verifierBy>[1] = async (context, signal) => {
    if (model === undefined)
      return undecided(`${name} has no embedding model; give it one, or ask for "lexical"`, 'infrastructure')
    const read = await readText(source, context, signal)
    if (read.kind === 'not-read') return read.report
    const isEmpty = (model === 'lexical' ? wordsOf(read.text).join('') : read.text.trim()) === ''
    if (isEmpty) return failed(`${label} is empty`, ...read.evidence)
    const similarities = await similaritiesOf(read.text, references, model, signal)
    const report = reportOf(similarities, label, threshold, atLeast)
    return { ...report, evidence: [...read.evidence, ...report.evidence] }
  }
  const definition = { kind: 'referenceSimilarity', model: 'lexical', references, threshold, atLeast }
  const inputs = inputsOf(source, model === 'lexical' ? definition : undefined)
  return {
    ...verifierBy(name, ask, {
      ...options,
      looksAt: 'work-folder',
      reads: readsOf(source),
    }),
    ...(inputs === undefined ? {} : { inputs }),
  }
}

function reportOf(
  similarities: Similarities,
  label: string,
  threshold: number,
  atLeast: number,
): VerifierReport {
  if (similarities.kind === 'not-measured')
    return undecided(`the embedding model could not be used: ${similarities.problem}`, 'infrastructure')
  const { values } = similarities
  const best = Math.max(...values)
  const reached = values.filter((value) => value >= threshold).length
  const evidence = values.map((value, index): MeasureEvidence => {
    return { kind: 'measure', name: `similarity to reference ${index + 1}`, value, bound: threshold }
  })
  const words = `${label} reaches ${threshold} with ${reached} of ${values.length} references (best ${best.toFixed(3)})`
  const report =
    reached >= atLeast ? passed(words, ...evidence) : failed(`${words}, not with ${atLeast}`, ...evidence)
  return { ...report, score: Math.max(0, best) }
}

type Checked = Required<Pick<ReferenceSimilarityOptions, 'references' | 'threshold' | 'atLeast'>> &
  Pick<ReferenceSimilarityOptions, 'model'>

/** @throws {UsageError} */
function checked(options: ReferenceSimilarityOptions): Checked {
  const { references, threshold = 0.7, atLeast = 1, model } = options
  const given: { readonly references: unknown; readonly model: unknown } = options
  if (!Array.isArray(given.references) || references.length === 0)
    throw new UsageError(`references is ${showValue(references)}; give one gold sample or more`)
  for (const reference of references)
    if (typeof reference !== 'string' || wordsOf(reference).length === 0)
      throw new UsageError(`a reference is ${showValue(reference)}; give a text with words`)
  if (!(threshold > 0 && threshold <= 1))
    throw new UsageError(`threshold is ${threshold}; give a number above 0, up to 1`)
  if (!Number.isInteger(atLeast) || atLeast < 1 || atLeast > references.length)
    throw new UsageError(`atLeast is ${atLeast}; give a whole number from 1 to ${references.length}`)
  if (typeof given.model === 'string' && given.model !== 'lexical')
    throw new UsageError(
      `model is ${showValue(given.model)}; give an embedding model of the AI SDK, or "lexical"`,
    )
  return { references: [...references], threshold, atLeast, model }
}
