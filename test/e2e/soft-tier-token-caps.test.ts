/** Caps on tokens of one kind: each ends the run under its own name. */
import { describe, expect, it } from 'vitest'
import { says } from './model-server.ts'
import { tell, type Step } from './soft-tier-run.ts'

/** Writes a draft, and the server tells what the reply has cost. */
function draft(word: string, usage: Readonly<Record<string, unknown>>): Step {
  const args = JSON.stringify({ path: 'report.txt', content: `a ${word} draft\n` })
  return { response: { toolCalls: [{ name: 'write_file', arguments: args }], usage } }
}

const drafts = (usage: Readonly<Record<string, unknown>>) =>
  ['red', 'blue', 'green', 'black', 'white', 'brown'].map((word) => draft(word, usage))

describe('given a cap on tokens of one kind', () => {
  const kinds = [
    ['output_tokens', ['--max-total-output-tokens', '1000'], { prompt_tokens: 50, completion_tokens: 300 }],
    [
      'uncached_input_tokens',
      ['--max-uncached-input-tokens', '5000'],
      { prompt_tokens: 2000, completion_tokens: 20 },
    ],
    [
      'cached_input_tokens',
      ['--max-cached-input-tokens', '3000'],
      { prompt_tokens: 2000, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 1800 } },
    ],
    [
      'reasoning_tokens',
      ['--max-reasoning-tokens', '1000'],
      { prompt_tokens: 50, completion_tokens: 300, completion_tokens_details: { reasoning_tokens: 290 } },
    ],
  ] as const

  it.each(kinds)('%s: then the run ends as hard_cap of that name', async (cap, flag, usage) => {
    const words = [...flag, '--max-output-tokens', '300', '--no-final-summary']
    const story = await tell({ steps: drafts(usage), last: says('Done.'), words, tellsTokensByKind: true })
    expect(story.ended.exitCode).toBe(3)
    expect(story.result).toMatchObject({ reason: 'hard_cap', cap, outcome: 'exhausted', exitCode: 3 })
    expect(story.requests.length).toBeGreaterThan(0)
    expect(story.requests.length).toBeLessThan(6)
    const noun = cap.replaceAll('_', ' ').slice(0, -1)
    expect(story.shown).toMatch(new RegExp(`hard_cap: .*${noun}`))
  })
})
