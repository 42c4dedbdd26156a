/** The loop through the public command: every way in which a run ends, what is on record of it, and how it goes on. */
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson } from '../e2e/donecheck.ts'
import { calls, says } from '../e2e/model-server.ts'
import { tell } from '../e2e/soft-tier-run.ts'

const until = ['--until', 'test -e done.txt'] as const
const task = 'Make done.txt.'
/** Claims that it is done, and does the work only when its claim was not believed. */
const hasty = 'cat > prompt.txt; if test -e claimed; then touch done.txt; fi; touch claimed; echo "All done!"'
const idle = 'cat > /dev/null; echo "All done!"'
const draft = calls('write_file', { path: 'report.txt', content: 'a draft\n' })

describe('given an agent whose first claim is wrong', () => {
  it('then its stop is blocked with the evidence, and the run is verified after the work', async () => {
    await inPlace({ 'agent.sh': hasty }, async (place) => {
      const ended = await place.run(['run', ...until, '--agent', 'sh agent.sh', task])
      expect(ended.stdout).toContain('→ verified after 2 turns: test -e done.txt passed (exit 0)')
      expect(ended.exitCode).toBe(0)
      const events = (await place.run(['show', 'last', '--json'])).stdout
      expect(events).toContain('"verifier_feedback"')
      expect(events).toContain('The task is not done')
    })
  })
})

describe('given every other end that an agent program can come to', () => {
  it.each([
    ['exhausted', 'hard_cap', 3, [...until, '--agent', 'sh idle.sh', '--max-turns', '2']],
    ['unverified', 'model_ended', 4, ['--unchecked', '--agent', 'sh idle.sh']],
    ['blocked', 'blocked', 5, ['--until', 'no-such-program', '--agent', 'sh idle.sh']],
    ['error', 'error', 70, [...until, '--agent', 'exec no-such-agent']],
  ])('then it is %s, by the reason %s, and exits with %i', async (outcome, reason, exitCode, words) => {
    await inPlace({ 'idle.sh': idle }, async (place) => {
      const ended = await place.run(['run', ...words, '--json', task])
      expect(lastJson(ended)).toMatchObject({ type: 'result', outcome, reason, exitCode })
      expect(ended.exitCode).toBe(exitCode)
    })
  })

  it('then Ctrl-C interrupts it, exits with 130, and it goes on to its end when it is resumed', async () => {
    const waits = 'touch begun.txt; if test -e go.txt; then touch done.txt; else exec tail -f /dev/null; fi'
    await inPlace({ 'agent.sh': waits }, async (place) => {
      const run = place.start(['run', ...until, '--agent', 'sh agent.sh', task])
      await run.shows('turn 1')
      run.child.kill('SIGINT')
      const ended = await run.ended
      expect(ended.stdout).toContain('→ interrupted')
      expect(ended.exitCode).toBe(130)
      await place.write('go.txt', '')
      const resumed = await place.run(['resume', 'last'])
      expect(resumed.stdout).toContain('→ verified')
      expect(resumed.exitCode).toBe(0)
    })
  })
})

describe('given a model that never gets there, and one cap', () => {
  const prices = {
    'openai-compatible/fake-model': { inputPerMillionTokens: 100, outputPerMillionTokens: 100 },
  }
  const priced = { 'donecheck.config.json': JSON.stringify({ prices }) }

  it.each([
    ['iterations', ['--max-turns', '3'], {}],
    ['model_calls', ['DONECHECK_MAX_MODEL_CALLS=3'], {}],
    ['tool_calls', ['--max-tool-calls', '2'], {}],
    ['tokens', ['--max-tokens', '4000'], {}],
    ['cost', ['--max-cost-usd', '1'], priced],
  ])('then the hard tier ends it at the cap %s', async (cap, words, files) => {
    const off = ['--loop-detection', 'off', '--stagnation', 'off', '--final-summary', 'off']
    const { result, ended } = await tell({ last: draft, words: [...words, ...off], files })
    expect(result).toMatchObject({ reason: 'hard_cap', cap, outcome: 'exhausted', exitCode: 3 })
    expect(result['turns']).toBeGreaterThan(0)
    expect(ended.exitCode).toBe(3)
  })

  it('then a cap on time finds what is done when it is reached', async () => {
    await inPlace({ 'agent.sh': 'touch done.txt; exec tail -f /dev/null' }, async (place) => {
      const words = ['--agent', 'sh agent.sh', '--max-seconds', '10', '--json']
      const ended = await place.run(['run', ...until, ...words, task])
      expect(lastJson(ended)).toMatchObject({ reason: 'task_complete', atCap: 'wall_clock', exitCode: 0 })
    })
  })
})

describe('given a model that leads nowhere, and no cap that it reaches', () => {
  it('then the soft tier tells, refuses and ends a loop, never as verified', async () => {
    const reads = calls('read_file', { path: 'notes.txt' })
    const story = await tell({ last: reads, files: { 'notes.txt': 'Nothing of use.\n' } })
    expect(story.findings[0]).toMatchObject({ level: 'warn' })
    expect(story.refusals.length).toBeGreaterThan(0)
    expect(story.findings.at(-1)).toMatchObject({ level: 'stop' })
    expect(story.result).toMatchObject({ reason: 'loop_detected', outcome: 'exhausted', exitCode: 3 })
    expect(story.shown).toContain('→ exhausted after')
  })

  it('then the soft tier ends work that gets no better as stagnated', async () => {
    const drafts = ['red', 'blue', 'green', 'black', 'white', 'brown', 'grey', 'pink', 'gold', 'teal']
    const steps = drafts.map((word) =>
      calls('write_file', { path: 'report.txt', content: `a ${word} draft\n` }),
    )
    const files = { 'donecheck.config.json': JSON.stringify({ stagnation: { changesPerClaim: 1 } }) }
    const story = await tell({ steps, last: says('Done.'), words: ['--final-summary', 'off'], files })
    expect(story.result).toMatchObject({ reason: 'stagnated', outcome: 'exhausted', exitCode: 3, turns: 8 })
  })
})

describe('given nothing but the word of the model: the lazy tier', () => {
  it('then its word ends the run where no check is there, and never as a success', async () => {
    const { result } = await tell({ steps: [draft], last: says('All done!'), until: null })
    expect(result).toMatchObject({ reason: 'model_ended', outcome: 'unverified', exitCode: 4 })
  })

  it('then its word ends nothing where a check is red', async () => {
    const steps = [says('All done!'), calls('write_file', { path: 'report.txt', content: 'DONE\n' })]
    const { result } = await tell({ steps, last: says('Done.') })
    expect(result).toMatchObject({ reason: 'task_complete', outcome: 'verified', turns: 2 })
  })

  it('then the four tiers are told before a run', async () => {
    await inPlace({}, async (place) => {
      const { stdout } = await place.run(['run', '--dry-run', ...until, '--max-turns', '7'])
      expect(stdout).toMatch(
        /Hard verifiers[^]*✓ test -e done\.txt[^]*Soft verifiers[^]*Lazy checks[^]*iterations +7/,
      )
    })
  })
})

describe('given a run that has ended at its cap', () => {
  it('then it is listed, shown, explained, and goes on with more turns, which are counted on', async () => {
    await inPlace({ 'agent.sh': idle }, async (place) => {
      const words = ['--agent', 'sh agent.sh', '--max-turns', '2', '--final-summary', 'off']
      await place.run(['run', ...until, ...words, task])
      expect((await place.run(['list'])).stdout).toMatch(/exhausted: turns\s+Make done\.txt\./)
      const shown = (await place.run(['show', 'last'])).stdout
      for (const part of ['turn 1', 'turn 2', 'test -e done.txt', '→ exhausted after 2 turns: hard_cap'])
        expect(shown).toContain(part)
      expect((await place.run(['explain', 'last'])).stdout).toContain('hard_cap')

      const refused = await place.run(['resume', 'last'])
      expect(refused.exitCode).toBe(2)
      expect(refused.stderr).toContain('--top-up turns=')
      const more = await place.run(['resume', 'last', '--top-up', 'turns=2', '--json'])
      expect(lastJson(more)).toMatchObject({ reason: 'hard_cap', cap: 'iterations', turns: 4, exitCode: 3 })
      expect((await place.run(['show', 'last'])).stdout).toContain('added by --top-up: 2 turns')
      await place.write('agent.sh', 'touch done.txt; echo "Now it is."')
      const last = await place.run(['resume', 'last', '--top-up', 'turns=1', '--json'])
      expect(lastJson(last)).toMatchObject({ outcome: 'verified', turns: 5, exitCode: 0 })
    })
  })
})

describe('given a run whose process was killed', () => {
  it('then it is resumed in the middle, by the same record', async () => {
    const agent = 'test -e go.txt || { touch begun.txt; exec tail -f /dev/null; }; touch done.txt; echo done'
    await inPlace({ 'agent.sh': agent }, async (place) => {
      const run = place.start(['run', ...until, '--agent', 'sh agent.sh', task])
      await run.shows('turn 1')
      run.child.kill('SIGKILL')
      await run.ended
      await place.write('go.txt', '')
      const resumed = await place.run(['resume', 'last', '--json'])
      expect(lastJson(resumed)).toMatchObject({ outcome: 'verified', exitCode: 0 })
      expect((await place.run(['list'])).stdout.trim().split('\n')).toHaveLength(1)
    })
  })
})
