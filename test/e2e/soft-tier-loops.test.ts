/** Every kind of loop ends a run under its own name. */
import { describe, expect, it } from 'vitest'
import { calls, says } from './model-server.ts'
import { rulesOf, tell, type Step } from './soft-tier-run.ts'

const summary = 'Nothing is written yet.'

/** Several shell commands in one reply. */
function shell(commands: readonly string[]): Step {
  const toolCalls = commands.map((command) => ({ name: 'run_shell', arguments: JSON.stringify({ command }) }))
  return { response: { toolCalls } }
}

describe('given a model that calls a tool that does not exist', () => {
  it('then the run ends as loop_detected cycle', async () => {
    const steps = Array.from({ length: 8 }, () => calls('fly', { to: 'the end' }))
    const story = await tell({ steps, last: says(summary) })
    expect(story.ended.exitCode).toBe(3)
    expect(story.result).toMatchObject({
      reason: 'loop_detected',
      detector: 'cycle',
      exitCode: 3,
    })
    expect(rulesOf(story)).toContain('loop:cycle')
    expect(story.shown).toContain('loop_detected cycle')
  })
})

describe('given a model whose commands all fail in one way', () => {
  it('then it is told, and the run ends as loop_detected same_failure', async () => {
    const parts = 'abcdefghijkl'.split('')
    const steps = [1, 2, 3].map((round) => shell(parts.map((part) => `make-report --part ${part}${round}`)))
    const story = await tell({ steps, last: says(summary) })
    expect(story.ended.exitCode).toBe(3)
    expect(story.result).toMatchObject({ reason: 'loop_detected', detector: 'same_failure', summary })
    expect(story.findings[0]).toMatchObject({ rule: 'loop:same_failure', level: 'warn' })
    expect(story.shown).toMatch(/! same_failure: run_shell failed in the same way \d+ times/)
    expect(story.shown).toContain('loop_detected same_failure')
    expect(story.requests.at(-2)).toHaveProperty('tools')
    expect(story.requests.at(-1)).not.toHaveProperty('tools')
    expect(JSON.stringify(story.requests.at(-1))).toContain('You have no tools any more')
  })
})

describe('given a model whose replies chant', () => {
  it('then the run ends as loop_detected repeated_reply, and its answer is marked as not confirmed', async () => {
    const chant = 'I will write the report now. '.repeat(40)
    const story = await tell({ last: says(chant) })
    expect(story.ended.exitCode).toBe(3)
    expect(story.result).toMatchObject({
      reason: 'loop_detected',
      detector: 'repeated_reply',
      summaryBy: 'withheld-answer',
    })
    expect(rulesOf(story)).toContain('loop:repeated_reply')
    expect(story.shown).toContain('loop_detected repeated_reply')
    expect(story.shown).toContain('which the checks did not confirm')
  })
})
