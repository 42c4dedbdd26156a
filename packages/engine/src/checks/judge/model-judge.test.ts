/** One judge over the real SDK, against servers that stand in for its provider. */
import type { ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { UsageError } from '../../base/index.ts'
import { judgeAccount } from './call-judge.ts'
import {
  aCase,
  closedAddress,
  givenFakeJudge,
  givenServer,
  judgeAt,
  neverAborted,
  startFakeModels,
  streamAll,
} from './fixtures/cases.ts'
import { modelJudge } from './model-judge.ts'

describe('given a server that answers', () => {
  it('asks once: without tools, at temperature 0, rubric and grammar first, the case as data', async () => {
    const { models, judge, latestBody } = await givenFakeJudge()
    models.onMessage('Paris', { content: 'It names the city.\nQUOTE: Paris.\nPASS' })
    expect(await judge.judge(aCase(), neverAborted)).toMatchObject({
      kind: 'met',
      reason: 'It names the city.',
      quotes: [{ text: 'Paris.' }],
    })
    const body = JSON.stringify(latestBody())
    expect(latestBody()).toMatchObject({ temperature: 0, model: 'tiny' })
    expect(latestBody()).not.toHaveProperty('tools')
    expect(body).toContain('The question is answered.')
    expect(body.indexOf('What is the capital')).toBeLessThan(body.lastIndexOf('Paris.'))
    expect(models.getRequests()).toHaveLength(1)
  })

  it('tells what it used and what that cost', async () => {
    const prices = { tiny: { inputPerMillionTokens: 1000, outputPerMillionTokens: 10_000 } }
    const { models, judge } = await givenFakeJudge({ prices })
    models.onMessage(/./, { content: 'PASS', usage: { prompt_tokens: 90, completion_tokens: 9 } })
    const { tokens, costUsd } = await judge.judge(aCase(), neverAborted)
    expect(tokens).toBe(99)
    expect(costUsd).toBeCloseTo(0.18)
  })
})

describe.each([
  ['openai/gpt-4o', { OPENAI_API_KEY: 'k' }, 'OPENAI_BASE_URL', '/v1'],
  ['anthropic/claude-sonnet-4-5', { ANTHROPIC_API_KEY: 'k' }, 'ANTHROPIC_BASE_URL', '/v1'],
  [
    'google/gemini-2.5-flash',
    { GOOGLE_GENERATIVE_AI_API_KEY: 'k' },
    'GOOGLE_GENERATIVE_AI_BASE_URL',
    '/v1beta',
  ],
])('given %s', (model, key, variable, path) => {
  it('reads its lines', async () => {
    const fake = await startFakeModels()
    onTestFinished(() => fake.close())
    const content = 'The date is missing.\nQUOTE: Paris.\nSCORE: 0.5\nFAIL [incomplete]: Add the date.'
    fake.models.onMessage(/./, { content })
    const judge = modelJudge({ model, environment: { ...key, [variable]: `${fake.origin}${path}` } })
    expect(await judge.judge(aCase(), neverAborted)).toMatchObject({
      kind: 'not-met',
      reason: 'Add the date.',
      category: 'incomplete',
      score: 0.5,
      quotes: [{ text: 'Paris.' }],
    })
  })
})

function refuse(status: number, body: unknown): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1' })
    response.end(JSON.stringify(body))
  }
}

describe('given a judge that cannot be asked', () => {
  it('says so for a dead server', async () => {
    const judge = judgeAt(await closedAddress(), { tries: 1 })
    const answer = await judge.judge(aCase(), neverAborted)
    expect(answer).toMatchObject({ kind: 'abstained', unavailable: true })
    expect(answer.reason).toContain('cannot be reached')
  })

  it.each([
    [404, { error: { message: 'no such model' } }, 1],
    [401, { error: { message: 'bad key' } }, 1],
    [503, { error: { message: 'overloaded' } }, 3],
    [429, { error: { message: 'slow down' } }, 3],
  ])('says so for status %i, after as many tries as may help', async (status, body, tries) => {
    let asked = 0
    const judge = await givenServer((response) => {
      asked += 1
      refuse(status, body)(response)
    })
    const answer = await judge.judge(aCase(), neverAborted)
    expect(answer).toMatchObject({ kind: 'abstained', unavailable: true })
    expect(answer.reason).toContain(body.error.message)
    expect(asked).toBe(tries)
  })

  it('says so without a key, and asks nobody', async () => {
    const judge = modelJudge({ model: 'openai/gpt-5', environment: {} })
    expect(await judge.judge(aCase(), neverAborted)).toMatchObject({
      kind: 'abstained',
      unavailable: true,
      reason: 'model "openai/gpt-5" needs a key: set OPENAI_API_KEY in the environment',
      costUsd: 0,
    })
  })

  it('says so when its time is over', async () => {
    const judge = await givenServer(() => undefined, { timeoutMs: 50 })
    expect(await judge.judge(aCase(), neverAborted)).toMatchObject({
      kind: 'abstained',
      unavailable: true,
      reason: 'it did not answer within 0.05 s',
    })
  })

  it('says so where its answer was cut off, whatever stands in it', async () => {
    const judge = await givenServer((response) =>
      streamAll(response, { content: 'PASS' }, { finish_reason: 'length' }),
    )
    const answer = await judge.judge(aCase(), neverAborted)
    expect(answer).toMatchObject({ kind: 'abstained', unavailable: true })
  })
})

describe('given an answer that cannot be read', () => {
  it('asks again, and takes the one that can be read', async () => {
    let asked = 0
    const judge = await givenServer((response) => {
      asked += 1
      const content = asked < 3 ? 'Looks good!' : 'PASS'
      streamAll(response, { content }, { finish_reason: 'stop' })
    })
    expect(await judge.judge(aCase(), neverAborted)).toMatchObject({ kind: 'met' })
    expect(asked).toBe(3)
  })

  it('is silent after two repeats, and asks for a score that is needed', async () => {
    let asked = 0
    const judge = await givenServer((response) => {
      asked += 1
      streamAll(response, { content: 'PASS' }, { finish_reason: 'stop' })
    })
    const answer = await judge.judge({ ...aCase(), minScore: 0.8 }, neverAborted)
    expect(answer).toMatchObject({ kind: 'abstained', unavailable: true })
    expect(answer.reason).toContain('it gives no score, and 0.8 is needed')
    expect(asked).toBe(3)
  })
})

describe('given trouble that passes', () => {
  it.each([
    [503, 'overloaded'],
    [400, 'temperature is not supported'],
  ])('asks again after status %i: %s', async (status, message) => {
    let asked = 0
    const judge = await givenServer((response) => {
      asked += 1
      if (asked === 1) refuse(status, { error: { message } })(response)
      else streamAll(response, { content: 'PASS' }, { finish_reason: 'stop' })
    })
    expect(await judge.judge(aCase(), neverAborted)).toMatchObject({ kind: 'met' })
  })
})

describe('given a budget', () => {
  const prices = { tiny: { inputPerMillionTokens: 10, outputPerMillionTokens: 100 } }

  it('asks nobody where the worst case does not fit (I9)', async () => {
    const account = judgeAccount({ maxCostUsd: 0.01 })
    const { models, judge } = await givenFakeJudge({ prices, account })
    const answer = await judge.judge(aCase(), neverAborted)
    expect(answer).toMatchObject({ kind: 'abstained', unavailable: true, costUsd: 0 })
    expect(answer.reason).toMatch(/^the judges' budget of \$0\.01 is used up/)
    expect(models.getRequests()).toEqual([])
  })
})

describe('describing itself', () => {
  const prices = { tiny: { inputPerMillionTokens: 1, outputPerMillionTokens: 1 } }
  const at = 'http://127.0.0.1:1/v1'

  it('has the family of its model, and an identity of model and prompts alone', () => {
    const judge = modelJudge({ model: 'anthropic/claude-haiku-4-5' })
    expect(judge).toMatchObject({ name: 'anthropic/claude-haiku-4-5', family: 'claude' })
    const { identity } = judgeAt(at)
    expect(judgeAt(at, { timeoutMs: 1, prices, name: 'other' }).identity).toBe(identity)
    expect(judgeAt(at, { model: 'large' }).identity).not.toBe(identity)
    expect(judgeAt(at, { categories: ['too_long'] }).identity).not.toBe(identity)
  })

  it.each([
    { model: 'gpt-5', baseUrl: undefined },
    { timeoutMs: 0 },
    { tries: 1.5 },
    { maxOutputTokens: -1 },
    { account: judgeAccount({ maxCostUsd: 1 }) },
  ])('refuses misuse: %j', ({ baseUrl = at, ...options }) => {
    const place = options.model === 'gpt-5' ? {} : { baseUrl }
    expect(() => modelJudge({ model: 'tiny', environment: {}, ...place, ...options })).toThrow(UsageError)
  })

  it.each([{ maxCostUsd: 0 }, { maxTokens: -1 }, { maxCostUsd: Number.NaN }])(
    'refuses the account %j',
    (bounds) => {
      expect(() => judgeAccount(bounds)).toThrow(UsageError)
    },
  )
})
