/** A budget of output tokens: a model that stops early is sent on, and one that brings little is stopped. */
import { describe, expect, it } from 'vitest'
import { calls } from './model-server.ts'
import { tell, type Step } from './soft-tier-run.ts'

function spending(content: string, completionTokens: number): Step {
  const usage = { prompt_tokens: 50, completion_tokens: completionTokens }
  return { response: { content, usage } }
}

describe('given --token-budget', () => {
  const budget = ['--token-budget', '10000']

  it('when checks stay red and its rounds bring little, then the run ends as diminishing', async () => {
    const drafts = ['red', 'blue', 'green', 'black'].map((word) =>
      calls('write_file', { path: 'report.txt', content: `a ${word} draft\n` }),
    )
    const steps = drafts.flatMap((draft) => [draft, spending('Done.', 20)])
    const story = await tell({ steps, last: spending('Done.', 20), words: budget })
    expect(story.ended.exitCode).toBe(3)
    expect(story.result).toMatchObject({ reason: 'diminishing', outcome: 'exhausted', exitCode: 3, turns: 8 })
    expect(story.findings.at(-1)).toMatchObject({
      rule: 'token_budget',
      level: 'stop',
      numbers: { continuations: 3, budgetTokens: 10_000, diminishing: 1 },
    })
    expect(story.shown).toContain('→ exhausted after 8 turns: diminishing: ')
  })

  it('when no check is there, then a model that stops early is sent on, until the budget is used', async () => {
    const steps = [spending('That is the first part.', 4000), spending('That is the second part.', 4000)]
    const story = await tell({ steps, last: spending('That is all.', 1200), words: budget, until: null })
    expect(story.ended.exitCode).toBe(4)
    expect(story.result).toMatchObject({ reason: 'model_ended', outcome: 'unverified', turns: 3 })
    const labels = story.lines.flatMap(({ type, transition }) => (type === 'turn-ended' ? [transition] : []))
    expect(labels).toMatchObject([
      { kind: 'continue', reason: 'nudge_budget_left' },
      { kind: 'continue', reason: 'nudge_budget_left' },
      { kind: 'stop' },
    ])
    expect(JSON.stringify(story.requests[1]?.messages)).toContain('40%')
    expect(story.shown).toContain(
      'goes on: the drive is told that it has budget left (40 % of its 10,000 output tokens)',
    )
  })
})
