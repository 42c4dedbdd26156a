import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { MockEmbeddingModelV4 } from 'ai/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UsageError } from '../../errors.ts'
import type { VerifierContext } from '../../ports.ts'
import { verifierContract } from '../../testing/contracts/verifier-contract.ts'
import { referenceSimilarity, type ReferenceSimilarityOptions } from './reference-similarity.ts'
import type { SimilarityModel } from './similarities.ts'

/** A model that gives these vectors: the text's own first, then those of the references. */
function giving(...embeddings: number[][]): SimilarityModel {
  return new MockEmbeddingModelV4({
    maxEmbeddingsPerCall: 100,
    doEmbed: async () => ({ embeddings, warnings: [] }),
  })
}

verifierContract('referenceSimilarity', {
  passing: () => referenceSimilarity({ references: ['It is done.'], model: 'lexical' }),
  failing: () => referenceSimilarity({ references: ['Something else'], model: 'lexical' }),
  undecided: () => referenceSimilarity({ references: ['It is done.'], model: undefined }),
  hanging: (onStart) => {
    const doEmbed = () => {
      onStart()
      return new Promise<never>(() => undefined)
    }
    return referenceSimilarity({ references: ['x'], model: new MockEmbeddingModelV4({ doEmbed }) })
  },
})

function ask(options: Partial<ReferenceSimilarityOptions>, finalText = 'the answer') {
  const context: VerifierContext = {
    runId: 'run-1',
    workFolder: null,
    task: 'write it',
    finalText,
    trigger: 'claim',
    turn: 1,
    fingerprint: undefined,
    baseline: undefined,
  }
  const verifier = referenceSimilarity({ references: ['one'], model: undefined, ...options })
  return verifier.verify(context, new AbortController().signal)
}

describe('given a model', () => {
  it('passes where the best reference reaches the threshold, and shows each', async () => {
    const report = await ask({
      references: ['one', 'two'],
      model: giving([1, 0], [0, 1], [3, 4]),
      threshold: 0.6,
    })
    expect(report).toMatchObject({ status: 'passed', score: 0.6 })
    expect(report.evidence).toEqual([
      { kind: 'measure', name: 'similarity to reference 1', value: 0, bound: 0.6 },
      { kind: 'measure', name: 'similarity to reference 2', value: 0.6, bound: 0.6 },
    ])
  })

  it('fails below 0.7 where no threshold is given', async () => {
    expect(await ask({ model: giving([1, 0], [0.69, Math.sqrt(1 - 0.69 ** 2)]) })).toMatchObject({
      status: 'failed',
    })
    expect(await ask({ model: giving([1, 0], [0.71, Math.sqrt(1 - 0.71 ** 2)]) })).toMatchObject({
      status: 'passed',
    })
  })

  it('wants as many references as are asked for', async () => {
    const model = giving([1, 0], [1, 0], [0, 1])
    const references = ['one', 'two']
    expect(await ask({ references, model, atLeast: 1 })).toMatchObject({ status: 'passed' })
    expect(await ask({ references, model, atLeast: 2 })).toMatchObject({ status: 'failed' })
  })

  it('fails for the opposite, with a score that can be recorded', async () => {
    expect(await ask({ model: giving([1, 0], [-1, 0]) })).toMatchObject({ status: 'failed', score: 0 })
  })

  it.each(['', ' \n\t'])('fails for the empty answer %j without asking the model', async (text) => {
    expect(await ask({ model: giving() }, text)).toMatchObject({
      status: 'failed',
      reason: 'the answer is empty',
    })
  })
})

describe('given a model that cannot be believed', () => {
  it.each<[string, SimilarityModel]>([
    ['gives NaN', giving([1, 0], [Number.NaN, 1])],
    ['gives infinity', giving([1, 0], [Number.POSITIVE_INFINITY, 1])],
    ['gives zeros for the text', giving([0, 0], [1, 0])],
    ['gives zeros for a reference', giving([1, 0], [0, 0])],
    ['gives vectors of two lengths', giving([1, 0], [1, 0, 0])],
    ['gives empty vectors', giving([], [])],
    ['gives too few', giving([1, 0])],
    ['gives too many', giving([1, 0], [1, 0], [1, 0])],
    ['gives vectors that cannot be multiplied', giving([1e200, 0], [1e200, 0])],
    ['throws', new MockEmbeddingModelV4({ doEmbed: () => Promise.reject(new Error('no quota')) })],
  ])('is an error of the surroundings where it %s', async (_, model) => {
    expect(await ask({ model })).toMatchObject({ status: 'error', qualifiers: ['infrastructure'] })
  })

  it('is an error where there is none: words are compared only when asked for by name', async () => {
    const report = await ask({ references: ['the answer'], model: undefined })
    expect(report).toMatchObject({ status: 'error', qualifiers: ['infrastructure'] })
    expect(report.reason).toContain('"lexical"')
  })
})

describe('given a server that speaks the wire format of embeddings', () => {
  let server: Server
  let baseURL = ''

  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = ''
      request.on('data', (piece: Buffer) => (body += piece.toString()))
      request.on('end', () => {
        if (body.includes('"broken"'))
          return response.writeHead(500).end('{"error":{"message":"out of memory"}}')
        const { input } = JSON.parse(body) as { readonly input: readonly string[] }
        const data = input.map((text, index) => ({ object: 'embedding', index, embedding: [text.length, 1] }))
        const usage = { prompt_tokens: 1, total_tokens: 1 }
        return response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ object: 'list', model: 'm', data, usage }))
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    baseURL = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/v1`
  })

  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })

  const model = (name: string) => createOpenAICompatible({ name: 'local', baseURL }).embeddingModel(name)

  it('compares what comes back', async () => {
    expect(await ask({ model: model('m'), references: ['the-answer'] })).toMatchObject({
      status: 'passed',
      score: 1,
    })
  })

  it('is an error of the surroundings where it fails', async () => {
    expect(await ask({ model: model('broken') })).toMatchObject({
      status: 'error',
      qualifiers: ['infrastructure'],
    })
  })

  it('is an error of the surroundings where nobody is there', async () => {
    const gone = createOpenAICompatible({ name: 'local', baseURL: 'http://127.0.0.1:1/v1' })
    expect(await ask({ model: gone.embeddingModel('m') })).toMatchObject({
      status: 'error',
      qualifiers: ['infrastructure'],
    })
  })
})

describe('given the words alone', () => {
  it('passes for the same words, and fails for others', async () => {
    expect(await ask({ references: ['The ANSWER!'], model: 'lexical' })).toMatchObject({ status: 'passed' })
    expect(await ask({ references: ['nothing like it'], model: 'lexical' })).toMatchObject({
      status: 'failed',
    })
  })

  it('fails for an answer without a word', async () => {
    expect(await ask({ references: ['one'], model: 'lexical' }, '?!')).toMatchObject({ status: 'failed' })
  })
})

describe('describing itself', () => {
  it('may be remembered for the words, not for a model', () => {
    const options = { references: ['one'], threshold: 0.5 }
    expect(referenceSimilarity({ ...options, model: 'lexical' }).inputs).toEqual({
      definition: {
        kind: 'referenceSimilarity',
        model: 'lexical',
        references: ['one'],
        threshold: 0.5,
        atLeast: 1,
      },
      environmentDigest: undefined,
      readsAnswer: true,
      files: [],
    })
    expect(referenceSimilarity({ ...options, model: giving() }).inputs).toBeUndefined()
  })
})

describe('given misuse', () => {
  it.each<Partial<ReferenceSimilarityOptions>>([
    { references: [] },
    { references: [''] },
    { references: ['!'] },
    { threshold: 0 },
    { threshold: 1.1 },
    { threshold: Number.NaN },
    { atLeast: 0 },
    { atLeast: 2 },
    { model: 'text-embedding-3-small' as unknown as SimilarityModel },
  ])('refuses %j', (options) => {
    expect(() => referenceSimilarity({ references: ['one'], model: 'lexical', ...options })).toThrow(
      UsageError,
    )
  })
})
