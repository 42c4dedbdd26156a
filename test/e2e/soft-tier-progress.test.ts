/** Work that leads nowhere: the same checks stay red, and nothing is better than the best. */
import { describe, expect, it } from 'vitest'
import { calls, says } from './model-server.ts'
import { rulesOf, tell } from './soft-tier-run.ts'

/** Numbers in a text are masked where texts are compared; words are not. */
const words = ['red', 'blue', 'green', 'black', 'white', 'brown', 'grey', 'pink', 'gold', 'teal']
const drafts = words.map((word) => calls('write_file', { path: 'report.txt', content: `a ${word} draft\n` }))

describe('given a model that says of every new draft that it is done', () => {
  it('then the run ends as loop_detected failed_check_repeat', async () => {
    const steps = drafts.flatMap((draft, at) => [draft, says(`Now it is done, in ${words[at]}.`)])
    const settings = { loopDetection: { failedCheckRepeatThreshold: 3 }, verifyWhen: 'on-claim' }
    const files = { 'donecheck.config.json': JSON.stringify(settings) }
    const story = await tell({ steps, last: says('Done.'), files })
    expect(story.ended.exitCode).toBe(3)
    expect(story.result).toMatchObject({
      reason: 'loop_detected',
      detector: 'failed_check_repeat',
      exitCode: 3,
    })
    expect(rulesOf(story)).toContain('loop:failed_check_repeat')
    expect(story.shown).toContain('loop_detected failed_check_repeat')
  })
})

describe('given a model whose drafts are never better than the first', () => {
  it('then it is told at half of the patience, and the run ends as stagnated', async () => {
    const files = { 'donecheck.config.json': JSON.stringify({ stagnation: { changesPerClaim: 1 } }) }
    const story = await tell({ steps: drafts, last: says('Done.'), words: ['--no-final-summary'], files })
    expect(story.ended.exitCode).toBe(3)
    expect(story.result).toMatchObject({ reason: 'stagnated', outcome: 'exhausted', exitCode: 3, turns: 8 })
    expect(story.findings).toMatchObject([
      { rule: 'stagnation', level: 'warn', numbers: { sinceBest: 4, patience: 8 } },
      { rule: 'stagnation', level: 'stop', numbers: { sinceBest: 8 }, stop: { reason: 'stagnated' } },
    ])
    expect(JSON.stringify(story.requests[4]?.messages)).toContain(
      'The last 4 verifications were no better than the best so far',
    )
    expect(story.shown).toMatch(/→ exhausted after 8 turns: stagnated: 8 verifications in a row/)
  })
})
