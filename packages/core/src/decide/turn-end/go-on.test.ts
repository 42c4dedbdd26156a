/** The feedback to the agent after a turn that does not end the run. */
import { describe, expect, it } from 'vitest'
import type { ContinueReason } from '../../events/transitions/index.ts'
import {
  begun,
  checked,
  claimed,
  edited,
  failedVerdict,
  given,
  passedVerdict,
  type Given,
} from '../../testing/index.ts'
import { modelCalled, modelReplied, tokens } from '../../testing/facts.ts'
import type { Judgement } from '../decision.ts'

const tests = 'npm test'

function saidBy(
  run: Given,
  judgement: Partial<Judgement> = {},
): readonly [ContinueReason | undefined, string | undefined] {
  const { decision } = run.afterNotes(judgement).whenDecided(judgement)
  return decision.kind === 'continue'
    ? [decision.transition.reason, decision.feedback]
    : [undefined, undefined]
}

describe('given a turn that is not over for the agent', () => {
  it('says what is red after a change', () => {
    const [reason, feedback] = saidBy(
      given(
        begun({ verifiers: [tests, 'lint'] }, failedVerdict(tests), passedVerdict('lint')),
        edited(1, 'tree-1'),
        checked('change', failedVerdict(tests), passedVerdict('lint')),
      ),
    )
    expect(reason).toBe('verifier_feedback')
    expect(feedback).toContain('Check "npm test" failed: npm test failed')
    expect(feedback).not.toContain('lint')
  })

  it('says what is left of the budget', () => {
    const caps = { maxIterations: 8, maxTokens: 50_000 }
    const run = given(
      begun({ verifiers: [tests], caps }, failedVerdict(tests)),
      modelCalled(1),
      modelReplied({ usage: tokens(1000, 200) }),
      checked('claim', failedVerdict(tests)),
    )
    expect(saidBy(run)[1]).toContain('Left: 7 turns, 48800 tokens.')
  })

  it('does not tell of checks that are not required', () => {
    const verifiers = [tests, { name: 'style', required: false }]
    const run = given(
      begun({ verifiers }, failedVerdict(tests), failedVerdict('style')),
      edited(1, 'tree-1'),
      checked('change', failedVerdict(tests), failedVerdict('style')),
    )
    expect(saidBy(run)[1]).not.toContain('style')
  })
})

describe('given a claim', () => {
  it('says which checks were red when none was run on this turn', () => {
    const run = given(
      begun({ verifiers: [tests], verifyWhen: 'on-change' }, failedVerdict(tests)),
      claimed(1),
    )
    expect(saidBy(run)[0]).toBe('verifier_feedback')
    expect(saidBy(run)[1]).toContain('npm test')
  })

  it('does not say that checks were green before when none was run', () => {
    const run = given(
      begun({ verifiers: [tests], verifyWhen: 'on-change' }, passedVerdict(tests)),
      claimed(1),
    )
    expect(saidBy(run)[0]).toBe('verifier_feedback')
    expect(saidBy(run)[1]).not.toContain('already green')
  })

  it('says that it is not done where no check is open and the aggregator is not satisfied', () => {
    const run = given(
      begun({ verifiers: [tests] }, failedVerdict(tests)),
      claimed(1),
      checked('claim', passedVerdict(tests)),
    )
    const [reason, feedback] = saidBy(run, { aggregate: () => ({ status: 'failed', because: [] }) })
    expect(reason).toBe('verifier_feedback')
    expect(feedback).toContain('not done')
    expect(feedback).not.toContain('already green')
  })
})

describe('given checks that pass while the agent still works', () => {
  it('says so where it is news', () => {
    const run = given(
      begun({ verifiers: [tests], completeWhen: 'checks-and-claim' }, failedVerdict(tests)),
      edited(1, 'tree-1'),
      checked('change', passedVerdict(tests)),
    )
    expect(saidBy(run)).toEqual([
      'tool_calls',
      'All required checks pass now. If the task is finished, answer without calling a tool.',
    ])
  })
})

describe('given a reply that was cut off at its length', () => {
  const cutOff = [modelCalled(1), modelReplied({ text: 'First', finish: 'length' })]

  it('asks to go on from there', () => {
    const [reason, feedback] = saidBy(given(begun({ verifiers: [tests] }, failedVerdict(tests)), cutOff))
    expect(reason).toBe('max_output_recovery')
    expect(feedback).toContain('cut off at its length limit')
  })
})
