import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import { verifierContract } from '../../../testing/contracts/verifier-contract.ts'
import type { Embedder } from '../../../system/models/index.ts'
import { similarity } from './similarity.ts'
import { ask } from './fixtures/ask.ts'

/** An embedding model that knows the vectors of its texts. */
function embedder(vectorOf: (text: string) => readonly number[] | Promise<readonly number[]>): Embedder {
  return {
    specificationVersion: 'v4',
    provider: 'scripted',
    modelId: 'scripted-embedding',
    maxEmbeddingsPerCall: 16,
    supportsParallelCalls: false,
    async doEmbed({ values }) {
      const embeddings = await Promise.all(values.map(async (text) => vectorOf(text)))
      return { embeddings: embeddings.map((vector) => [...vector]), warnings: [] }
    },
  }
}

const same = embedder(() => [1, 2])
/** Right angles to the reference. */
const other = embedder((text) => (text === 'reference' ? [1, 0] : [0, 1]))
const broken = embedder(() => Promise.reject(new Error('no such model')))
const hanging = (onStart: () => void) =>
  embedder(() => {
    onStart()
    return new Promise<never>(() => undefined)
  })

verifierContract('similarity', {
  passing: () => similarity('reference', { model: same, source: { value: () => 'text' } }),
  failing: () => similarity('reference', { model: other, source: { value: () => 'text' } }),
  makeUndecided: () => similarity('reference', { model: broken, source: { value: () => 'text' } }),
  hanging: (onStart) => similarity('reference', { model: hanging(onStart), source: { value: () => 'text' } }),
})

describe('given a text that should mean the same', () => {
  it.each([
    [[1, 0], undefined, 'passed'],
    [[0.7, Math.sqrt(1 - 0.49)], undefined, 'passed'],
    [[0.69, Math.sqrt(1 - 0.69 ** 2)], undefined, 'failed'],
    [[0.8, 0.6], 0.9, 'failed'],
    [[-1, 0], undefined, 'failed'],
  ])('with the vector %j and the threshold %s it is %s', async (vector, threshold, status) => {
    const model = embedder((text) => (text === 'reference' ? [1, 0] : vector))
    const options = threshold === undefined ? { model } : { model, threshold }
    const report = await ask(similarity('reference', options), 'some answer')
    expect(report.status).toBe(status)
    expect(report.evidence).toContainEqual(
      expect.objectContaining({ kind: 'measure', name: 'similarity', bound: threshold ?? 0.7 }),
    )
  })

  it('fails an answer that is empty, without asking the model', async () => {
    expect(await ask(similarity('reference', { model: broken }), ' \n')).toMatchObject({ status: 'failed' })
  })

  it('is an error that no turn mends where there is no model', async () => {
    expect(await ask(similarity('reference'), 'answer')).toMatchObject({ status: 'error', canRetry: false })
  })

  it.each([
    ['of different length', (text: string) => (text === 'reference' ? [1] : [1, 2])],
    ['of zeros', () => [0, 0]],
    ['with what is no number', () => [Number.NaN, 1]],
  ])('is an error for vectors %s', async (_, vectorOf) => {
    const report = await ask(similarity('reference', { model: embedder(vectorOf) }), 'answer')
    expect(report).toMatchObject({ status: 'error', qualifiers: ['infrastructure'] })
  })

  it('is no deterministic check: it may not pass over the failure of one', () => {
    expect(similarity('reference', { model: same }).description.deterministic).toBe(false)
  })
})

describe('given misuse', () => {
  it.each([
    ['an empty reference', () => similarity('  ')],
    ['a threshold of 0', () => similarity('reference', { threshold: 0 })],
    ['a threshold above 1', () => similarity('reference', { threshold: 70 })],
  ])('refuses %s', (_, make) => {
    expect(make).toThrow(UsageError)
  })
})
