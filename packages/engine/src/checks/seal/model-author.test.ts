import { describe, expect, it, onTestFinished } from 'vitest'
import { UsageError } from '../../base/index.ts'
import { startFakeModels } from './fixtures/models.ts'
import { judgeAccount } from '../judge/index.ts'
import { askAuthor } from './ask-author.ts'
import type { CheckAuthor } from './author.ts'
import { countsQuantities, rightSolution } from './fixtures/shop.ts'
import { modelAuthor, type ModelAuthorOptions } from './model-author.ts'

const tree = { paths: [], omittedPaths: 0, files: [], checks: [] }
const request = { runId: 'run-1', task: 'do it', tree }
const never = new AbortController().signal
const tiny = { tiny: { inputPerMillionTokens: 1, outputPerMillionTokens: 1 } }
const asked = (author: CheckAuthor) => askAuthor(author, request, never)

/** What comes of an author whose model answers with this text. */
async function answering(text: string, options: Partial<ModelAuthorOptions> = {}) {
  const fake = await startFakeModels()
  onTestFinished(() => fake.close())
  fake.models.onMessage(/./, { content: text })
  const { baseUrl } = fake
  return asked(modelAuthor({ model: 'tiny', baseUrl, environment: {}, prices: tiny, ...options }))
}

describe('given a model that writes checks', () => {
  const proposal = { checks: [countsQuantities], solution: rightSolution }

  it('its JSON is the proposal, and the call has its price', async () => {
    const { author, proposal: given } = await answering(
      `Here:\n\`\`\`json\n${JSON.stringify(proposal)}\n\`\`\``,
    )
    expect(given).toEqual(proposal)
    expect(author.name).toBe('openai-compatible/tiny')
    expect(author.costUsd).toBeGreaterThan(0)
  })

  it('an answer in words is not understood, and has its price all the same', async () => {
    const { author, proposal: given } = await answering('I would rather not.')
    expect(given).toBeUndefined()
    expect(author.problem).toContain('its answer is not understood')
    expect(author.costUsd).toBeGreaterThan(0)
  })

  it('a budget that is too small is not touched', async () => {
    const account = judgeAccount({ maxCostUsd: 0.000_001 })
    const { author } = await answering('{}', { account })
    expect(author.problem).toContain("the judges' budget of $0.000001 is used up")
    expect(author.costUsd).toBe(0)
  })

  it('a key that is missing is said when it is asked, a name that is none at once', async () => {
    const author = modelAuthor({ model: 'openai/gpt-5', environment: {} })
    expect((await asked(author)).author.problem).toContain('set OPENAI_API_KEY in the environment')
    expect(() => modelAuthor({ model: 'gpt-5' })).toThrow(UsageError)
  })
})
