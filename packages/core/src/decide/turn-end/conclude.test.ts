/** What happens when a rule asks for the end: one last check (I10), then the reason with what it rests on. */
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../events/index.ts'
import type { RunState } from '../../state/index.ts'
import {
  begun,
  checked,
  claimed,
  edited,
  failedVerdict,
  given,
  passedVerdict,
  standardJudgement,
  type Given,
  type RunChoices,
  pending,
  runStarted,
} from '../../testing/index.ts'
import {
  modelCalled,
  modelFailed,
  modelProposed,
  toolCalled,
  toolReturned,
  turnEnded,
} from '../../testing/facts.ts'
import type { VerifyWhen } from '../../base/index.ts'
import { verificationTrigger } from './conclude.ts'

const tests = 'npm test'

/** The one turn of the cap reads a file and changes nothing, so no check is due but the last one. */
const readOnly = [modelCalled(1), modelProposed('a'), toolCalled('a', 'read'), toolReturned('a')]

function atCap(choices: RunChoices = {}, baseline = failedVerdict(tests)): Given {
  return given(begun({ verifiers: [tests], caps: { maxIterations: 1 }, ...choices }, baseline), readOnly)
}

describe('given a cap that is reached with unverified work', () => {
  it('runs one last check before it names the outcome', () => {
    atCap()
      .whenDecided()
      .then({ kind: 'verify', trigger: 'cap', verifiers: [tests] })
  })

  it('reports finished work as finished, and at which cap', () => {
    atCap()
      .and(checked('cap', passedVerdict(tests)))
      .afterNotes()
      .whenDecided()
      .then({
        kind: 'stop',
        transition: {
          reason: 'task_complete',
          outcome: 'verified',
          atCap: 'iterations',
          lastCheck: 'run',
          cap: undefined,
        },
      })
  })

  it('names the cap when the last check is red', () => {
    atCap()
      .and(checked('cap', failedVerdict(tests)))
      .afterNotes()
      .whenDecided()
      .then({
        kind: 'stop',
        transition: {
          reason: 'hard_cap',
          outcome: 'exhausted',
          cap: 'iterations',
          lastCheck: 'run',
          atCap: undefined,
          findings: ['cap:iterations'],
          message: 'turn limit reached (1 of 1)',
          verdicts: [{ verifier: tests, status: 'failed' }],
        },
      })
  })

  it('says so where the user has switched the last check off', () => {
    atCap({ verifyAtCap: false })
      .afterNotes()
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'hard_cap', lastCheck: 'switched-off' } })
  })

  it('does not check again what the turn has checked', () => {
    given(
      begun({ verifiers: [tests], caps: { maxIterations: 1 } }, failedVerdict(tests)),
      edited(1, 'tree-1'),
      checked('change', failedVerdict(tests)),
    )
      .afterNotes()
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'hard_cap', lastCheck: 'run' } })
  })

  it('does not say that a check was run where none was', () => {
    given(
      begun({ verifiers: [{ name: 'answer', reads: 'answer' }], caps: { maxModelCalls: 1 } }),
      modelCalled(1),
      modelFailed({ kind: 'cut-off' }),
    )
      .afterNotes()
      .whenDecided()
      .then({
        kind: 'stop',
        transition: { reason: 'hard_cap', cap: 'model_calls', lastCheck: 'nothing-to-check' },
      })
  })
})

describe('given checks-and-claim', () => {
  const green = given(
    begun(
      { verifiers: [tests], completeWhen: 'checks-and-claim', caps: { maxIterations: 2 } },
      failedVerdict(tests),
    ),
    edited(1, 'tree-1'),
    checked('change', passedVerdict(tests)),
  )

  it('takes the cap for the claim that cannot be made any more, and says so', () => {
    green
      .and(turnEnded(1), edited(2, 'tree-2'), checked('change', passedVerdict(tests)))
      .afterNotes()
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'task_complete', atCap: 'iterations', lastCheck: 'run' } })
  })
})

describe('given checks that were green before', () => {
  it.each(['quorum', 'any'] as const)('is not done because %s of them still suffices', (name) => {
    const oneOf = () => ({ status: 'passed', because: ['a'] }) as const
    const run = given(
      begun({ verifiers: ['a', 'b'], aggregate: name }, passedVerdict('a'), failedVerdict('b')),
      readOnly,
      checked('turn', passedVerdict('a'), failedVerdict('b')),
    )
    run.whenDecided({ aggregate: oneOf }).then(({ kind }) => expect(kind).toBe('continue'))
  })
})

describe('given a detector of its own', () => {
  const loop: Finding = {
    rule: 'ping-pong',
    level: 'stop',
    message: 'the same two calls, six times',
    numbers: { times: 6 },
    basedOn: [4],
    stop: { reason: 'loop_detected', detector: 'ping-pong' },
  }
  const rules = [...standardJudgement.rules, () => loop]
  const looping = given(begun({ verifiers: [tests] }, failedVerdict(tests)), readOnly).and(
    checked('cap', failedVerdict(tests)),
  )

  it('ends the run with its name, after a last check', () => {
    given(begun({ verifiers: [tests] }, failedVerdict(tests)), readOnly)
      .afterNotes({ rules })
      .whenDecided({ rules })
      .then({ kind: 'verify', trigger: 'cap' })
    looping
      .afterNotes({ rules })
      .whenDecided({ rules })
      .then({
        kind: 'stop',
        transition: {
          reason: 'loop_detected',
          detector: 'ping-pong',
          outcome: 'exhausted',
          lastCheck: 'run',
          findings: ['ping-pong'],
        },
      })
  })

  it('gives way to a cap on counts, and not to the wall clock', () => {
    const cap = (name: 'iterations' | 'wall_clock') => [
      ...rules,
      () => ({
        ...loop,
        rule: `cap:${name}`,
        message: name,
        stop: { reason: 'hard_cap', cap: name } as const,
      }),
    ]
    const winner = (name: 'iterations' | 'wall_clock') =>
      looping.afterNotes({ rules: cap(name) }).whenDecided({ rules: cap(name) })
    winner('iterations').then({ kind: 'stop', transition: { reason: 'hard_cap' } })
    winner('wall_clock').then({ kind: 'stop', transition: { reason: 'loop_detected' } })
  })

  it('does not end a turn twice where it asks for the end between turns and then no more', () => {
    const between = { rules: [(state: RunState) => (state.phase.kind === 'idle' ? loop : undefined)] }
    const idle = given(begun({ verifiers: [tests] }, failedVerdict(tests)), readOnly, turnEnded(1))
    idle.whenDecided(between).then({ kind: 'verify', trigger: 'cap' })
    idle
      .and(checked('cap', failedVerdict(tests)))
      .whenDecided(between)
      .then({ kind: 'call-model', turn: 2 })
  })
})

describe('given a cap at which checks are green only because the agent changed them', () => {
  const tampered = failedVerdict(tests, { qualifiers: ['tampered'] })
  const changed = given(
    begun({ verifiers: [tests, 'lint'], caps: { maxIterations: 1 } }, failedVerdict(tests)),
    edited(1, 'tree-1'),
    checked('claim', tampered, passedVerdict('lint')),
  )

  it('checks once more, now that only a person can decide', () => {
    changed.whenDecided().then({ kind: 'verify', trigger: 'cap' })
  })

  it('ends with the question, and not as exhausted', () => {
    const waiting = pending(tests, { reason: 'needs approval' })
    changed
      .and(checked('cap', waiting, passedVerdict('lint')))
      .afterNotes()
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'awaiting_approval', outcome: 'blocked' } })
  })

  it('is exhausted where a person has said no', () => {
    changed
      .and(checked('cap', tampered, passedVerdict('lint')))
      .afterNotes()
      .whenDecided()
      .then({ kind: 'stop', transition: { reason: 'hard_cap', outcome: 'exhausted' } })
  })
})

const verifiers = ['npm test']
const answer = [{ name: 'answer', reads: 'answer' as const }]
const call = (effect: 'read' | 'write') => [
  modelCalled(1),
  modelProposed('a'),
  toolCalled('a', effect),
  toolReturned('a'),
]

/** When checks are run at the end of a turn: after a change, after a claim, after a turn with neither. */
const rows: readonly (readonly [
  VerifyWhen,
  'change' | 'turn' | undefined,
  'claim' | 'turn' | undefined,
  'turn' | undefined,
])[] = [
  ['on-change-or-claim', 'change', 'claim', undefined],
  ['on-change', 'change', undefined, undefined],
  ['on-claim', undefined, 'claim', undefined],
  ['every-turn', 'turn', 'turn', 'turn'],
]

describe.each(rows)('given verifyWhen %s', (verifyWhen, afterChange, afterClaim, afterNeither) => {
  const begin = begun({ verifiers, verifyWhen }, failedVerdict('npm test'))

  it('checks a changed tree so', () => {
    expect(verificationTrigger(given(begin, edited(1, 'tree-1')).state)).toBe(afterChange)
  })

  it('checks a claim so', () => {
    expect(verificationTrigger(given(begin, claimed(1)).state)).toBe(afterClaim)
  })

  it('checks any other turn so', () => {
    expect(verificationTrigger(given(begin, edited(1, 'tree-0')).state)).toBe(afterNeither)
  })
})

describe('given a tree that was checked', () => {
  it('is not checked again until it changes, a change back to the baseline tree being one', () => {
    const begin = given(
      begun({ verifiers }, failedVerdict('npm test')),
      edited(1, 'tree-1'),
      checked('change', failedVerdict('npm test')),
      turnEnded(1),
    )
    expect(verificationTrigger(begin.and(edited(2, 'tree-1')).state)).toBeUndefined()
    expect(verificationTrigger(begin.and(edited(2, 'tree-2')).state)).toBe('change')
    expect(verificationTrigger(begin.and(edited(2, 'tree-0')).state)).toBe('change')
  })
})

describe('given a run without a folder', () => {
  it('takes a tool that may write for a change', () => {
    const begin = runStarted({ workFolder: null, verifiers: answer, verifyWhen: 'on-change' })
    expect(verificationTrigger(given(begin, call('write')).state)).toBe('change')
    expect(verificationTrigger(given(begin, call('read')).state)).toBeUndefined()
  })
})
