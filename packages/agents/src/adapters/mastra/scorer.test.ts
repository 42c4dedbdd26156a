import { describe, expect, it } from 'vitest'
import { verifyWork } from '@donecheck/engine/compose'
import { verifierOf } from '@donecheck/engine/verify'
import { completionScorer, scorerVerifier } from './scorer.ts'

const polite = verifierOf('polite', ({ finalText }) => finalText.includes('please'), { reads: 'answer' })

describe('given the checks as a scorer of Mastra', () => {
  const scorer = completionScorer({ workFolder: null, hardVerifiers: [polite] })

  it('then 1 is verified, and 0 says what is open', async () => {
    expect(await scorer.run({ output: 'please' })).toMatchObject({ score: 1 })
    expect(await scorer.run({ output: 'Done.' })).toMatchObject({
      score: 0,
      reason: 'polite: failed: polite failed',
    })
  })
})

describe('given a scorer of Mastra as a check', () => {
  const judged = async (answer: object, atLeast?: number) => {
    const scorer = { id: 'tone', run: async () => answer }
    const check = scorerVerifier(scorer, atLeast === undefined ? {} : { atLeast })
    const { verdicts } = await verifyWork({ workFolder: null, hardVerifiers: [check] })
    return verdicts.map(({ verifier, status, reason }) => [verifier, status, reason])
  }

  it.each([
    [{ score: 1, reason: 'kind' }, undefined, 'passed', 'kind'],
    [{ score: 0.5 }, undefined, 'failed', 'the score is 0.5, and 1 is wanted'],
    [{ score: 0.5 }, 0.5, 'passed', 'the score is 0.5, and 0.5 is wanted'],
  ])('then %j of at least %s is %s', async (answer, atLeast, status, reason) => {
    expect(await judged(answer, atLeast)).toEqual([['tone', status, reason]])
  })

  it.each([{}, { score: Number.NaN }, { score: '1' }])('then %j decides nothing', async (answer) => {
    expect((await judged(answer)).map(([, status]) => status)).toEqual(['error'])
  })
})
