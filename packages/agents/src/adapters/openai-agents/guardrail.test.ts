import { describe, expect, it } from 'vitest'
import { verifyWork } from '@donecheck/engine/compose'
import { verifierOf } from '@donecheck/engine/verify'
import { guardrailVerifier, outputGuardrail } from './guardrail.ts'

const polite = verifierOf('polite', ({ finalText }) => finalText.includes('please'), { reads: 'answer' })

describe('given the checks as an output guardrail', () => {
  const guardrail = outputGuardrail({ workFolder: null, hardVerifiers: [polite], name: 'manners' })

  it.each([
    ['please', false],
    [{ text: 'please' }, false],
    ['Done.', true],
    [undefined, true],
  ])('then %j triggers its tripwire: %s', async (agentOutput, tripwireTriggered) => {
    expect(guardrail.name).toBe('manners')
    expect(await guardrail.execute({ agentOutput })).toMatchObject({
      tripwireTriggered,
      outputInfo: { verdicts: [{ verifier: 'polite' }] },
    })
  })
})

describe('given an output guardrail of the SDK as a check', () => {
  it.each([
    [{ tripwireTriggered: false, outputInfo: undefined }, 'passed', 'no tripwire was triggered'],
    [{ tripwireTriggered: true, outputInfo: 'it swears' }, 'failed', 'it swears'],
    [
      { tripwireTriggered: true, outputInfo: { word: 'x' } },
      'failed',
      'the tripwire was triggered: {"word":"x"}',
    ],
  ])('then %j is %s', async (answer, status, reason) => {
    const check = guardrailVerifier({ name: 'manners', execute: async () => answer })
    const { verdicts } = await verifyWork({ workFolder: null, hardVerifiers: [check] })
    expect(verdicts).toMatchObject([{ verifier: 'manners', status, reason }])
  })
})
