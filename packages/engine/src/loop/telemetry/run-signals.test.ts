/** What a run's events say: a tree of spans, logs and figures, for any stream of events that there can be. */
import { describe, expect, it } from 'vitest'
import {
  failedVerdict,
  passedVerdict,
  runStarted,
  sampleRun,
  stamp,
  type Step,
} from '@donecheck/core/testing'
import {
  approvalGiven,
  approvalRequested,
  findingNoted,
  goalSet,
  lastTurnEnded,
  modelCalled,
  modelClaimed,
  modelFailed,
  modelProposed,
  runResumed,
  runStopped,
  subRunStarted,
  toolCalled,
  toolRefused,
  toolReturned,
  turnEnded,
  verdictGiven,
  verificationStarted,
} from '@donecheck/core/testing/facts'
import { pathOf, spansOf } from './fixtures/span-tree.ts'
import { RunSignals } from './run-signals.ts'
import type { Signal } from './signals.ts'
import type { RunEvent } from '@donecheck/core/events'

function signalsOf(events: readonly RunEvent[], capturesContent = false): readonly Signal[] {
  const run = new RunSignals(capturesContent)
  return [...events.flatMap((event) => run.of(event)), ...run.close()]
}

function played(...steps: readonly Step[]): readonly Signal[] {
  return signalsOf(stamp([runStarted({ verifiers: ['npm test'] }), ...steps]))
}

const pathsOf = (signals: readonly Signal[]) => spansOf(signals).map(pathOf)
const run = 'invoke_agent donecheck'

describe('given a run that is verified', () => {
  const signals = played(
    goalSet('secret words of the task'),
    verificationStarted('baseline', 'npm test'),
    { ...verdictGiven(failedVerdict('npm test', { durationMs: 5 })) },
    modelCalled(1),
    modelProposed('call-1'),
    approvalRequested('call-1'),
    approvalGiven('call-1'),
    toolCalled('call-1'),
    toolReturned('call-1', 'secret words of a file'),
    toolRefused('call-2'),
    turnEnded(1, 'the tests fail'),
    modelCalled(2),
    modelClaimed('secret words of the model'),
    verificationStarted('claim', 'npm test'),
    verdictGiven(passedVerdict('npm test', { durationMs: 5 })),
    lastTurnEnded(2, 'task_complete'),
    runStopped('task_complete', { outcome: 'verified' }),
  )

  it('its spans are a tree: run, turn, and what happened in the turn', () => {
    expect(pathsOf(signals)).toEqual([
      `${run} > check npm test`,
      `${run} > turn > chat model`,
      `${run} > turn > approval`,
      `${run} > turn > execute_tool write_file`,
      `${run} > turn`,
      `${run} > turn > chat model`,
      `${run} > turn > check npm test`,
      `${run} > turn`,
      run,
    ])
  })

  it('the model is named as the conventions name it, and says what it used', () => {
    const call = spansOf(signals).find(({ span }) => span === 'call')
    expect(call).toMatchObject({
      isClient: true,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'test',
        'gen_ai.request.model': 'model',
      },
      end: {
        attributes: { 'gen_ai.response.finish_reasons': ['tool-calls'] },
        error: undefined,
      },
    })
  })

  it('reason and outcome stand on the span of the run, and are counted', () => {
    const how = { 'donecheck.reason': 'task_complete', 'donecheck.outcome': 'verified' }
    const whole = spansOf(signals).at(-1)
    expect(whole?.end).toMatchObject({ attributes: { ...how, 'donecheck.turns': 2 }, error: undefined })
    expect(signals).toContainEqual({
      kind: 'measured',
      instrument: 'donecheck.runs',
      value: 1,
      attributes: how,
    })
  })

  it('a check is an evaluation of its own, which lasts as long as the check took', () => {
    const check = spansOf(signals).find(
      ({ name, within }) => name === 'check npm test' && within?.span === 'turn',
    )
    expect(check && check.end.timeMs - check.timeMs).toBe(5)
    expect(signals).toContainEqual(
      expect.objectContaining({
        name: 'gen_ai.evaluation.result',
        span: 'check npm test',
        attributes: {
          'gen_ai.evaluation.name': 'npm test',
          'gen_ai.evaluation.score.label': 'passed',
        },
      }),
    )
  })

  it('no word of the task, the model or a tool is told', () => {
    expect(JSON.stringify(signals)).not.toContain('secret words')
  })
})

describe('given that texts are asked for', () => {
  it('the task, the replies and the results are told as messages', () => {
    const events = stamp([
      runStarted(),
      goalSet('the task'),
      modelCalled(1),
      modelProposed('call-1'),
      toolCalled('call-1'),
      toolReturned('call-1', 'the result'),
    ])
    const told = JSON.stringify(signalsOf(events, true))
    for (const word of ['the task', 'the result', 'a.ts', 'gen_ai.output.messages'])
      expect(told).toContain(word)
  })
})

describe('given an end that is an error', () => {
  it.each([
    ['failed', 'verifier_failed_unrecoverable', 'ERROR'],
    ['error', 'error', 'ERROR'],
  ] as const)('the span of a run that is %s says so', (outcome, reason, severity) => {
    const signals = played(runStopped(reason, { outcome }))
    expect(spansOf(signals).at(-1)?.end.error).toBe(reason)
    expect(signals).toContainEqual(expect.objectContaining({ name: 'donecheck.run_stopped', severity }))
  })

  it('an end by a cap is none, and names the cap', () => {
    const signals = played(runStopped('hard_cap', { outcome: 'exhausted', cap: 'tokens' }))
    expect(spansOf(signals).at(-1)?.end).toMatchObject({
      attributes: { 'donecheck.cap': 'tokens' },
      error: undefined,
    })
  })

  it('a call that failed has the kind of its failure, and the next try is a span of its own', () => {
    const calls = spansOf(played(modelCalled(1), modelFailed(), modelCalled(1, 2), modelClaimed())).filter(
      ({ span }) => span === 'call',
    )
    expect(calls.map(({ attributes, end }) => [attributes['donecheck.attempt'], end.error])).toEqual([
      [1, 'server-error'],
      [2, undefined],
    ])
  })
})

describe('given a finding', () => {
  it('it is logged with its numbers and counted by its rule', () => {
    const finding = {
      rule: 'cap:tokens',
      level: 'warn',
      message: 'much',
      numbers: { used: 9 },
      restsOn: [],
    } as const
    const signals = played(modelCalled(1), findingNoted(finding))
    const attributes = { 'donecheck.rule': 'cap:tokens', 'donecheck.level': 'warn' }
    expect(signals).toContainEqual(
      expect.objectContaining({
        name: 'donecheck.finding',
        severity: 'WARN',
        span: 'turn',
        attributes: { ...attributes, 'donecheck.numbers.used': 9 },
      }),
    )
    expect(signals).toContainEqual(expect.objectContaining({ instrument: 'donecheck.findings', attributes }))
  })
})

describe('given a run that was killed and goes on in another process', () => {
  const events = stamp([
    runStarted(),
    goalSet(),
    modelCalled(1),
    modelProposed('call-1'),
    toolCalled('call-1'),
    runResumed(),
    toolReturned('call-1'),
    turnEnded(1),
    modelCalled(2),
    modelClaimed(),
    lastTurnEnded(2, 'model_ended'),
    runStopped('model_ended', { outcome: 'unverified' }),
  ])

  it('what goes on is a span of its own, and counts only what it did itself', () => {
    const after = new RunSignals()
    after.recall(events.slice(0, 5))
    const signals = events.slice(5).flatMap((event) => after.of(event))
    expect(pathsOf(signals)).toEqual([`${run} > turn > chat model`, `${run} > turn`, run])
    expect(spansOf(signals).at(-1)).toMatchObject({
      attributes: { 'donecheck.resumed': true },
      end: { attributes: { 'donecheck.turns': 1 } },
    })
  })

  it('without its beginning nothing is told', () => {
    expect(signalsOf(events.slice(5))).toEqual([])
  })
})

describe('given a run that is a part of another one', () => {
  it('its figures are its parent’s', () => {
    const [first, ...rest] = sampleRun()
    const parent = { runId: 'run-0', callId: 'call-1' }
    const child = first?.type === 'run-started' ? [{ ...first, parent }, ...rest] : []
    const counted = signalsOf(child).filter(
      (signal) => signal.kind === 'measured' && signal.instrument.startsWith('donecheck.run'),
    )
    expect(counted).toEqual([])
    expect(played(subRunStarted('run-2', 'call-1'))).not.toEqual([])
  })
})
