import type { EmbeddingModel } from 'ai'
import { showThrown } from '../show-value.ts'
import { cosineOf, termVectors } from './term-vectors.ts'

/** A model object of the AI SDK; a mere name would be looked up who knows where. */
export type SimilarityModel = Exclude<EmbeddingModel, string> | 'lexical'

export type Similarities =
  /** Of the text with each reference, in their order; -1 to 1. */
  | { readonly kind: 'measured'; readonly values: readonly number[] }
  | { readonly kind: 'not-measured'; readonly problem: string }

/** Never rejects but after an abort. */
export async function similaritiesOf(
  text: string,
  references: readonly string[],
  model: SimilarityModel,
  signal: AbortSignal,
): Promise<Similarities> {
  if (model === 'lexical') {
    const [own = new Map<string, number>(), ...others] = termVectors([text, ...references])
    return { kind: 'measured', values: others.map((other) => cosineOf(own, other)) }
  }
  try {
    return await embedded([text, ...references], model, signal)
  } catch (error) {
    signal.throwIfAborted()
    return { kind: 'not-measured', problem: showThrown(error) }
  }
}

async function embedded(
  values: readonly string[],
  model: Exclude<SimilarityModel, 'lexical'>,
  signal: AbortSignal,
): Promise<Similarities> {
  // Loaded when a model is asked, not before.
  const { cosineSimilarity, embedMany } = await import('ai')
  const { embeddings } = await embedMany({ model, values: [...values], maxRetries: 0, abortSignal: signal })
  const problem = problemOf(embeddings, values.length)
  if (problem !== undefined) return { kind: 'not-measured', problem }
  const [own = [], ...others] = embeddings
  const measured = others.map((other) => cosineSimilarity(own, other))
  if (!measured.every(Number.isFinite))
    return { kind: 'not-measured', problem: 'its vectors are too long to be compared' }
  return { kind: 'measured', values: measured.map((value) => Math.max(-1, Math.min(1, value))) }
}

/** A model is not believed: what is no direction would compare as "not similar", or as anything. */
function problemOf(embeddings: unknown, wanted: number): string | undefined {
  if (!Array.isArray(embeddings) || embeddings.length !== wanted)
    return `it did not give one vector for each of the ${wanted} texts`
  const vectors: readonly unknown[] = embeddings
  const [first] = vectors
  for (const vector of vectors) {
    if (!Array.isArray(vector) || !Array.isArray(first) || vector.length === 0)
      return 'it gave a vector without numbers'
    if (vector.length !== first.length)
      return `it gave vectors of ${first.length} and of ${vector.length} numbers`
    if (!vector.every((number) => Number.isFinite(number)))
      return 'it gave a vector with something that is no number'
    if (vector.every((number) => number === 0)) return 'it gave a vector of zeros, which has no direction'
  }
  return undefined
}
