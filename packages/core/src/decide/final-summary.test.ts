import { describe, expect, it } from 'vitest'
import {
  externalAgent,
  begun,
  checked,
  claimed,
  edited,
  failedVerdict,
  given,
  passedVerdict,
  type Given,
  type RunChoices,
  runStarted,
  skippedVerdict,
} from '../testing/index.ts'
import {
  interruptRequested,
  modelCalled,
  modelFailed,
  runResumed,
  turnEnded,
  workspaceObserved,
  finalSummaryReplied,
} from '../testing/facts.ts'
import type { Decision } from './decision.ts'
import type { StopTransition } from '../events/transitions/index.ts'
import type { CapName, Caps } from '../budgets/index.ts'
import { howToGoOn, programSummary } from './final-summary.ts'

type FinalSummary = Extract<Decision, { kind: 'final-summary' }>

/** One turn that worked and was judged, at the cap on turns. */
function atCap(choices: RunChoices = {}): Given {
  const caps = { maxIterations: 1, ...choices.caps }
  return given(begun({ verifiers: ['tests'], finalSummary: true, ...choices, caps }, failedVerdict('tests')))
    .and(edited(1, 'tree-1'), checked('change', failedVerdict('tests')), workspaceObserved('tree-1'))
    .afterNotes()
}

function finalSummaryOf(run: Given): FinalSummary {
  const { decision } = run.whenDecided()
  if (decision.kind !== 'final-summary') throw new Error(`decided ${decision.kind}`)
  return decision
}

/** The call is announced. */
function announced(run: Given): Given {
  const { end, notice } = finalSummaryOf(run)
  return run.and({ type: 'final-summary-called', end, notice })
}

const capped = { kind: 'stop', transition: { reason: 'hard_cap', cap: 'iterations' } } as const

describe('given a run that comes to a cap in the middle of its work', () => {
  it('asks the agent once more, with the end that is decided and what is open', () => {
    const { end, notice } = finalSummaryOf(atCap())
    expect(end).toMatchObject({
      reason: 'hard_cap',
      outcome: 'exhausted',
      cap: 'iterations',
      lastCheck: 'run',
    })
    expect(notice).toContain('This run ends now: turn limit reached (1 of 1)')
    expect(notice).toContain('Checks that do not pass: tests.')
    expect(notice).toContain('You have no tools any more')
  })

  it('ends with what the agent says', () => {
    announced(atCap())
      .and(finalSummaryReplied('  Half is done.\n'))
      .whenDecided()
      .then({ ...capped, transition: { ...capped.transition, summary: 'Half is done.', summaryBy: 'agent' } })
  })

  it('is not asked a second time, and ends with the summary of the record, when the call fails', () => {
    announced(atCap())
      .and(finalSummaryReplied('', { problem: 'the server answered 503' }))
      .whenDecided()
      .then((decision) => {
        if (decision.kind !== 'stop') throw new Error(decision.kind)
        expect(decision.transition).toMatchObject({ ...capped.transition, summaryBy: 'program' })
        expect(decision.transition.summary).toMatch(/^Done: .*\nLeft: tests .*\nHow to go on: /)
      })
  })

  it('the call changes nothing of the end, though it uses up another cap', () => {
    const run = announced(atCap({ caps: { maxTokens: 20_000 } }))
    run
      .and(
        finalSummaryReplied('Half is done.', {
          usage: { inputTokens: 30_000, outputTokens: 9, estimated: false },
        }),
      )
      .whenDecided()
      .then(capped)
  })

  it('stays out of the conversation, notice and answer', () => {
    const before = atCap()
    expect(announced(before).and(finalSummaryReplied()).conversation).toEqual(before.conversation)
  })

  it('a very long summary is cut', () => {
    announced(atCap())
      .and(finalSummaryReplied('word '.repeat(5000)))
      .whenDecided()
      .then((decision) => {
        const summary = decision.kind === 'stop' ? (decision.transition.summary ?? '') : ''
        expect(summary.length).toBeLessThanOrEqual(4000)
        expect(summary.endsWith('…')).toBe(true)
      })
  })
})

describe('given an answer that the checks did not confirm', () => {
  const withheld = (text: string) =>
    given(
      begun({ verifiers: ['tests'], finalSummary: true, caps: { maxIterations: 1 } }, failedVerdict('tests')),
    )
      .and(claimed(1, text), checked('claim', failedVerdict('tests')), workspaceObserved('tree-0'))
      .afterNotes()

  it('takes it instead of a call', () => {
    withheld('All tests pass now.')
      .whenDecided()
      .then({
        ...capped,
        transition: {
          ...capped.transition,
          summary: 'All tests pass now.',
          summaryBy: 'withheld-answer',
        },
      })
  })

  it('does not take silence, nor an answer of an earlier turn', () => {
    expect(finalSummaryOf(withheld('')).end.reason).toBe('hard_cap')
    const later = given(
      begun({ verifiers: ['tests'], finalSummary: true, caps: { maxIterations: 2 } }, failedVerdict('tests')),
    )
      .and(claimed(1, 'Done.'), checked('claim', failedVerdict('tests')), turnEnded(1))
      .and(edited(2, 'tree-2'), checked('change', failedVerdict('tests')), workspaceObserved('tree-2'))
      .afterNotes()
    expect(finalSummaryOf(later).end.reason).toBe('hard_cap')
  })
})

const onlyOneCall = begun({ finalSummary: true, caps: { maxModelCalls: 1 } })

describe('given an end that needs no summary', () => {
  it.each<[string, Given]>([
    [
      'finished work: the last check comes first',
      given(
        begun(
          { verifiers: ['tests'], finalSummary: true, caps: { maxIterations: 1 } },
          failedVerdict('tests'),
        ),
      ).and(edited(1, 'tree-1'), checked('change', passedVerdict('tests'))),
    ],
    ['an interrupt', atCap().and(interruptRequested())],
    ['switched off', atCap({ finalSummary: false })],
    ['nothing was ever answered', given(onlyOneCall, modelCalled(1), modelFailed({ kind: 'cut-off' }))],
  ])('it stops without: %s', (_, run) => {
    run
      .afterNotes()
      .whenDecided()
      .then((decision) => {
        if (decision.kind !== 'stop') throw new Error(decision.kind)
        expect(decision.transition).not.toHaveProperty('summary')
      })
  })
})

describe('given a call that cannot be made', () => {
  const byProgram = { ...capped, transition: { ...capped.transition, summaryBy: 'program' as const } }

  it.each<[string, RunChoices]>([
    ['an external agent brings its own tools', { agent: { ...externalAgent, kind: 'command' } }],
    ['no model call is left', { caps: { maxModelCalls: 1 } }],
    ['no tokens are left', { caps: { maxTokens: 200 } }],
    ['no time is left', { caps: { maxWallClockMs: 1500 } }],
  ])('the summary is made of the record: %s', (_, choices) => {
    const { decision } = atCap(choices).whenDecided()
    if (decision.kind !== 'stop') throw new Error(decision.kind)
    expect(decision.transition.reason).toBe('hard_cap')
    expect(decision.transition.summaryBy).toBe(byProgram.transition.summaryBy)
  })

  it('its reply and its time are bounded by what is left', () => {
    const roomy = finalSummaryOf(atCap())
    expect(roomy.maxOutputTokens).toBe(1024)
    expect(roomy.deadlineMs - atCap().state.nowMs).toBe(120_000)
    const tight = atCap({ caps: { maxWallClockMs: 5000 } })
    expect(finalSummaryOf(tight).deadlineMs - tight.state.nowMs).toBe(5000 - tight.state.consumption.activeMs)
  })
})

describe('given a process that died while the agent was asked', () => {
  it('an answer that was recorded before is kept', () => {
    announced(atCap())
      .and(finalSummaryReplied('Half is done.'), runResumed(), workspaceObserved('tree-1'))
      .and(checked('cap', failedVerdict('tests')), workspaceObserved('tree-1'))
      .whenDecided()
      .then({ ...capped, transition: { ...capped.transition, summary: 'Half is done.', summaryBy: 'agent' } })
  })
})

describe('given a run that ended and goes on with more', () => {
  const ended = (run: Given) => {
    const { decision } = run.whenDecided()
    if (decision.kind !== 'stop') throw new Error(decision.kind)
    return run.and({ type: 'run-stopped', transition: decision.transition })
  }
  const goesOn = ended(announced(atCap()).and(finalSummaryReplied('Half is done.'))).and(runResumed(), {
    type: 'budget-added',
    by: 'a person',
    added: { iterations: 1 },
  })

  it('nothing is left of the summary in the conversation, and after the next call nothing in the state', () => {
    expect(goesOn.and(turnEnded(1), modelCalled(2)).state.finalSummary).toBeUndefined()
    expect(JSON.stringify(goesOn.conversation)).not.toMatch(/Half is done|ends now/)
  })
})

function ended(details: Partial<StopTransition> = {}): StopTransition {
  const base = { outcome: 'exhausted', message: '', findings: [], verdicts: [] } as const
  return { ...base, reason: 'stagnated', ...details, kind: 'stop' }
}

describe('given a run that its record tells of', () => {
  const verifiers = [
    'lint',
    'tests',
    'types',
    { name: 'style', required: false },
    { name: 'secret', role: 'held-out' as const },
    { name: 'guard', role: 'guard' as const },
  ]
  const { state } = given(
    begun({ verifiers, caps: { maxIterations: 4 } }, failedVerdict('lint'), failedVerdict('tests')),
  )
    .and(edited(1, 'tree-1'))
    .and(
      checked(
        'change',
        passedVerdict('lint'),
        failedVerdict('tests', { reason: '2 of 9\n  tests failed' }),
        skippedVerdict('types'),
        failedVerdict('style'),
        failedVerdict('secret'),
        passedVerdict('guard'),
      ),
    )

  it('says what is done, what is left and how to go on', () => {
    expect(programSummary(state, ended({ reason: 'hard_cap', cap: 'iterations' }))).toBe(
      [
        'Done: these checks pass: lint; the work was changed in 1 turn with 1 tool call.',
        'Left: tests (failed: 2 of 9 tests failed).',
        'How to go on: donecheck resume run-1 --top-up turns=2',
      ].join('\n'),
    )
  })
})

describe('given a cap', () => {
  const caps: Partial<Caps> = {
    maxIterations: 9,
    maxCostUsd: 0.5,
    maxWallClockMs: 600_000,
    maxTokens: 1001,
  }
  const { state } = given(runStarted({ caps }))

  it.each<[CapName, string]>([
    ['iterations', 'turns=5'],
    ['cost', 'cost-usd=0.25'],
    ['wall_clock', 'seconds=300'],
    ['tokens', 'tokens=501'],
  ])('the way on is half as much again: %s', (cap, words) => {
    expect(howToGoOn(state, ended({ reason: 'hard_cap', cap }))).toBe(
      `donecheck resume run-1 --top-up ${words}`,
    )
  })

  it('a part of another run is not resumed by itself', () => {
    const child = given({ ...runStarted({ caps }), parent: { runId: 'parent', callId: 'c' } }).state
    expect(howToGoOn(child, ended({ reason: 'hard_cap', cap: 'iterations' }))).toContain(
      'the run that it is a part of',
    )
  })
})
