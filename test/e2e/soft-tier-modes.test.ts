/** Every rule can be switched off or only record, and that is said at the start. */
import { describe, expect, it } from 'vitest'
import { calls, says } from './model-server.ts'
import { rulesOf, tell } from './soft-tier-run.ts'

const files = { 'notes.txt': 'Nothing of use.\n' }
const last = calls('read_file', { path: 'notes.txt' })
const atMost = ['--max-turns', '10', '--no-final-summary']

describe('given rules that are off', () => {
  it('then that is said at the start, nothing is found or refused, and the cap ends the run', async () => {
    const words = [...atMost, '--loop-detection', 'off', '--stagnation', 'off']
    const story = await tell({ last, files, words })
    expect(story.shown).toContain('! switched off: loop detection, stagnation')
    expect(rulesOf(story).filter((rule) => !rule.startsWith('cap:'))).toEqual([])
    expect(story.refusals).toEqual([])
    expect(story.result).toMatchObject({ reason: 'hard_cap', cap: 'iterations', exitCode: 3, turns: 10 })
  })

  it('then single detectors are named as well', async () => {
    const settings = { loopDetection: { detectors: { cycle: 'off', same_failure: 'shadow' } } }
    const config = { 'donecheck.config.json': JSON.stringify(settings) }
    const story = await tell({ last, files: { ...files, ...config }, words: atMost })
    expect(story.shown).toContain('! switched off: cycle')
    expect(story.shown).toContain('! only recorded: same_failure')
    expect(rulesOf(story)).not.toContain('loop:cycle')
    expect(rulesOf(story)).toContain('loop:generic_repeat')
    expect(story.result).toMatchObject({ reason: 'hard_cap', turns: 10 })
  })
})

describe('given the last check and the final summary switched off', () => {
  it('then that is said at the start, and the end says that nothing was checked', async () => {
    const words = ['--max-turns', '2', '--no-final-summary', 'DONECHECK_VERIFY_AT_CAP=false']
    const story = await tell({ last, files, words })
    expect(story.shown).toContain('! switched off: summary of a run that ends early, last check at a cap')
    expect(story.shown).toContain('last check switched off')
  })
})

describe('given rules in shadow', () => {
  it('then a token budget that only records is named as well, and nobody is sent on', async () => {
    const settings = JSON.stringify({ tokenBudget: { budgetTokens: 10_000, mode: 'shadow' } })
    const config = { 'donecheck.config.json': settings }
    const story = await tell({ last: says('That is all.'), files: config, until: null })
    expect(story.shown).toContain('! only recorded: token budget')
    expect(rulesOf(story)).toContain('shadow:token_budget')
    expect(story.result).toMatchObject({ reason: 'model_ended', turns: 1 })
  })

  it('then what would have been done is recorded and shown, and nothing is done', async () => {
    const words = [...atMost, '--loop-detection', 'shadow', '--stagnation', 'shadow']
    const story = await tell({ last, files, words })
    expect(story.shown).toContain('! only recorded: loop detection, stagnation')
    const shadows = story.findings.filter(({ rule }) => rule === 'shadow:cycle')
    expect(shadows.map(({ level }) => level)).toContain('note')
    expect(story.shown).toContain('would be critical: read_file and what it gave repeat')
    expect(rulesOf(story).filter((rule) => rule.startsWith('loop:'))).toEqual([])
    expect(JSON.stringify(story.requests.at(-1)?.messages)).not.toContain('You repeat calls')
    expect(story.refusals).toEqual([])
    expect(story.result).toMatchObject({ reason: 'hard_cap', cap: 'iterations', turns: 10 })
  })
})
