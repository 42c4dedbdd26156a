import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../events/transitions/index.ts'
import {
  agentDrive,
  begun,
  checked,
  claimed,
  edited,
  failedVerdict,
  given,
  passedVerdict,
  type Step,
} from '../../testing/index.ts'
import {
  modelCalled,
  modelProposed,
  runStopped,
  toolCall,
  toolCalled,
  toolReturned,
} from '../../testing/facts.ts'
import { evidenceOf, evidenceOfEnd } from './evidence-grade.ts'

/** A turn in which one command line is run. */
function ran(turn: number, command: string, output = '', status: 'ok' | 'error' = 'ok'): Step {
  const callId = `run-${turn}`
  return [
    modelCalled(turn),
    modelProposed(toolCall(callId, 'run_shell', { command })),
    toolCalled(callId, 'execute', 'run_shell'),
    { ...toolReturned(callId), status, output },
  ]
}

const gradeAfter = (...steps: readonly Step[]) => evidenceOf(given(begun(), ...steps).state).grade
const textAfter = (...steps: readonly Step[]) => evidenceOf(given(begun(), ...steps).state).text

describe('given what the record shows', () => {
  const passes = '== 3 passed in 0.1s =='
  const fails = '== 1 failed in 0.1s =='
  const change = edited(1, 'tree-1')

  it.each<[string, readonly Step[]]>([
    ['tests-passed-after-last-edit', [change, ran(2, 'npm test')]],
    ['tests-passed-before-last-edit', [change, ran(2, 'npm test'), edited(3, 'tree-2')]],
    ['tests-never-passed', [change, ran(2, 'npm test', '', 'error')]],
    ['tests-never-passed', [change, ran(2, 'pytest | tail -3')]],
    ['own-script-only', [change, ran(2, `node -e 'f()'`)]],
    ['other-commands-only', [change, ran(2, 'make build')]],
    ['never-run', [change, ran(2, 'git diff')]],
    ['nothing-changed', [ran(1, 'ls')]],
    ['nothing-changed', [ran(1, 'npm test', passes)]],
    ['nothing-changed', [change, edited(2, 'tree-0')]],
  ])('it is %s', (grade, steps) => {
    expect(gradeAfter(...steps)).toBe(grade)
  })

  it('says what the latest run said where it was another', () => {
    expect(textAfter(change, ran(2, 'pytest', passes), ran(3, 'pytest', fails))).toBe(
      'tests of the project passed after the last change; the last run of tests failed',
    )
    expect(textAfter(change, ran(2, 'pytest', 'no tests ran in 0s'))).toContain('the last run ran none')
    expect(textAfter(change, ran(2, `python -c 'x'`, 'no', 'error'))).toBe(
      'no tests of the project were run, only a script or test of its own, after the last change; its last run failed',
    )
  })

  it('a drive whose work nobody sees has no record, unless the tree is as it was', () => {
    const agent = begun({ drive: agentDrive })
    const seen = (tree: string) => given(agent, claimed(1), { type: 'workspace-observed', fingerprint: tree })
    expect(evidenceOf(seen('tree-1').state).grade).toBe('not-recorded')
    expect(evidenceOf(seen('tree-0').state).grade).toBe('nothing-changed')
  })

  it('what was done for another task is forgotten', () => {
    expect(
      gradeAfter(change, ran(2, 'npm test'), { type: 'goal-set', task: 'another' }, edited(3, 'tree-2')),
    ).toBe('never-run')
  })
})

describe('given an end', () => {
  const tests = 'npm test'
  const endedAs = (outcome: Outcome, verdict = failedVerdict(tests)) =>
    evidenceOfEnd(
      given(
        begun({ verifiers: [tests] }, failedVerdict(tests)),
        edited(1, 'tree-1'),
        checked('change', verdict),
        runStopped('hard_cap', { outcome }),
      ).state,
    )

  it('without a sufficient check has a line, and no other has', () => {
    expect(endedAs('unverified')?.grade).toBe('never-run')
    expect(endedAs('exhausted')).toBeUndefined()
    expect(endedAs('verified', passedVerdict(tests))).toBeUndefined()
    expect(endedAs('failed')).toBeUndefined()
  })

  it('before the first turn rests on nothing', () => {
    expect(evidenceOfEnd(given(begun(), runStopped('blocked')).state)).toBeUndefined()
    expect(evidenceOfEnd(given(begun(), edited(1, 'tree-1')).state)).toBeUndefined()
  })
})
